#pragma once

#include <string>

#include "config_internal.hpp"
#include "gpu_advisor/model/model_spec.hpp"
#include "gpu_advisor/support/json.hpp"

namespace gpu_advisor::model {

/// The largest config.json that is read.
inline constexpr std::uint64_t kMostConfigBytes = std::uint64_t{16} << 20;

/// A model from the content of a config.json. `file` is for errors.
[[nodiscard]] support::Result<ModelSpec> model_from_config(const support::Json& json,
                                                           const std::string& file);
/// A T5 config that names no class and lies where a pipeline keeps its text encoder (the file or
/// its folder is called text_encoder…) means the encoder alone.
[[nodiscard]] support::Json as_text_encoder(support::Json json, std::string_view path);
/// Python writes Infinity and NaN into JSON, which has neither: such values become null.
[[nodiscard]] std::string without_python_numbers(std::string text);
/// Sizes that no real model has: weights or sums beyond 10^15.
[[nodiscard]] support::Status check_sizes(const ModelSpec& model, const std::string& file);
/// `quantization_config`, `quantization` (MLX), in this config or in its text part.
[[nodiscard]] std::optional<QuantisationInfo> read_quantisation(const Config& config);
/// hf_quant_config.json of NVIDIA ModelOpt, quantize_config.json of AutoGPTQ.
[[nodiscard]] std::optional<QuantisationInfo> read_side_quantisation(const Config& config);

}  // namespace gpu_advisor::model
