#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_advisor/model/model_spec.hpp"
#include "gpu_advisor/support/file_source.hpp"
#include "gpu_advisor/support/result.hpp"

namespace gpu_advisor::model {

/// A preset's row, cheap to hold; the ModelSpec is built on demand.
struct PresetSummary {
  std::string id, name, family, developer, modality, license, release_date;
  std::vector<std::string> aliases;
  double parameters = 0;
  double active_parameters = 0;
  std::optional<std::int64_t> max_context;
};

/// What a name was understood as.
struct ResolvedName {
  std::string id;  // preset id
  /// Canonical name understood from the spelling ("…-AWQ", ":8b-q4_K_M"); may be empty.
  std::string quantisation;
  std::string note;  // what was read into the name; may be empty
};

/// All presets: embedded, then folders over them by id.
class PresetLibrary {
 public:
  PresetLibrary();
  PresetLibrary(PresetLibrary&&) noexcept;
  PresetLibrary& operator=(PresetLibrary&&) noexcept;
  ~PresetLibrary();
  [[nodiscard]] static support::Result<PresetLibrary> load(const support::FileSource& files,
                                                           const std::vector<std::string>& folders);
  [[nodiscard]] const std::vector<PresetSummary>& summaries() const;
  /// By id, alias and the spellings people use; unknown_name with the nearest, ambiguous_name with
  /// the choices.
  [[nodiscard]] support::Result<ResolvedName> resolve(std::string_view name) const;
  [[nodiscard]] support::Result<ModelSpec> build(std::string_view id) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gpu_advisor::model
