#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gpu_advisor/model/model_spec.hpp"
#include "gpu_advisor/support/file_source.hpp"
#include "gpu_advisor/support/result.hpp"

namespace gpu_advisor::model {

/// A GPT-like transformer with exactly these dimensions where given; the others are inferred from
/// how published families scale, and each inference stands in `assumptions`. `Arch` cnn, vit,
/// diffusion without layers gives one stack with an aggregate. An error when nothing fixes a size.
[[nodiscard]] support::Result<ModelSpec> from_dimensions(const Dimensions& dimensions);

/// A config.json, its folder, a diffusers or sentence-transformers folder, .safetensors, an index
/// file, .gguf (any shard), a LoRA adapter: recognised by content, read by headers only.
[[nodiscard]] support::Result<ModelSpec> read_model(const support::FileSource& files,
                                                    const std::string& path);
/// True when the text looks like a path of this file source (exists, or ends like a model file).
[[nodiscard]] bool looks_like_path(const support::FileSource& files, std::string_view text);

}  // namespace gpu_advisor::model
