#pragma once

#include <string>

#include "gpu_advisor/support/file_source.hpp"
#include "gpu_advisor/support/result.hpp"
#include "tensor_internal.hpp"

namespace gpu_advisor::model {

/// The header of one safetensors file (github.com/huggingface/safetensors, README "Format"): dtype
/// known, bytes as the shape says, data without holes or overlaps. A file that is shorter than its
/// data gets a warning.
[[nodiscard]] support::Result<WeightHeader> read_safetensors_header(
    const support::FileSource& files, const std::string& path);

}  // namespace gpu_advisor::model
