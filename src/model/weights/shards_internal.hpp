#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_advisor/support/file_source.hpp"
#include "gpu_advisor/support/result.hpp"

namespace gpu_advisor::model {

/// The folder part of a path with its last slash, or empty.
[[nodiscard]] std::string folder_of(std::string_view path);
[[nodiscard]] std::string file_name_of(std::string_view path);
/// What to call a model whose file names none: the file's name without ending and shard number, or
/// its folder's where every model's file has that name ("model.safetensors").
[[nodiscard]] std::string model_name_of(std::string_view path);

/// "model-00002-of-00005.gguf": one of a set.
struct ShardName {
  std::string stem;    // "model-"
  std::string ending;  // ".gguf"
  std::size_t digits = 5;
  std::size_t number = 0, count = 0;
  /// The name of another shard of the set, from 1.
  [[nodiscard]] std::string other(std::size_t shard) const;
};
[[nodiscard]] std::optional<ShardName> parse_shard_name(std::string_view path);

/// Paths of the whole set that a file belongs to; the path alone for a file that is no shard.
/// file_not_found when a shard is missing.
[[nodiscard]] support::Result<std::vector<std::string>> shard_paths(
    const support::FileSource& files, const std::string& path);

}  // namespace gpu_advisor::model
