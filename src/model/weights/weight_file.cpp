#include "gpu_advisor/model/weight_file.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

#include "adapter_internal.hpp"
#include "checkpoint_model_internal.hpp"
#include "gguf_header_internal.hpp"
#include "gguf_model_internal.hpp"
#include "index_model_internal.hpp"
#include "safetensors_header_internal.hpp"
#include "shards_internal.hpp"

namespace gpu_advisor::model {
namespace {

using support::Error;
using support::ErrorCode;
using support::Result;

/// A file that begins so is no weight file that can be read, and why.
struct ForeignMagic {
  std::string_view bytes;
  std::string_view what;
  std::string_view hint;
};
constexpr std::array kForeign{
    ForeignMagic{"PK\x03\x04", "a PyTorch checkpoint (zip of pickles)",
                 "convert it to safetensors, or name its index file or config.json"},
    ForeignMagic{"\x80\x02", "a pickle", "convert it to safetensors, or name its config.json"},
    ForeignMagic{"lmgg", "a ggml file from before GGUF", "convert it to GGUF"},
    ForeignMagic{"fmgg", "a ggml file from before GGUF", "convert it to GGUF"},
    ForeignMagic{"tjgg", "a ggml file from before GGUF", "convert it to GGUF"},
    ForeignMagic{"algg", "a ggml adapter from before GGUF", "convert it to GGUF"}};

bool is_adapter_config(std::string_view path) {
  return path == "adapter_config.json" || path.ends_with("/adapter_config.json");
}

/// The adapter that an adapter_config.json describes: its weights lie beside it.
Result<ModelSpec> read_adapter(const support::FileSource& files, const std::string& path) {
  const std::string weights = folder_of(path) + "adapter_model.safetensors";
  WeightHeader header;
  if (files.is_file(weights)) {
    GPU_ADVISOR_TRY(header, read_safetensors_header(files, weights));
  } else {
    header.warnings.emplace_back("the adapter's weights do not lie beside its config");
  }
  return adapter_model(files, header, path);
}

Result<ModelSpec> read_safetensors(const support::FileSource& files, const std::string& path) {
  GPU_ADVISOR_TRY(const std::vector<std::string> paths, shard_paths(files, path));
  WeightHeader whole;
  for (const std::string& shard : paths) {
    GPU_ADVISOR_TRY(WeightHeader header, read_safetensors_header(files, shard));
    std::ranges::move(header.tensors, std::back_inserter(whole.tensors));
    std::ranges::move(header.metadata, std::back_inserter(whole.metadata));
    std::ranges::move(header.warnings, std::back_inserter(whole.warnings));
    if (whole.tensors.size() > kMostTensors)
      return Error{.code = ErrorCode::malformed_weights,
                   .message = "more tensors than any model has",
                   .location = {.file = shard}};
  }
  GPU_ADVISOR_CHECKED(check_unique(whole.tensors, path));
  if (is_adapter(whole))
    return adapter_model(files, whole, path);
  return checkpoint_model(whole, path);
}

/// Shards after the first repeat no metadata; the first says how many tensors there are in all.
Result<ModelSpec> read_gguf(const support::FileSource& files, const std::string& path) {
  GPU_ADVISOR_TRY(const std::vector<std::string> paths, shard_paths(files, path));
  GPU_ADVISOR_TRY(GgufHeader first, read_gguf_header(files, paths.front()));
  const auto count = first.number("split.count");
  if (count && *count > 1 && static_cast<double>(paths.size()) != *count)
    return Error{.code = ErrorCode::file_not_found,
                 .message = fmt::format("the file is one of {} shards, but its name is not that of "
                                        "a shard, so that the others cannot be found",
                                        *count),
                 .location = {.file = path},
                 .hint = "name the shards <name>-00001-of-<count>.gguf, as they were published"};
  for (std::size_t i = 1; i < paths.size(); ++i) {
    GPU_ADVISOR_TRY(GgufHeader shard, read_gguf_header(files, paths[i]));
    std::ranges::move(shard.weights.tensors, std::back_inserter(first.weights.tensors));
    for (const std::string& warning : shard.weights.warnings)
      first.weights.warnings.push_back(file_name_of(paths[i]) + ": " + warning);
    if (first.weights.tensors.size() > kMostTensors)
      return Error{.code = ErrorCode::malformed_weights,
                   .message = "more tensors than any model has",
                   .location = {.file = paths[i]}};
  }
  GPU_ADVISOR_CHECKED(check_unique(first.weights.tensors, path));
  const auto tensors = first.number("split.tensors.count");
  const auto found = static_cast<double>(first.weights.tensors.size());
  if (tensors && *tensors != found)
    return Error{
        .code = ErrorCode::malformed_weights,
        .message = fmt::format("the shards hold {} tensors, the first says {}", found, *tensors),
        .location = {.file = paths.front()}};
  return gguf_model(first, path);
}

/// Names of the sets of weight files in a folder: one name for all shards of a set.
std::vector<std::string> sets_in(const std::vector<std::string>& names, std::string_view ending) {
  std::map<std::string, std::string> sets;
  for (const std::string& name : names) {
    if (!name.ends_with(ending) || name.starts_with("mmproj"))
      continue;
    const auto shard = parse_shard_name(name);
    sets.emplace(shard ? shard->stem : name, name);
  }
  std::vector<std::string> result;
  for (const auto& [key, name] : sets)
    result.push_back(name);
  return result;
}

/// The file that stands for a folder's weights; empty when there is none.
Result<std::string> weights_of(const std::vector<std::string>& names, const std::string& folder) {
  constexpr std::array<std::string_view, 5> kUsual{
      "model.safetensors.index.json", "diffusion_pytorch_model.safetensors.index.json",
      "model.safetensors", "diffusion_pytorch_model.safetensors", "pytorch_model.bin.index.json"};
  for (const std::string_view usual : kUsual)
    if (std::ranges::find(names, usual) != names.end())
      return std::string(usual);
  for (const std::string_view ending : {".safetensors.index.json", ".safetensors", ".gguf"}) {
    const std::vector<std::string> sets = sets_in(names, ending);
    if (sets.size() == 1)
      return sets.front();
    if (sets.size() > 1)
      return Error{.code = ErrorCode::ambiguous_name,
                   .message = fmt::format("the folder holds {} sets of weights, {} and {} among "
                                          "them",
                                          sets.size(), sets[0], sets[1]),
                   .location = {.file = folder},
                   .hint = "name one of the files"};
  }
  return std::string();
}

Error not_sizable(const ModelSpec& spec, std::string message, std::string hint) {
  return {.code = ErrorCode::unsupported_model,
          .message = spec.name + ": " + std::move(message),
          .hint = std::move(hint)};
}

}  // namespace

bool is_weight_file_name(std::string_view path) {
  return path.ends_with(".safetensors") || path.ends_with(".gguf") ||
         path.ends_with(".safetensors.index.json") || path.ends_with(".bin.index.json");
}

Result<ModelSpec> read_weight_file(const support::FileSource& files, const std::string& path) {
  if (is_adapter_config(path))
    return read_adapter(files, path);
  if (path.ends_with(".json"))
    return index_model(files, path);
  constexpr std::uint64_t kMagic = 4;
  GPU_ADVISOR_TRY(const std::string start, files.read_range(path, 0, kMagic));
  if (start == "GGUF" || path.ends_with(".gguf"))
    return read_gguf(files, path);
  for (const ForeignMagic& foreign : kForeign)
    if (start.starts_with(foreign.bytes) && !path.ends_with(".safetensors"))
      return Error{.code = ErrorCode::unsupported_model,
                   .message = fmt::format("this is {}, which is not read", foreign.what),
                   .location = {.file = path, .offset = 0},
                   .hint = std::string(foreign.hint)};
  return read_safetensors(files, path);
}

Result<std::optional<ModelSpec>> read_weight_folder(const support::FileSource& files,
                                                    const std::string& folder) {
  GPU_ADVISOR_TRY(const std::vector<std::string> names, files.list(folder));
  GPU_ADVISOR_TRY(const std::string name, weights_of(names, folder));
  if (name.empty())
    return std::optional<ModelSpec>{};
  const std::string base = folder.ends_with('/') ? folder : folder + "/";
  GPU_ADVISOR_TRY(ModelSpec spec, read_weight_file(files, base + name));
  return std::optional<ModelSpec>(std::move(spec));
}

support::Status check_sizable(const ModelSpec& spec) {
  if (spec.family == kAdapterFamily)
    return not_sizable(spec,
                       spec.assumptions.empty() ? "this is an adapter" : spec.assumptions.front(),
                       "name its base model instead");
  if (spec.family == kVocabularyFamily)
    return not_sizable(spec, "the file holds a vocabulary alone, no weights",
                       "name the model itself, or a file with its weights");
  if (spec.family == kProjectorFamily)
    return not_sizable(spec, "the file holds the projector of a multimodal model alone",
                       "name the language model's file");
  if (spec.family == kTensorsFamily || spec.stacks.empty() || spec.parameters() <= 0)
    return not_sizable(spec, "no model can be recognised in the file",
                       "name the model's config.json, or give --params");
  return support::ok();
}

}  // namespace gpu_advisor::model
