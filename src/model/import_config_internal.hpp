#pragma once

#include <cstddef>

#include "gpu_advisor/support/csv.hpp"
#include "gpu_advisor/support/json.hpp"

namespace gpu_advisor::model {

/// The config keys (as Hugging Face names them) that a row of a models CSV determines; an object,
/// empty when the row has no dimensions.
[[nodiscard]] support::Result<support::Json> config_of_row(const support::Csv& csv,
                                                           std::size_t row);

}  // namespace gpu_advisor::model
