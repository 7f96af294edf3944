#include "gpu_advisor/model/reader.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "diffusers_internal.hpp"
#include "gpu_advisor/model/weight_file.hpp"
#include "gpu_advisor/support/json.hpp"
#include "gpu_advisor/support/text.hpp"
#include "hf_config_internal.hpp"
#include "structure_internal.hpp"

namespace gpu_advisor::model {

namespace {

using support::Error;
using support::ErrorCode;
using support::FileSource;
using support::Json;
using support::Result;

std::string join(const std::string& folder, std::string_view name) {
  return folder.empty() || folder.back() == '/' ? folder + std::string(name)
                                                : folder + "/" + std::string(name);
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

std::string last_part(std::string path) {
  while (path.size() > 1 && path.back() == '/') {
    path.pop_back();
  }
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

Result<Json> read_json(const FileSource& files, const std::string& path) {
  GPU_ADVISOR_TRY(std::string text, files.read(path, kMostConfigBytes));
  return support::parse_json(without_python_numbers(std::move(text)), path);
}

/// Quantisation that a tool wrote into a file of its own: in the folder, or beside a config that is
/// not called config.json.
void read_beside(const FileSource& files, const std::string& config_path, ModelSpec& model) {
  std::string stem = config_path;
  if (stem.ends_with(".json")) {
    stem.resize(stem.size() - std::string_view(".json").size());
  }
  const std::string folder = folder_of(config_path);
  const std::array<std::string, 4> candidates = {
      join(folder, "hf_quant_config.json"), stem + ".hf_quant_config.json",
      join(folder, "quantize_config.json"), stem + ".quantize_config.json"};
  for (const std::string& path : candidates) {
    if (model.quantisation || !files.is_file(path)) {
      continue;
    }
    const auto json = read_json(files, path);
    if (!json) {
      model.warnings.push_back(json.error().to_text());
      continue;
    }
    model.quantisation = read_side_quantisation(Config(support::JsonCursor(*json, path)));
  }
}

/// A config and what weight files in its folder tell about bytes.
Result<ModelSpec> read_config_file(const FileSource& files, const std::string& path) {
  GPU_ADVISOR_TRY(const Json json, read_json(files, path));
  GPU_ADVISOR_TRY(ModelSpec model, model_from_config(json, path));
  read_beside(files, path, model);
  return model;
}

/// What weight files in the folder of a config tell about bytes.
void add_stored(const FileSource& files, const std::string& folder, ModelSpec& model) {
  const auto weights = read_weight_folder(files, folder);
  if (!weights) {
    model.warnings.push_back(weights.error().to_text());
    return;
  }
  if (!*weights) {
    return;
  }
  model.stored = (*weights)->stored;
  if (!model.quantisation) {
    model.quantisation = (*weights)->quantisation;
  }
}

/// sentence-transformers: modules.json names the parts; the first is the encoder, dense layers
/// after it have configs of their own.
Result<ModelSpec> read_sentence_folder(const FileSource& files, const std::string& folder) {
  GPU_ADVISOR_TRY(ModelSpec model, read_config_file(files, join(folder, "config.json")));
  GPU_ADVISOR_TRY(const Json modules, read_json(files, join(folder, "modules.json")));
  model.modality = "embedding";
  model.source = "sentence-transformers";
  constexpr std::size_t kMostModules = 64;
  if (!modules.is_array() || modules.size() > kMostModules) {
    return Error{.code = ErrorCode::wrong_type,
                 .message = "expected a list of modules",
                 .location = {.file = join(folder, "modules.json")}};
  }
  for (const Json& module : modules) {
    const Config config(support::JsonCursor(module, join(folder, "modules.json")));
    if (!config.word_or({"type"}, "").ends_with(".Dense")) {
      continue;
    }
    const std::string part = config.word_or({"path"}, "");
    if (part.find('/') != std::string::npos || part.find("..") != std::string::npos) {
      return config.cursor().fail(ErrorCode::out_of_range, "expected the name of a folder here");
    }
    const std::string path = join(join(folder, part), "config.json");
    GPU_ADVISOR_TRY(const Json dense_json, read_json(files, path));
    const Config dense(support::JsonCursor(dense_json, path));
    add_matrix(model.stacks.front().outside, Role::pooler, dense.size({"out_features"}),
               dense.size({"in_features"}), dense.flag_or({"bias"}, true));
    if (dense.problem()) {
      return *dense.problem();
    }
  }
  GPU_ADVISOR_CHECKED(check_sizes(model, folder));
  return model;
}

Result<ModelSpec> read_folder(const FileSource& files, const std::string& folder) {
  if (files.is_file(join(folder, "model_index.json"))) {
    return read_pipeline(files, folder);
  }
  const bool config = files.is_file(join(folder, "config.json"));
  if (config) {
    const bool sentences = files.is_file(join(folder, "modules.json"));
    GPU_ADVISOR_TRY(ModelSpec model, sentences
                                         ? read_sentence_folder(files, folder)
                                         : read_config_file(files, join(folder, "config.json")));
    add_stored(files, folder, model);
    return model;
  }
  if (files.is_file(join(folder, "adapter_config.json"))) {
    return read_weight_file(files, join(folder, "adapter_config.json"));
  }
  GPU_ADVISOR_TRY(auto weights, read_weight_folder(files, folder));
  if (weights) {
    return std::move(*weights);
  }
  return Error{.code = ErrorCode::unsupported_model,
               .message = "the folder holds neither a config.json nor weights",
               .location = {.file = folder},
               .hint = "expected config.json, model_index.json, .safetensors or .gguf"};
}

Result<ModelSpec> read_file(const FileSource& files, const std::string& path) {
  const std::string name = last_part(path);
  if (!name.ends_with(".json") || is_weight_file_name(name) || name == "adapter_config.json") {
    return read_weight_file(files, path);
  }
  GPU_ADVISOR_TRY(const Json json, read_json(files, path));
  if (json.is_object() && json.contains("weight_map")) {
    return read_weight_file(files, path);
  }
  if (name == "model_index.json") {
    return read_pipeline(files, folder_of(path));
  }
  GPU_ADVISOR_TRY(ModelSpec model, model_from_config(as_text_encoder(json, path), path));
  read_beside(files, path, model);
  return model;
}

}  // namespace

Result<ModelSpec> read_model(const FileSource& files, const std::string& path) {
  const bool folder = files.is_folder(path);
  if (!folder && !files.is_file(path) && path != "-") {
    return Error{.code = ErrorCode::file_not_found,
                 .message = "no such file or folder",
                 .location = {.file = path}};
  }
  GPU_ADVISOR_TRY(ModelSpec model, folder ? read_folder(files, path) : read_file(files, path));
  if (model.name.empty()) {
    std::string name = last_part(path);
    const bool plain = name == "config.json" || name == "model_index.json";
    const std::string parent = last_part(folder_of(path));
    model.name = plain && !parent.empty() ? parent : name;
  }
  return model;
}

bool looks_like_path(const FileSource& files, std::string_view text) {
  if (text.empty()) {
    return false;
  }
  for (const std::string_view ending : {".json", ".gguf", ".safetensors"}) {
    if (text.ends_with(ending)) {
      return true;
    }
  }
  if (text.starts_with("./") || text.starts_with("../") || text.starts_with("/")) {
    return true;
  }
  const std::string path(text);
  return files.is_file(path) || files.is_folder(path);
}

}  // namespace gpu_advisor::model
