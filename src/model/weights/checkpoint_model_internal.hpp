#pragma once

#include <string>

#include "gpu_advisor/model/model_spec.hpp"
#include "tensor_internal.hpp"

namespace gpu_advisor::model {

/// The model that a safetensors checkpoint's names and shapes describe. What they leave open (head
/// width, experts per token) is chosen as most published models have it and said in `assumptions`.
[[nodiscard]] ModelSpec checkpoint_model(const WeightHeader& header, const std::string& path);

}  // namespace gpu_advisor::model
