#pragma once

#include <vector>

#include "gpu_advisor/model/model_spec.hpp"
#include "gpu_advisor/ops/operation.hpp"

namespace gpu_advisor::ops {

/// The tensors of one layer of `group` that the backward pass reads when nothing is recomputed.
[[nodiscard]] std::vector<SavedTensor> saved_tensors(const model::Stack& stack,
                                                     const model::LayerGroup& group);

}  // namespace gpu_advisor::ops
