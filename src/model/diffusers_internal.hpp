#pragma once

#include <string>

#include "config_internal.hpp"
#include "gpu_advisor/model/model_spec.hpp"
#include "gpu_advisor/support/file_source.hpp"

namespace gpu_advisor::model {

/// A diffusers folder: model_index.json names the parts, each in a folder of its own (or, in flat
/// copies, in `<part>.json`). The denoiser comes first.
[[nodiscard]] support::Result<ModelSpec> read_pipeline(const support::FileSource& files,
                                                       const std::string& folder);

}  // namespace gpu_advisor::model
