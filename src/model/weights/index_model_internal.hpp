#pragma once

#include <string>

#include "gpu_advisor/model/model_spec.hpp"
#include "gpu_advisor/support/file_source.hpp"
#include "gpu_advisor/support/result.hpp"

namespace gpu_advisor::model {

/// An index with the shards that lie beside it: exact when all do. Without them the size is the
/// index's own total, and the dimensions follow from size and number of layers;
/// unsupported_model when there is no size either.
[[nodiscard]] support::Result<ModelSpec> index_model(const support::FileSource& files,
                                                     const std::string& path);

}  // namespace gpu_advisor::model
