#pragma once

#include <string>

#include "gpu_advisor/model/model_spec.hpp"
#include "gpu_advisor/support/file_source.hpp"
#include "tensor_internal.hpp"

namespace gpu_advisor::model {

/// Low-rank adapters (PEFT, kohya, diffusers), recognised by the names of their tensors.
[[nodiscard]] bool is_adapter(const WeightHeader& header);
/// Rank and base as tensors, metadata and an adapter_config.json beside the file tell.
[[nodiscard]] ModelSpec adapter_model(const support::FileSource& files, const WeightHeader& header,
                                      const std::string& path);

}  // namespace gpu_advisor::model
