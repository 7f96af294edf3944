#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "checkpoint_layer_internal.hpp"
#include "checkpoint_model_internal.hpp"
#include "checkpoint_weights_internal.hpp"
#include "gguf_model_internal.hpp"
#include "gpu_advisor/units/data_type.hpp"
#include "placed_weight_internal.hpp"
#include "shards_internal.hpp"

namespace gpu_advisor::model {
namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

struct StackKind {
  std::string_view mark;  // in the name of the list of layers
  StackRole role;
  std::string_view name;
};
/// In order: the first mark that a name has decides.
constexpr std::array kStackKinds{StackKind{"vision", StackRole::vision, "vision tower"},
                                 StackKind{"visual", StackRole::vision, "vision tower"},
                                 StackKind{"vit", StackRole::vision, "vision tower"},
                                 StackKind{"audio", StackRole::audio, "audio tower"},
                                 StackKind{"text_encoder", StackRole::text_encoder, "text encoder"},
                                 StackKind{"transformer_blocks", StackRole::denoiser, "denoiser"},
                                 StackKind{"joint_blocks", StackRole::denoiser, "denoiser"},
                                 StackKind{"double_blocks", StackRole::denoiser, "denoiser"},
                                 StackKind{"single_blocks", StackRole::denoiser, "denoiser"},
                                 StackKind{"down_blocks", StackRole::denoiser, "denoiser"},
                                 StackKind{"up_blocks", StackRole::denoiser, "denoiser"},
                                 StackKind{"mid_blocks", StackRole::denoiser, "denoiser"},
                                 StackKind{"decoder", StackRole::decoder, "decoder"},
                                 StackKind{"encoder", StackRole::encoder, "encoder"},
                                 StackKind{"bert", StackRole::encoder, "encoder"}};

void name_stack(std::string_view prefix, Stack& stack) {
  const auto kind = std::ranges::find_if(
      kStackKinds, [prefix](const StackKind& known) { return has(prefix, known.mark); });
  stack.role = kind == kStackKinds.end() ? StackRole::decoder : kind->role;
  stack.name = kind == kStackKinds.end() ? "language model" : std::string(kind->name);
  if (stack.role != StackRole::decoder)
    for (LayerGroup& group : stack.layers)
      group.attention.causal = group.attention.cached = false;
}

void tie_head(Stack& stack) {
  const Weight* embedding = first_of(stack.outside, Role::token_embedding);
  if (stack.role != StackRole::decoder || embedding == nullptr ||
      first_of(stack.outside, Role::head) != nullptr)
    return;
  stack.tied_embeddings = true;
  stack.outside.push_back(
      {.role = Role::head, .rows = embedding->rows, .cols = embedding->cols, .tied = true});
}

Arch arch_of(const Stack& stack) {
  switch (stack.role) {
    case StackRole::vision:
      return Arch::vit;
    case StackRole::denoiser:
      return Arch::diffusion;
    case StackRole::encoder:
    case StackRole::text_encoder:
      return Arch::encoder;
    default:
      break;
  }
  const auto any = [&stack](auto test) { return std::ranges::any_of(stack.layers, test); };
  if (any([](const LayerGroup& group) { return group.attention.kind == AttentionKind::linear; }))
    return Arch::ssm_hybrid;
  if (any([](const LayerGroup& group) { return group.ffn.experts > 0; }))
    return Arch::moe;
  return stack.layers.empty() ? Arch::other : Arch::dense;
}

std::string modality_of(const ModelSpec& spec) {
  const bool sees = std::ranges::any_of(
      spec.stacks, [](const Stack& stack) { return stack.role == StackRole::vision; });
  switch (spec.arch) {
    case Arch::diffusion:
      return "diffusion";
    case Arch::vit:
      return "vision";
    case Arch::encoder:
      return "encoder";
    default:
      return sees ? "vision-language" : "text";
  }
}

void set_quantisation(const CheckpointWeights& weights, ModelSpec& spec) {
  const auto& types = spec.stored->bytes_by_type;
  const auto is = [&types](std::string_view name) {
    return std::ranges::any_of(types, [name](const auto& type) { return type.first == name; });
  };
  spec.default_dtype = is("BF16")  ? units::DataType::bf16
                       : is("F16") ? units::DataType::fp16
                                   : units::DataType::fp32;
  if (weights.method.empty())
    return;
  QuantisationInfo info{.method = weights.method,
                        .bits = static_cast<double>(weights.bits),
                        .canonical = {},
                        .kv_cache = {}};
  const std::string name = weights.method == "gptq" || weights.method == "awq"
                               ? fmt::format("{}-int{}", weights.method, weights.bits)
                           : weights.method == "bitsandbytes" ? "nf4"
                           : weights.method == "compressed-tensors"
                               ? fmt::format("w{}a16", weights.bits)
                               : weights.method;
  if (const auto known = units::find_quantisation(name))
    info.canonical = known->name;
  spec.quantisation = std::move(info);
}

/// Layers for multi-token prediction (DeepSeek-V3, Qwen 3.5) are in the file beside the model.
void split_draft(std::vector<PlacedWeight>& weights, ModelSpec& spec) {
  std::int64_t draft = 0;
  std::erase_if(weights, [&draft](const PlacedWeight& placed) {
    const bool is_draft =
        placed.place.stack.starts_with("mtp.") || placed.place.part.starts_with("mtp.");
    draft += is_draft ? placed.weight.elements() : 0;
    return is_draft;
  });
  if (draft > 0)
    spec.draft_parameters = draft;
}

}  // namespace

ModelSpec checkpoint_model(const WeightHeader& header, const std::string& path) {
  ModelSpec spec;
  spec.name = model_name_of(path);
  spec.source = "safetensors";
  spec.basis = ParameterBasis::stored;
  spec.warnings = header.warnings;
  spec.stored = summarise(header.tensors);
  CheckpointWeights weights = checkpoint_weights(header.tensors);
  set_quantisation(weights, spec);
  split_draft(weights.weights, spec);
  CheckpointLayers layers;
  BuiltStacks built = build_stacks(
      std::move(weights.weights),
      [&layers](int, const std::vector<Weight>& of_layer) { return layers.read(of_layer); });
  spec.stacks = std::move(built.stacks);
  for (std::size_t i = 0; i < spec.stacks.size(); ++i) {
    name_stack(built.stack_names[i], spec.stacks[i]);
    tie_head(spec.stacks[i]);
  }
  spec.arch = arch_of(spec.main());
  spec.modality = modality_of(spec);
  spec.assumptions.assign(layers.assumptions().begin(), layers.assumptions().end());
  if (spec.main().layers.empty()) {
    spec.stacks.front().role = StackRole::other;
    spec.stacks.front().name = "tensors";
    spec.family = kTensorsFamily;
    spec.warnings.emplace_back("no layers are recognised in the names of the tensors");
  } else {
    spec.assumptions.insert(spec.assumptions.begin(),
                            "structure from the names and shapes of the tensors");
  }
  return spec;
}

}  // namespace gpu_advisor::model
