#pragma once

#include <string>
#include <vector>

#include "placed_weight_internal.hpp"
#include "tensor_internal.hpp"

namespace gpu_advisor::model {

/// The weights that a checkpoint's tensors stand for: packed matrices at the size they have when
/// unpacked; scales, zero points and buffers are no weights.
struct CheckpointWeights {
  std::vector<PlacedWeight> weights;
  std::string method;  // "gptq", "awq", "bitsandbytes", "fp8", "mxfp4", "nvfp4", …; empty: plain
  int bits = 0;        // of the packed weights
  std::vector<std::string> assumptions;
};
[[nodiscard]] CheckpointWeights checkpoint_weights(const std::vector<Tensor>& tensors);

/// What the names alone say of a set of tensors.
[[nodiscard]] bool is_adapter_name(std::string_view tensor);
[[nodiscard]] bool is_buffer_name(std::string_view tensor);

}  // namespace gpu_advisor::model
