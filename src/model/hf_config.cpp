#include <fmt/format.h>

#include "families/family_internal.hpp"
#include "hf_config_internal.hpp"

namespace gpu_advisor::model {
namespace {

using support::Error;
using support::ErrorCode;
using support::Result;
using support::Status;

/// The class that speaks for the file: the first of `architectures`, else diffusers' `_class_name`.
std::string class_of(const Config& config) {
  const std::vector<std::string> names = config.words("architectures");
  return !names.empty() && !names.front().empty() ? names.front()
                                                  : config.word_or({"_class_name"}, "");
}

units::DataType dtype_of(const Config& config) {
  std::string name = config.word_or({"torch_dtype", "dtype"}, "");
  for (const std::string_view key : {"text_config", "language_config"}) {
    const auto text = config.child(key);
    if (name.empty() && text) {
      name = text->word_or({"torch_dtype", "dtype"}, "");
    }
  }
  return units::parse_data_type(name).value_or(units::DataType::bf16);
}

std::optional<std::int64_t> context_of(const Config& config) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  const Config::Keys keys = {"max_position_embeddings", "n_positions", "max_seq_len", "seq_length",
                             "max_target_positions",    "n_ctx"};
  for (const std::string_view key : {"text_config", "language_config", "llm_config"}) {
    const auto text = config.child(key);
    if (text && text->has_any(keys)) {
      return text->entries_or(keys, 0, kMost);
    }
  }
  return config.has_any(keys) ? std::optional(config.entries_or(keys, 0, kMost)) : std::nullopt;
}

bool has_dimensions(const Config& config) {
  return config.has_any({"hidden_size", "n_embd", "n_embed", "d_model", "model_dim", "dim",
                         "block_out_channels", "text_config", "vision_config", "language_config",
                         "encoder", "llm_config", "num_attention_heads"});
}

Error no_model(const Config& config, const std::string& name) {
  const std::string what =
      name.empty() ? "it names no architecture" : fmt::format("\"{}\" is not known", name);
  return config.cursor().fail(ErrorCode::unsupported_model,
                              fmt::format("this is no model that can be sized: {}, and there are "
                                          "no dimensions",
                                          what),
                              "give the config.json of a model, or its dimensions");
}

void finish(const Config& config, ModelSpec& model) {
  model.default_dtype = dtype_of(config);
  model.max_context = context_of(config);
  model.quantisation = read_quantisation(config);
}

bool too_large(const Stack& stack, double& sum) {
  constexpr double kMost = 1e15;
  const auto count = [&sum](const Weight& w, double layers) {
    sum += layers * static_cast<double>(w.rows) * static_cast<double>(w.cols) *
           static_cast<double>(w.copies);
  };
  for (const Weight& weight : stack.outside) {
    count(weight, 1);
  }
  for (const LayerGroup& group : stack.layers) {
    for (const Weight& weight : group.weights) {
      count(weight, std::max(group.count, 1));
    }
  }
  return sum > kMost;
}

}  // namespace

support::Json as_text_encoder(support::Json json, std::string_view path) {
  if (path.find("text_encoder") == std::string_view::npos || !json.is_object() ||
      json.contains("architectures")) {
    return json;
  }
  const auto type = json.find("model_type");
  if (type != json.end() && *type == "t5") {
    json["architectures"] = support::Json::array({"T5EncoderModel"});
  }
  return json;
}

std::string without_python_numbers(std::string text) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      i += c == '\\' ? 1 : 0;
      quoted = c != '"';
      continue;
    }
    quoted = c == '"';
    for (const std::string_view word : {"-Infinity", "Infinity", "NaN"}) {
      if (std::string_view(text).substr(i).starts_with(word)) {
        text.replace(i, word.size(),
                     word == "NaN"        ? "null"
                     : word == "Infinity" ? "null    "
                                          : "null     ");
        break;
      }
    }
  }
  return text;
}

Status check_sizes(const ModelSpec& model, const std::string& file) {
  double sum = 0;
  for (const Stack& stack : model.stacks) {
    if (too_large(stack, sum)) {
      return Error{.code = ErrorCode::out_of_range,
                   .message = "the dimensions give more than 10^15 parameters",
                   .location = {.file = file}};
    }
  }
  return support::ok();
}

Result<ModelSpec> model_from_config(const support::Json& json, const std::string& file) {
  const Config config(support::JsonCursor(json, file));
  if (!json.is_object()) {
    return config.cursor().fail(ErrorCode::wrong_type, "expected an object");
  }
  const std::string class_name = class_of(config);
  const FamilyRow* row = find_family(class_name, config.word_or({"model_type"}, ""));
  if (row == nullptr && !has_dimensions(config)) {
    return no_model(config, class_name);
  }
  ModelSpec model;
  model.source = "hf-config";
  model.architecture_class = class_name;
  model.family = row != nullptr ? std::string(row->model_type.empty() ? row->base : row->model_type)
                                : config.word_or({"model_type"}, "");
  model.arch = row != nullptr ? row->arch : Arch::dense;
  model.modality = row != nullptr ? row->modality : "text";
  static const DecoderTraits kPlain;
  const FamilyInput input{.config = config,
                          .head = task_of(class_name),
                          .traits = row != nullptr ? row->traits : kPlain};
  (row != nullptr ? row->read : read_generic)(input, model);
  finish(config, model);
  if (config.problem()) {
    return *config.problem();
  }
  if (model.stacks.empty()) {
    return no_model(config, class_name);
  }
  GPU_ADVISOR_CHECKED(check_sizes(model, file));
  return model;
}

}  // namespace gpu_advisor::model
