#pragma once

#include <string>
#include <vector>

#include "gpu_advisor/catalog/calibration.hpp"
#include "gpu_advisor/support/file_source.hpp"

namespace gpu_advisor::catalog {

/// The rows of data/calibration (embedded) and of `folder`/calibration of each folder, later ones
/// over earlier ones with the same selectors.
[[nodiscard]] support::Result<Calibration> load_calibration(
    const support::FileSource& files, bool embedded, const std::vector<std::string>& folders);
/// One calibration file.
[[nodiscard]] support::Result<std::vector<CalibrationRow>> parse_calibration(std::string_view text,
                                                                             std::string_view file);
/// The file that `parse_calibration` reads, rows sorted.
[[nodiscard]] std::string print_calibration(const std::vector<CalibrationRow>& rows);

}  // namespace gpu_advisor::catalog
