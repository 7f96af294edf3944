#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gpu_advisor/model/model_spec.hpp"
#include "gpu_advisor/support/file_source.hpp"
#include "gpu_advisor/support/result.hpp"

namespace gpu_advisor::model {

/// True for a name that only a weight file or its index has: `.safetensors`, `.gguf`,
/// `*.safetensors.index.json`, `pytorch_model.bin.index.json`.
[[nodiscard]] bool is_weight_file_name(std::string_view path);

/// What a weight file says of its model: exact bytes and types in `stored`, structure from the
/// metadata (GGUF) or from the tensors' names and shapes (safetensors), what had to be assumed in
/// `assumptions`. Any shard stands for its whole set; an index for its shards, as far as they lie
/// beside it; an adapter_config.json for its adapter; any other .json is taken for an index. Reads
/// headers only. Damaged: malformed_weights with the byte offset or pointer.
[[nodiscard]] support::Result<ModelSpec> read_weight_file(const support::FileSource& files,
                                                          const std::string& path);

/// The weights of a folder (index and shards, or the only set of files in it); empty when it holds
/// none. A folder with several sets (GGUF files of several quantisations) is ambiguous_name.
[[nodiscard]] support::Result<std::optional<ModelSpec>> read_weight_folder(
    const support::FileSource& files, const std::string& folder);

/// unsupported_model for what is understood but is no model by itself: an adapter (the hint names
/// its base), a vocabulary, a projector, a file of tensors without recognisable layers.
[[nodiscard]] support::Status check_sizable(const ModelSpec& spec);

}  // namespace gpu_advisor::model
