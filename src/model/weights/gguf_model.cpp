#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "gguf_layer_internal.hpp"
#include "gguf_model_internal.hpp"
#include "gpu_advisor/units/data_type.hpp"
#include "placed_weight_internal.hpp"
#include "shards_internal.hpp"

namespace gpu_advisor::model {
namespace {

struct FileType {
  int id;
  std::string_view name;
};
/// enum llama_ftype (llama.cpp, include/llama.h).
constexpr std::array kFileTypes{
    FileType{0, "fp32"},     FileType{1, "fp16"},    FileType{2, "q4_0"},    FileType{3, "q4_1"},
    FileType{7, "q8_0"},     FileType{8, "q5_0"},    FileType{9, "q5_1"},    FileType{10, "q2_k"},
    FileType{11, "q3_k_s"},  FileType{12, "q3_k_m"}, FileType{13, "q3_k_l"}, FileType{14, "q4_k_s"},
    FileType{15, "q4_k_m"},  FileType{16, "q5_k_s"}, FileType{17, "q5_k_m"}, FileType{18, "q6_k"},
    FileType{19, "iq2_xxs"}, FileType{20, "iq2_xs"}, FileType{21, "q2_k_s"}, FileType{22, "iq3_xs"},
    FileType{23, "iq3_xxs"}, FileType{24, "iq1_s"},  FileType{25, "iq4_nl"}, FileType{26, "iq3_s"},
    FileType{27, "iq3_m"},   FileType{28, "iq2_s"},  FileType{29, "iq2_m"},  FileType{30, "iq4_xs"},
    FileType{31, "iq1_m"},   FileType{32, "bf16"},   FileType{36, "tq1_0"},  FileType{37, "tq2_0"},
    FileType{38, "mxfp4"}};

/// The weight of a tensor: GGUF matrices are out x in, joined experts one dimension more.
Weight weight_of(const Tensor& tensor, Role role) {
  Weight weight{.role = role};
  const std::size_t n = tensor.shape.size();
  weight.cols = n >= 2 ? tensor.shape[n - 1] : 1;
  weight.rows = n >= 2 ? tensor.shape[n - 2] : tensor.elements;
  weight.copies = 1;
  for (std::size_t i = 0; i + 2 < n; ++i)
    weight.copies *= tensor.shape[i];
  return weight;
}

struct Placement {
  std::vector<PlacedWeight> weights;
  std::int64_t draft = 0;  // elements of the layers for multi-token prediction
};

Placement place(const GgufHeader& header) {
  Placement placement;
  const std::int64_t blocks = header.field("block_count").value_or(0);
  const std::int64_t draft = header.field("nextn_predict_layers").value_or(0);
  for (const Tensor& tensor : header.weights.tensors) {
    if (tensor.elements == 0)
      continue;
    Place place = place_of_gguf_name(tensor.name);
    if (draft > 0 && draft < blocks && place.stack == "blk" && place.layer >= blocks - draft) {
      placement.draft += tensor.elements;
      continue;
    }
    const Role role = place.role;
    placement.weights.push_back({std::move(place), weight_of(tensor, role)});
  }
  return placement;
}

/// A vocabulary alone: the layers that the metadata describe, each with one weight of no size.
std::vector<PlacedWeight> bare_layers(const GgufHeader& header) {
  constexpr std::int64_t kMostLayers = 4096;
  const std::int64_t count = std::min(header.field("block_count").value_or(0), kMostLayers);
  std::vector<PlacedWeight> weights;
  for (int layer = 0; layer < count; ++layer)
    weights.push_back({.place = {.stack = "blk", .layer = layer, .part = {}}, .weight = {}});
  return weights;
}

void drop_bare(std::vector<Stack>& stacks) {
  for (Stack& stack : stacks)
    for (LayerGroup& group : stack.layers)
      std::erase_if(group.weights, [](const Weight& weight) { return weight.rows == 0; });
}

std::int64_t vocabulary(const GgufHeader& header) {
  if (const auto size = header.field("vocab_size"))
    return *size;
  const GgufValue* tokens = header.find("tokenizer.ggml.tokens");
  constexpr std::uint64_t kMost = 1 << 26;
  return tokens == nullptr ? 0 : static_cast<std::int64_t>(std::min(tokens->length, kMost));
}

void finish_main_stack(const GgufHeader& header, Stack& stack) {
  const bool causal = gguf_is_causal(header);
  stack.role = causal ? StackRole::decoder : StackRole::encoder;
  stack.name = causal ? "language model" : "encoder";
  if (stack.hidden == 0)
    stack.hidden = header.field("embedding_length").value_or(0);
  if (stack.vocab == 0)
    stack.vocab = vocabulary(header);
  const bool has_head = first_of(stack.outside, Role::head) != nullptr;
  const Weight* embedding = first_of(stack.outside, Role::token_embedding);
  if (!causal || has_head || embedding == nullptr)
    return;
  stack.tied_embeddings = true;
  stack.outside.push_back(
      {.role = Role::head, .rows = embedding->rows, .cols = embedding->cols, .tied = true});
}

void name_other_stack(const std::string& prefix, Stack& stack) {
  const bool audio = prefix.starts_with("a.");
  const bool vision = prefix.starts_with("v.");
  stack.role = vision ? StackRole::vision : audio ? StackRole::audio : StackRole::encoder;
  stack.name = vision ? "vision tower" : audio ? "audio tower" : "encoder";
  for (LayerGroup& group : stack.layers)
    group.attention.causal = group.attention.cached = false;
}

void set_quantisation(const GgufHeader& header, ModelSpec& spec) {
  const StoredWeights& stored = *spec.stored;
  if (stored.elements == 0)
    return;
  QuantisationInfo info{.method = "gguf", .canonical = {}, .kv_cache = {}};
  info.bits = 8 * stored.bytes.base() / static_cast<double>(stored.elements);
  const auto id = header.number("general.file_type");
  const auto type = std::ranges::find_if(
      kFileTypes, [&id](const FileType& known) { return id && *id == known.id; });
  std::string name =
      type != kFileTypes.end() ? std::string(type->name) : stored.bytes_by_type.front().first;
  if (const auto known = units::find_quantisation(name))
    info.canonical = known->name;
  spec.default_dtype = info.canonical == "bf16"   ? units::DataType::bf16
                       : info.canonical == "fp32" ? units::DataType::fp32
                                                  : units::DataType::fp16;
  if (info.canonical != "bf16" && info.canonical != "fp16" && info.canonical != "fp32")
    spec.quantisation = std::move(info);
}

Arch arch_of(const ModelSpec& spec) {
  const Stack& stack = spec.main();
  const auto any = [&stack](auto test) { return std::ranges::any_of(stack.layers, test); };
  if (any([](const LayerGroup& group) { return group.attention.state_elements > 0; }))
    return Arch::ssm_hybrid;
  if (any([](const LayerGroup& group) { return group.ffn.experts > 0; }))
    return Arch::moe;
  return stack.role == StackRole::vision    ? Arch::vit
         : stack.role == StackRole::encoder ? Arch::encoder
                                            : Arch::dense;
}

/// What the file is, where it is no model by itself.
void classify(const GgufHeader& header, ModelSpec& spec) {
  const std::string type = header.text("general.type");
  if (type == "adapter") {
    spec.family = kAdapterFamily;
    spec.assumptions.push_back(
        fmt::format("this is an adapter ({}) for a model of architecture {}",
                    header.text("adapter.type").empty() ? "lora" : header.text("adapter.type"),
                    header.architecture()));
  } else if (type == "mmproj" || header.architecture() == "clip") {
    spec.family = kProjectorFamily;
    spec.assumptions.emplace_back("this is the projector of a multimodal model, without the model");
  } else if (header.weights.tensors.empty()) {
    spec.family = kVocabularyFamily;
    spec.warnings.emplace_back(
        "the file holds metadata and a vocabulary alone, no weights: the layers are those that the "
        "metadata describe");
  } else if (spec.main().layers.empty()) {
    spec.family = kTensorsFamily;
  }
}

}  // namespace

ModelSpec gguf_model(const GgufHeader& header, const std::string& path) {
  ModelSpec spec;
  spec.name = header.text("general.name");
  if (spec.name.empty())
    spec.name = model_name_of(path);
  spec.family = header.architecture();
  spec.source = "gguf";
  spec.basis = ParameterBasis::stored;
  spec.license = header.text("general.license");
  spec.warnings = header.weights.warnings;
  spec.stored = summarise(header.weights.tensors);
  spec.max_context = header.field("context_length");
  Placement placed = place(header);
  if (placed.weights.empty())
    placed.weights = bare_layers(header);
  if (placed.draft > 0)
    spec.draft_parameters = placed.draft;
  const GgufLayers layers(header, spec.assumptions);
  BuiltStacks built = build_stacks(std::move(placed.weights),
                                   [&layers](int layer, const std::vector<Weight>& weights) {
                                     return layers.read(static_cast<std::size_t>(layer), weights);
                                   });
  spec.stacks = std::move(built.stacks);
  drop_bare(spec.stacks);
  for (std::size_t i = 0; i < spec.stacks.size(); ++i) {
    const std::string& prefix = built.stack_names[i];
    if (prefix == "blk" || prefix == "dec.blk" || prefix.empty())
      finish_main_stack(header, spec.stacks[i]);
    else
      name_other_stack(prefix, spec.stacks[i]);
  }
  spec.arch = arch_of(spec);
  spec.modality = spec.arch == Arch::vit       ? "vision"
                  : spec.arch == Arch::encoder ? "encoder"
                                               : "text";
  set_quantisation(header, spec);
  classify(header, spec);
  return spec;
}

}  // namespace gpu_advisor::model
