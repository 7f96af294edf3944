#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "adapter_internal.hpp"
#include "checkpoint_weights_internal.hpp"
#include "gguf_model_internal.hpp"
#include "gpu_advisor/support/json.hpp"
#include "shards_internal.hpp"

namespace gpu_advisor::model {
namespace {

constexpr std::uint64_t kMostConfig = 1 << 20;  // bytes; real ones have one or two KB

/// The rank that most adapter matrices have: the smaller side of an A matrix.
std::int64_t usual_rank(const WeightHeader& header) {
  std::map<std::int64_t, int> ranks;
  for (const Tensor& tensor : header.tensors)
    if (is_adapter_name(tensor.name) && tensor.shape.size() >= 2)
      ++ranks[*std::ranges::min_element(tensor.shape.begin(), tensor.shape.begin() + 2)];
  const auto most = std::ranges::max_element(
      ranks, [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == ranks.end() ? 0 : most->first;
}

std::string base_of_metadata(const WeightHeader& header) {
  for (const auto& [key, value] : header.metadata)
    if (key == "ss_sd_model_name" || key == "ss_base_model_version" ||
        key == "base_model_name_or_path")
      return value;
  return "";
}

struct AdapterConfig {
  std::string base;  // base_model_name_or_path; empty: not said
  std::int64_t rank = 0;
};

/// PEFT's adapter_config.json beside the file, as far as it is there and tells.
AdapterConfig read_config(const support::FileSource& files, const std::string& path,
                          ModelSpec& spec) {
  const std::string config = folder_of(path) + "adapter_config.json";
  if (!files.is_file(config))
    return {};
  const auto text = files.read(config, kMostConfig);
  if (!text)
    return {};
  const auto json = support::parse_json(*text, config);
  if (!json) {
    spec.warnings.push_back("adapter_config.json beside it is not read: " + json.error().message);
    return {};
  }
  const support::JsonCursor cursor(*json, config);
  const auto base = cursor.optional_text("base_model_name_or_path");
  const auto rank = cursor.optional_integer("r");
  return {.base = base && *base ? **base : "", .rank = rank && *rank ? **rank : 0};
}

}  // namespace

bool is_adapter(const WeightHeader& header) {
  return std::ranges::any_of(header.tensors,
                             [](const Tensor& tensor) { return is_adapter_name(tensor.name); });
}

ModelSpec adapter_model(const support::FileSource& files, const WeightHeader& header,
                        const std::string& path) {
  ModelSpec spec;
  spec.name = model_name_of(path);
  spec.family = kAdapterFamily;
  spec.source = "safetensors";
  spec.basis = ParameterBasis::stored;
  spec.modality = "text";
  spec.warnings = header.warnings;
  spec.stored = summarise(header.tensors);
  const AdapterConfig config = read_config(files, path, spec);
  const std::string base = config.base.empty() ? base_of_metadata(header) : config.base;
  const std::int64_t stored_rank = usual_rank(header);
  const std::int64_t rank = stored_rank > 0 ? stored_rank : config.rank;
  spec.assumptions.push_back(fmt::format("this is a LoRA adapter of rank {} for {}", rank,
                                         base.empty() ? "a base that it does not name" : base));
  Stack stack{.role = StackRole::other, .name = "adapter"};
  for (const Tensor& tensor : header.tensors) {
    const std::int64_t rows = tensor.shape.empty() ? 1 : tensor.shape.front();
    stack.outside.push_back({.rows = rows, .cols = rows > 0 ? tensor.elements / rows : 0});
  }
  spec.stacks.push_back(std::move(stack));
  return spec;
}

}  // namespace gpu_advisor::model
