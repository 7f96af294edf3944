#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "gpu_advisor/support/text.hpp"
#include "shards_internal.hpp"
#include "tensor_internal.hpp"

namespace gpu_advisor::model {

using support::Error;
using support::ErrorCode;
using support::Result;

namespace {

constexpr std::string_view kOf = "-of-";
constexpr std::size_t kMostDigits = 6;

/// Length of the run of digits at the end of a text.
std::size_t digits_at_end(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && text[text.size() - 1 - count] >= '0' &&
         text[text.size() - 1 - count] <= '9')
    ++count;
  return count;
}

std::size_t whole_number(std::string_view digits) {
  return static_cast<std::size_t>(support::parse_number(digits).value_or(0));
}

}  // namespace

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? "" : std::string(path.substr(0, slash + 1));
}

std::string file_name_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

std::string model_name_of(std::string_view path) {
  constexpr std::array<std::string_view, 6> kEndings{".json", ".index", ".safetensors",
                                                     ".bin",  ".gguf",  ".fp16"};
  constexpr std::array<std::string_view, 6> kUsual{
      "model",         "pytorch_model",  "diffusion_pytorch_model",
      "adapter_model", "adapter_config", "consolidated"};
  std::string name = file_name_of(path);
  if (const auto shard = parse_shard_name(path))
    name = shard->stem.substr(0, shard->stem.find_last_not_of('-') + 1);
  for (const std::string_view ending : kEndings)
    if (name.size() > ending.size() && name.ends_with(ending))
      name.resize(name.size() - ending.size());
  if (std::ranges::find(kUsual, name) == kUsual.end())
    return name;
  const std::string folder = folder_of(path);
  const std::string parent =
      folder.empty() ? "" : file_name_of(std::string_view(folder).substr(0, folder.size() - 1));
  return parent.empty() || parent == "." || parent == ".." ? name : parent;
}

std::string ShardName::other(std::size_t shard) const {
  return fmt::format("{}{:0{}}{}{:0{}}{}", stem, shard, digits, kOf, count, digits, ending);
}

std::optional<ShardName> parse_shard_name(std::string_view path) {
  const std::string name = file_name_of(path);
  const std::size_t dot = name.rfind('.');
  const std::size_t of = name.rfind(kOf);
  if (dot == std::string::npos || of == std::string::npos || of > dot)
    return std::nullopt;
  const std::string_view before = std::string_view(name).substr(0, of);
  const std::string_view count =
      std::string_view(name).substr(of + kOf.size(), dot - of - kOf.size());
  const std::size_t digits = digits_at_end(before);
  if (digits == 0 || digits > kMostDigits || count.empty() || count.size() > kMostDigits ||
      digits_at_end(count) != count.size())
    return std::nullopt;
  return ShardName{.stem = std::string(before.substr(0, before.size() - digits)),
                   .ending = name.substr(dot),
                   .digits = digits,
                   .number = whole_number(before.substr(before.size() - digits)),
                   .count = whole_number(count)};
}

Result<std::vector<std::string>> shard_paths(const support::FileSource& files,
                                             const std::string& path) {
  const auto shard = parse_shard_name(path);
  if (!shard || shard->count == 0)
    return std::vector<std::string>{path};
  if (shard->count > kMostShards)
    return Error{.code = ErrorCode::malformed_weights,
                 .message = fmt::format("{} shards are more than any model has", shard->count),
                 .location = {.file = path}};
  std::vector<std::string> paths;
  for (std::size_t i = 1; i <= shard->count; ++i) {
    paths.push_back(folder_of(path) + shard->other(i));
    if (!files.is_file(paths.back()))
      return Error{
          .code = ErrorCode::file_not_found,
          .message = fmt::format("shard {} of {} is missing: {}", i, shard->count, shard->other(i)),
          .location = {.file = paths.back()},
          .hint = "put all shards into one folder"};
  }
  return paths;
}

}  // namespace gpu_advisor::model
