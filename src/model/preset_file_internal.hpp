#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gpu_advisor/model/presets.hpp"
#include "gpu_advisor/support/json.hpp"

namespace gpu_advisor::model {

inline constexpr std::string_view kPresetSchema = "gpu-advisor/models@1";

/// A preset as it lies in its file: what lists need, and the row's text for building it later.
struct PresetRow {
  PresetSummary summary;
  std::string file;
  std::string_view embedded;  // text of the row, alive as long as the program
  std::string owned;          // text of the row of an overlay
  [[nodiscard]] std::string_view text() const { return owned.empty() ? embedded : owned; }
};

/// Rows of an embedded file: written by the importer, one row a line, checked by a test; read fast.
[[nodiscard]] support::Result<std::vector<PresetRow>> read_embedded_presets(
    std::string_view path, std::string_view content);
/// Rows of a file of the user's: every key checked.
[[nodiscard]] support::Result<std::vector<PresetRow>> read_presets(const std::string& path,
                                                                   std::string_view content);
/// The strict check of one row.
[[nodiscard]] support::Result<PresetRow> read_preset_row(const support::JsonCursor& row);

/// The model that a row describes.
[[nodiscard]] support::Result<ModelSpec> build_preset(const support::Json& row,
                                                      const std::string& file);

}  // namespace gpu_advisor::model
