#include "gpu_advisor/render/present/model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

#include "gpu_advisor/render/present/format.hpp"
#include "gpu_advisor/units/data_type.hpp"
#include "gpu_advisor/units/parse.hpp"

namespace gpu_advisor::render {
namespace {

using Json = nlohmann::ordered_json;
using model::ModelSpec;

constexpr std::array<std::string_view, 9> kArchs{
    "dense", "moe", "encoder", "cnn", "vit", "diffusion", "ssm-hybrid", "asr", "other"};
constexpr std::array<std::string_view, 4> kBases{"exact", "stored", "published", "inferred"};

std::string_view component_of(const ops::Operation& op) {
  switch (op.kind) {
    case ops::OpKind::embedding:
      return "embedding";
    case ops::OpKind::head:
      return "head";
    case ops::OpKind::norm:
      return "norm";
    case ops::OpKind::router:
      return "router";
    case ops::OpKind::expert:
      return "experts";
    case ops::OpKind::convolution:
      return "convolution";
    case ops::OpKind::aggregate:
      return "network";
    default:
      break;
  }
  using model::Role;
  switch (op.role) {
    case Role::query:
    case Role::key:
    case Role::value:
    case Role::fused_qkv:
    case Role::attention_output:
    case Role::latent_down:
    case Role::latent_up:
    case Role::cross_attention:
    case Role::indexer:
      return "attention";
    case Role::gate:
    case Role::up:
    case Role::fused_gate_up:
    case Role::down:
      return "feed_forward";
    case Role::shared_expert:
      return "shared_experts";
    case Role::state_projection:
    case Role::state_other:
      return "state";
    default:
      return "other";
  }
}

/// Parameters by component; those of other stacks under the stack's name.
std::vector<std::pair<std::string, std::int64_t>> components(const ModelSpec& model,
                                                             const ops::OperationList& operations) {
  std::map<std::string, std::int64_t> sums;
  for (const ops::Operation& op : operations.operations) {
    const std::string prefix =
        op.stack == 0 ? "" : model.stacks[static_cast<std::size_t>(op.stack)].name + ": ";
    sums[prefix + std::string(component_of(op))] += op.parameters * op.layers;
  }
  std::erase_if(sums, [](const auto& entry) { return entry.second == 0; });
  return {sums.begin(), sums.end()};
}

struct Dimensions {
  int layers = 0, heads = 0, kv_heads = 0, head_dim = 0, experts = 0, top_k = 0;
  std::int64_t ffn = 0;
};

Dimensions dimensions_of(const ModelSpec& model) {
  Dimensions result;
  result.layers = model.main().layer_count();
  for (const model::LayerGroup& group : model.main().layers) {
    result.heads = std::max(result.heads, group.attention.heads);
    result.kv_heads = std::max(result.kv_heads, group.attention.kv_heads);
    result.head_dim = std::max(result.head_dim, group.attention.key_dim);
    result.experts = std::max(result.experts, group.ffn.experts);
    result.top_k = std::max(result.top_k, group.ffn.top_k);
    result.ffn = std::max(result.ffn, group.ffn.hidden);
  }
  return result;
}

Json positive(std::int64_t value) {
  return value > 0 ? Json(value) : Json(nullptr);
}

/// Weights in each format: matrices, embeddings and head as the format treats them.
double bytes_in(const ops::OperationList& operations, const units::Quantisation& quant) {
  double bytes = 0;
  for (const ops::Operation& op : operations.operations) {
    const double parameters = static_cast<double>(op.parameters) * op.layers;
    const bool matrix = op.out_features > 1 && op.in_features > 1;
    const bool embedding = op.kind == ops::OpKind::embedding, head = op.kind == ops::OpKind::head;
    double bits = quant.bits_others;
    if (head)
      bits = quant.bits_head;
    else if (embedding)
      bits = quant.embeddings_quantised ? quant.bits_per_weight : quant.bits_others;
    else if (matrix || op.kind == ops::OpKind::aggregate)
      bits = quant.bits_per_weight;
    bytes += parameters * bits / 8;
  }
  return bytes;
}

constexpr std::array<std::string_view, 8> kShownFormats{"fp32",   "bf16",     "fp8", "q8_0",
                                                        "q4_k_m", "awq-int4", "nf4", "nvfp4"};

Json quantisation_json(const ModelSpec& model) {
  if (!model.quantisation)
    return nullptr;
  const model::QuantisationInfo& info = *model.quantisation;
  Json json = {{"method", info.method}, {"bits", info.bits}};
  if (info.group_size)
    json["group_size"] = *info.group_size;
  if (!info.canonical.empty())
    json["format"] = info.canonical;
  return json;
}

}  // namespace

std::string model_json(const ModelSpec& model, const ops::OperationList& operations) {
  const Dimensions dims = dimensions_of(model);
  Json json = {{"schema", "gpu-advisor/model@1"},
               {"name", model.name},
               {"arch", kArchs[static_cast<std::size_t>(model.arch)]},
               {"architecture_class", model.architecture_class},
               {"source", model.source},
               {"params_total", model.parameters()},
               {"params_active", std::llround(model.active_parameters())},
               {"params_basis", kBases[static_cast<std::size_t>(model.basis)]},
               {"params_by_component", Json::object()}};
  for (const auto& [name, count] : components(model, operations))
    json["params_by_component"][name] = count;
  if (model.stored) {
    json["tensor_count"] = model.stored->tensors;
    json["tensor_bytes"] = static_cast<std::int64_t>(model.stored->bytes.base());
    json["tensor_elements"] = model.stored->elements;
    json["tensor_bytes_by_type"] = Json::object();
    for (const auto& [type, bytes] : model.stored->bytes_by_type)
      json["tensor_bytes_by_type"][type] = bytes;
  }
  json["quantisation"] = quantisation_json(model);
  json["kv_bytes_per_token"] = 2 * model.cache_elements_per_token();
  json["max_context"] = model.max_context ? Json(*model.max_context) : Json(nullptr);
  json["layers"] = positive(dims.layers);
  json["hidden"] = positive(model.main().hidden);
  json["heads"] = positive(dims.heads);
  json["kv_heads"] = positive(dims.kv_heads);
  json["head_dim"] = positive(dims.head_dim);
  json["ffn_hidden"] = positive(dims.ffn);
  json["vocab"] = positive(model.main().vocab);
  json["experts"] = positive(dims.experts);
  json["top_k"] = positive(dims.top_k);
  json["flops_per_token_forward"] = operations.forward_flops_per_token(0);
  json["flops_per_token_training"] = 3 * operations.forward_flops_per_token(0);
  json["bytes_by_format"] = Json::object();
  for (const std::string_view format : kShownFormats)
    if (const auto quant = units::find_quantisation(format))
      json["bytes_by_format"][std::string(format)] =
          static_cast<std::int64_t>(bytes_in(operations, *quant));
  json["assumptions"] = model.assumptions;
  json["warnings"] = model.warnings;
  return json.dump(1) + "\n";
}

Document model_document(const ModelSpec& model, const ops::OperationList& operations,
                        Language language) {
  const Dimensions dims = dimensions_of(model);
  Document document;
  document.title = model.name;
  Facts facts{.title = "", .rows = {}};
  const auto add = [&facts, language](std::string_view key, std::string value) {
    if (!value.empty())
      facts.rows.emplace_back(text(key, language), Cell{.text = std::move(value)});
  };
  add("model.class", model.architecture_class);
  add("model.source", model.source);
  add("column.parameters", fmt::format("{} ({}, {})", model.parameters(),
                                       units::print_count(static_cast<double>(model.parameters())),
                                       kBases[static_cast<std::size_t>(model.basis)]));
  if (model.active_parameters() < static_cast<double>(model.parameters()))
    add("column.active", units::print_count(model.active_parameters()));
  if (dims.layers > 0)
    add("model.shape", fmt::format("{} layers x {}, {} heads / {} KV heads x {}, vocabulary {}",
                                   dims.layers, model.main().hidden, dims.heads, dims.kv_heads,
                                   dims.head_dim, model.main().vocab));
  if (dims.experts > 0)
    add("model.experts", fmt::format("{} of {}", dims.top_k, dims.experts));
  if (model.cache_elements_per_token() > 0) {
    const double per_token = 2.0 * static_cast<double>(model.cache_elements_per_token());
    add("model.kv", fmt::format("{} per token", units::print_memory(units::bytes(per_token))));
    if (model.max_context)
      add("model.kv_full", fmt::format("{} at {} tokens",
                                       units::print_memory(units::bytes(
                                           per_token * static_cast<double>(*model.max_context))),
                                       *model.max_context));
  }
  if (operations.forward_flops_per_token(0) > 0)
    add("model.flops", fmt::format("{} forward, {} training",
                                   units::print_count(operations.forward_flops_per_token(0)),
                                   units::print_count(3 * operations.forward_flops_per_token(0))));
  if (model.stored)
    add("model.stored", fmt::format("{} tensors, {}", model.stored->tensors,
                                    units::print_memory(model.stored->bytes)));
  if (model.quantisation)
    add("model.quantisation",
        fmt::format("{}, {} bits", model.quantisation->method, model.quantisation->bits));
  document.sections.emplace_back(std::move(facts));
  Table parts{.title = std::string(text("model.components", language)), .columns = {}, .rows = {}};
  parts.columns = {
      {"component", std::string(text("column.part", language)), Align::left, 0},
      {"parameters", std::string(text("column.parameters", language)), Align::right, 0}};
  for (const auto& [name, count] : components(model, operations))
    parts.rows.push_back(
        {.cells = {{name},
                   {units::print_count(static_cast<double>(count)), std::to_string(count)}}});
  document.sections.emplace_back(std::move(parts));
  Table formats{.title = std::string(text("model.formats", language)), .columns = {}, .rows = {}};
  formats.columns = {{"format", std::string(text("column.format", language)), Align::left, 0},
                     {"gib", "GiB", Align::right, 0}};
  for (const std::string_view format : kShownFormats)
    if (const auto quant = units::find_quantisation(format))
      formats.rows.push_back(
          {.cells = {{std::string(format)},
                     {short_number(bytes_in(operations, *quant) / units::gib(1).base())}}});
  document.sections.emplace_back(std::move(formats));
  if (!model.warnings.empty())
    document.sections.emplace_back(Notes{.title = std::string(text("recommend.warnings", language)),
                                         .tone = Tone::warn,
                                         .bullets = true,
                                         .lines = model.warnings});
  if (!model.assumptions.empty())
    document.sections.emplace_back(
        Notes{.title = std::string(text("recommend.assumptions", language)),
              .tone = Tone::muted,
              .bullets = true,
              .lines = model.assumptions});
  return document;
}

}  // namespace gpu_advisor::render
