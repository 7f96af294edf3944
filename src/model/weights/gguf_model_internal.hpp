#pragma once

#include <string>

#include "gguf_header_internal.hpp"
#include "gpu_advisor/model/model_spec.hpp"

namespace gpu_advisor::model {

/// The model of a GGUF header, the tensors of all its shards in `header.weights`. A vocabulary
/// alone gives layers without weights.
[[nodiscard]] ModelSpec gguf_model(const GgufHeader& header, const std::string& path);

// Families that are no models by themselves; check_sizable refuses them.
inline constexpr std::string_view kAdapterFamily = "lora-adapter";
inline constexpr std::string_view kVocabularyFamily = "vocabulary";
inline constexpr std::string_view kProjectorFamily = "projector";
inline constexpr std::string_view kTensorsFamily = "tensors";

}  // namespace gpu_advisor::model
