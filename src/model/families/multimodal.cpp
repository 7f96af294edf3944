#include <array>

#include "multimodal_internal.hpp"

namespace gpu_advisor::model {
namespace {

/// Nested configs go this deep at most (a thinker inside an omni model).
constexpr int kMostNesting = 3;

const std::array<std::string_view, 4> kTextKeys = {"text_config", "language_config", "llm_config",
                                                   "thinker_config"};

void read_text(const Config& config, const FamilyInput& whole, ModelSpec& model, int depth) {
  for (const std::string_view key : kTextKeys) {
    const auto text = config.child(key);
    if (text && text->has_any({"hidden_size", "n_embd", "d_model", "text_config"})) {
      if (depth < kMostNesting) {
        read_text(*text, whole, model, depth + 1);
      }
      return;
    }
  }
  const std::vector<std::string> names = config.words("architectures");
  const FamilyRow* row =
      find_text_family(names.empty() ? "" : names.front(), config.word_or({"model_type"}, ""));
  // A text part of a type of its own is a decoder with the traits of the whole family.
  const FamilyInput input{
      .config = config, .head = whole.head, .traits = row != nullptr ? row->traits : whole.traits};
  if (row == nullptr) {
    read_plain_decoder(input, model);
    return;
  }
  row->read(input, model);
  if (row->arch != Arch::dense) {
    model.arch = row->arch;
  }
}

}  // namespace

void read_text_part(const FamilyInput& input, ModelSpec& model) {
  read_text(input.config, input, model, 0);
  // Whether the head is tied is told by the whole model's config where the text part is silent.
  if (!input.config.has("tie_word_embeddings") || model.stacks.empty()) {
    return;
  }
  for (const std::string_view key : kTextKeys) {
    const auto text = input.config.child(key);
    if (text && text->has("tie_word_embeddings")) {
      return;
    }
  }
  Stack& stack = model.stacks.front();
  stack.tied_embeddings = input.config.flag_or({"tie_word_embeddings"}, false);
  for (Weight& weight : stack.outside) {
    if (weight.role == Role::head) {
      weight.tied = stack.tied_embeddings;
    }
  }
}

std::int64_t text_width(const ModelSpec& model) {
  return model.stacks.empty() ? 0 : model.stacks.front().hidden;
}

std::optional<Config> vision_part(const FamilyInput& input, ModelSpec& model) {
  auto vision = input.config.child("vision_config");
  if (!vision || !vision->has_any({"hidden_size", "embed_dim", "depth", "vt_hidden_size"})) {
    model.assumptions.emplace_back(
        "the config describes no vision part; the text part alone is counted");
    return std::nullopt;
  }
  return vision;
}

/// Any other: text, and a tower of the usual kind with a two-layer projector.
void read_multimodal(const FamilyInput& input, ModelSpec& model) {
  read_text_part(input, model);
  const auto vision = vision_part(input, model);
  if (!vision) {
    return;
  }
  Stack stack = tower_stack(read_tower(*vision));
  const std::int64_t out = text_width(model);
  add_linear(stack, out, stack.hidden, true);
  add_linear(stack, out, out, true);
  model.stacks.push_back(std::move(stack));
  model.basis = ParameterBasis::inferred;
  model.assumptions.emplace_back("the vision part is read as a plain tower with a projector");
}

/// LLaVA (arXiv 2310.03744, section 3.3): CLIP tower, two-layer projector.
void read_llava(const FamilyInput& input, ModelSpec& model) {
  read_text_part(input, model);
  const auto vision = vision_part(input, model);
  if (!vision) {
    return;
  }
  Tower tower = read_tower(*vision);
  tower.class_token = true;
  tower.patch_bias = false;
  tower.outer_norms = 2;
  Stack stack = tower_stack(tower);
  const std::int64_t out = text_width(model);
  add_linear(stack, out, tower.hidden, true);
  add_linear(stack, out, out, true);
  model.stacks.push_back(std::move(stack));
}

/// Gemma 3: SigLIP tower, one projection after a norm.
void read_gemma3_vision(const FamilyInput& input, ModelSpec& model) {
  read_text_part(input, model);
  const auto vision = vision_part(input, model);
  if (!vision) {
    return;
  }
  Stack stack = tower_stack(read_tower(*vision));
  add_linear(stack, text_width(model), stack.hidden, false);
  add_vector(stack.outside, Role::norm, stack.hidden);
  model.stacks.push_back(std::move(stack));
}

/// Pixtral tower (RMSNorm, gated, no biases) with a merger of patches (Mistral Small 3.1 and
/// later).
void read_mistral3(const FamilyInput& input, ModelSpec& model) {
  read_text_part(input, model);
  const auto vision = vision_part(input, model);
  if (!vision) {
    return;
  }
  Tower tower = read_tower(*vision);
  AttentionShape& a = tower.layer.attention;
  a.query_bias = a.key_bias = a.value_bias = a.output_bias = false;
  tower.layer.ffn.gated = true;
  tower.layer.ffn.bias = false;
  tower.layer.norm_bias = tower.norm_bias = tower.patch_bias = false;
  tower.positions = 0;  // rotary
  Stack stack = tower_stack(tower);
  const std::int64_t out = text_width(model);
  const std::int64_t side =
      std::clamp<std::int64_t>(input.config.size_or({"spatial_merge_size"}, 2), 1, 64);
  const bool bias = input.config.flag_or({"multimodal_projector_bias"}, false);
  add_vector(stack.outside, Role::norm, tower.hidden);
  add_linear(stack, tower.hidden, tower.hidden * side * side, false);
  add_linear(stack, out, tower.hidden, bias);
  add_linear(stack, out, out, bias);
  model.stacks.push_back(std::move(stack));
}

/// Voxtral: Whisper's encoder, four frames joined, two linear layers.
void read_voxtral(const FamilyInput& input, ModelSpec& model) {
  read_text_part(input, model);
  const auto audio = input.config.child("audio_config");
  if (!audio) {
    model.assumptions.emplace_back("the config describes no audio part");
    return;
  }
  Stack stack = whisper_encoder(*audio);
  const std::int64_t out = text_width(model);
  add_linear(stack, out, audio->size_or({"intermediate_size"}, 4 * stack.hidden), false);
  add_linear(stack, out, out, false);
  model.stacks.push_back(std::move(stack));
}

/// LFM2-VL: SigLIP 2 tower; patches of a square are joined and pass two linear layers.
void read_lfm2_vl(const FamilyInput& input, ModelSpec& model) {
  const Config& config = input.config;
  read_text_part(input, model);
  const auto vision = vision_part(input, model);
  if (!vision) {
    return;
  }
  Stack stack = tower_stack(read_tower(*vision));
  const std::int64_t factor =
      std::clamp<std::int64_t>(config.size_or({"downsample_factor"}, 2), 1, 64);
  const std::int64_t joined = stack.hidden * factor * factor;
  const std::int64_t middle = config.size_or({"projector_hidden_size"}, text_width(model));
  const bool bias = config.flag_or({"projector_bias"}, true);
  if (config.flag_or({"projector_use_layernorm"}, true)) {
    add_vector(stack.outside, Role::norm, joined);
    add_vector(stack.outside, Role::bias, joined);
  }
  add_linear(stack, middle, joined, bias);
  add_linear(stack, text_width(model), middle, bias);
  model.stacks.push_back(std::move(stack));
}

}  // namespace gpu_advisor::model
