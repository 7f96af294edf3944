#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "gpu_advisor/support/text.hpp"
#include "placed_weight_internal.hpp"

namespace gpu_advisor::model {
namespace {

struct RoleName {
  std::string_view name;
  Role role;
};

/// The last module of a tensor's name in Hugging Face checkpoints, across families.
constexpr std::array kCheckpointRoles{RoleName{"q_proj", Role::query},
                                      RoleName{"query_proj", Role::query},
                                      RoleName{"q_lin", Role::query},
                                      RoleName{"query", Role::query},
                                      RoleName{"wq", Role::query},
                                      RoleName{"to_q", Role::query},
                                      RoleName{"q", Role::query},
                                      RoleName{"k_proj", Role::key},
                                      RoleName{"key_proj", Role::key},
                                      RoleName{"k_lin", Role::key},
                                      RoleName{"key", Role::key},
                                      RoleName{"wk", Role::key},
                                      RoleName{"to_k", Role::key},
                                      RoleName{"k", Role::key},
                                      RoleName{"v_proj", Role::value},
                                      RoleName{"value_proj", Role::value},
                                      RoleName{"v_lin", Role::value},
                                      RoleName{"value", Role::value},
                                      RoleName{"wv", Role::value},
                                      RoleName{"to_v", Role::value},
                                      RoleName{"v", Role::value},
                                      RoleName{"qkv_proj", Role::fused_qkv},
                                      RoleName{"query_key_value", Role::fused_qkv},
                                      RoleName{"c_attn", Role::fused_qkv},
                                      RoleName{"Wqkv", Role::fused_qkv},
                                      RoleName{"qkv", Role::fused_qkv},
                                      RoleName{"att_proj", Role::fused_qkv},
                                      RoleName{"W_pack", Role::fused_qkv},
                                      RoleName{"o_proj", Role::attention_output},
                                      RoleName{"out_lin", Role::attention_output},
                                      RoleName{"attn_out", Role::attention_output},
                                      RoleName{"to_out", Role::attention_output},
                                      RoleName{"o", Role::attention_output},
                                      RoleName{"q_a_proj", Role::latent_down},
                                      RoleName{"kv_a_proj_with_mqa", Role::latent_down},
                                      RoleName{"q_b_proj", Role::latent_up},
                                      RoleName{"kv_b_proj", Role::latent_up},
                                      RoleName{"gate_proj", Role::gate},
                                      RoleName{"w1", Role::gate},
                                      RoleName{"wi_0", Role::gate},
                                      RoleName{"up_proj", Role::up},
                                      RoleName{"w3", Role::up},
                                      RoleName{"wi_1", Role::up},
                                      RoleName{"wi", Role::up},
                                      RoleName{"c_fc", Role::up},
                                      RoleName{"fc1", Role::up},
                                      RoleName{"fc_in", Role::up},
                                      RoleName{"lin1", Role::up},
                                      RoleName{"dense_h_to_4h", Role::up},
                                      RoleName{"gate_up_proj", Role::fused_gate_up},
                                      RoleName{"ff_proj", Role::fused_gate_up},
                                      RoleName{"down_proj", Role::down},
                                      RoleName{"w2", Role::down},
                                      RoleName{"fc2", Role::down},
                                      RoleName{"fc_out", Role::down},
                                      RoleName{"lin2", Role::down},
                                      RoleName{"ff_out", Role::down},
                                      RoleName{"dense_4h_to_h", Role::down},
                                      RoleName{"router", Role::router},
                                      RoleName{"lm_head", Role::head},
                                      RoleName{"embed_out", Role::head},
                                      RoleName{"embed_tokens", Role::token_embedding},
                                      RoleName{"wte", Role::token_embedding},
                                      RoleName{"word_embeddings", Role::token_embedding},
                                      RoleName{"tok_embeddings", Role::token_embedding},
                                      RoleName{"embed_in", Role::token_embedding},
                                      RoleName{"shared", Role::token_embedding},
                                      RoleName{"wpe", Role::position_embedding},
                                      RoleName{"position_embeddings", Role::position_embedding},
                                      RoleName{"embed_positions", Role::position_embedding},
                                      RoleName{"position_embedding", Role::position_embedding}};

/// Names that mean one thing in an attention block, another in a feed-forward block.
struct TwoRoles {
  std::string_view name;
  Role in_attention, elsewhere;
};
constexpr std::array kTwoRoles{TwoRoles{"dense", Role::attention_output, Role::up},
                               TwoRoles{"c_proj", Role::attention_output, Role::down},
                               TwoRoles{"out_proj", Role::attention_output, Role::other},
                               TwoRoles{"wo", Role::attention_output, Role::down},
                               TwoRoles{"gate", Role::other, Role::router}};

/// llama.cpp's names without ".weight".
constexpr std::array kGgufRoles{RoleName{"attn_q", Role::query},
                                RoleName{"attn_k", Role::key},
                                RoleName{"attn_v", Role::value},
                                RoleName{"attn_qkv", Role::fused_qkv},
                                RoleName{"attn_output", Role::attention_output},
                                RoleName{"attn_out", Role::attention_output},
                                RoleName{"attn_o", Role::attention_output},
                                RoleName{"attn_q_a", Role::latent_down},
                                RoleName{"attn_kv_a_mqa", Role::latent_down},
                                RoleName{"attn_q_b", Role::latent_up},
                                RoleName{"attn_kv_b", Role::latent_up},
                                RoleName{"attn_k_b", Role::latent_up},
                                RoleName{"attn_v_b", Role::latent_up},
                                RoleName{"ffn_gate", Role::gate},
                                RoleName{"ffn_up", Role::up},
                                RoleName{"ffn_down", Role::down},
                                RoleName{"ffn_gate_inp", Role::router},
                                RoleName{"ffn_gate_exps", Role::expert_gate},
                                RoleName{"ffn_gate_up_exps", Role::expert_gate},
                                RoleName{"ffn_up_exps", Role::expert_up},
                                RoleName{"ffn_down_exps", Role::expert_down},
                                RoleName{"ffn_gate_shexp", Role::shared_expert},
                                RoleName{"ffn_up_shexp", Role::shared_expert},
                                RoleName{"ffn_down_shexp", Role::shared_expert},
                                RoleName{"ffn_gate_inp_shexp", Role::shared_expert},
                                RoleName{"ssm_in", Role::state_projection},
                                RoleName{"ssm_out", Role::state_projection},
                                RoleName{"ssm_x", Role::state_projection},
                                RoleName{"ssm_dt", Role::state_projection},
                                RoleName{"ssm_ba", Role::state_projection},
                                RoleName{"ssm_beta_alpha", Role::state_projection},
                                RoleName{"token_embd", Role::token_embedding},
                                RoleName{"position_embd", Role::position_embedding},
                                RoleName{"output", Role::head}};

constexpr std::array<std::string_view, 16> kLayerLists{
    "layers",       "layer",         "h",          "blocks",        "block",
    "blk",          "encoder_layer", "resblocks",  "joint_blocks",  "transformer_blocks",
    "down_blocks",  "up_blocks",     "mid_blocks", "double_blocks", "single_transformer_blocks",
    "single_blocks"};

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, word) != words.end();
}

/// A small whole number, or -1.
int index_of(std::string_view word) {
  constexpr int kMost = 1 << 14;
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool whole = error == std::errc{} && end == word.data() + word.size();
  return whole && value >= 0 && value < kMost ? value : -1;
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_norm(std::string_view module) {
  return has(module, "norm") || has(module, "Norm") || module.starts_with("ln") ||
         module.ends_with("_ln");
}

/// Cuts name at its list of layers: "a.b.layers.7.c" gives stack "a.b", layer 7 and part "c".
Place place_by_list(std::string_view name) {
  Place place{.stack = {}, .part = name};
  const std::vector<std::string_view> words = support::split(name, '.');
  std::size_t start = 0;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const int index = is_one_of(words[i], kLayerLists) ? index_of(words[i + 1]) : -1;
    if (index >= 0) {
      place.stack = std::string(name.substr(0, start + words[i].size()));
      place.layer = index;
      place.part =
          name.substr(std::min(name.size(), start + words[i].size() + words[i + 1].size() + 2));
      return place;
    }
    start += words[i].size() + 1;
  }
  return place;
}

/// The module a tensor belongs to: the last word that says what it does.
std::string_view module_of(std::span<const std::string_view> words) {
  constexpr std::array<std::string_view, 10> kEndings{
      "weight", "bias", "qweight", "weight_packed", "0", "blocks", "base_layer", "1", "2", "data"};
  while (words.size() > 1 && is_one_of(words.back(), kEndings))
    words = words.first(words.size() - 1);
  return words.empty() ? std::string_view{} : words.back();
}

Role as_expert(Role role) {
  switch (role) {
    case Role::gate:
    case Role::fused_gate_up:
      return Role::expert_gate;
    case Role::up:
      return Role::expert_up;
    case Role::down:
      return Role::expert_down;
    default:
      return role;
  }
}

Role checkpoint_role(std::string_view part, std::span<const std::string_view> words) {
  const std::string_view module = module_of(words);
  if (is_norm(module))
    return Role::norm;
  if (words.back() == "bias")
    return Role::bias;
  if (has(part, "mixer.") || has(part, "mamba.") || has(part, "linear_attn.") ||
      has(part, "ssm.") || has(part, "short_conv."))
    return has(module, "proj") ? Role::state_projection : Role::state_other;
  if (has(part, "indexer."))
    return Role::indexer;
  // BERT's blocks: attention.output.dense, intermediate.dense, output.dense.
  const bool attention = has(part, "att") || has(part, "Attention") || has(part, "attn");
  if (module == "dense" && has(part, "output.dense"))
    return attention ? Role::attention_output : Role::down;
  for (const TwoRoles& two : kTwoRoles)
    if (two.name == module)
      return attention ? two.in_attention : two.elsewhere;
  const auto found = std::ranges::find(kCheckpointRoles, module, &RoleName::name);
  return found == kCheckpointRoles.end() ? Role::other : found->role;
}

}  // namespace

Place place_of_checkpoint_name(std::string_view name) {
  Place place = place_by_list(name);
  const std::vector<std::string_view> words = support::split(place.part, '.');
  place.role = checkpoint_role(place.part, words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].starts_with("shared_expert") && place.role != Role::bias)
      place.role = Role::shared_expert;
    if (words[i] != "experts" || place.role == Role::bias)
      continue;
    place.role = as_expert(place.role);
    if (i + 1 < words.size())
      place.expert = index_of(words[i + 1]);
  }
  return place;
}

Place place_of_gguf_name(std::string_view name) {
  Place place = place_by_list(name);
  std::string_view part = place.part;
  const bool bias = part.ends_with(".bias");
  for (const std::string_view ending : {".weight", ".bias"})
    if (part.ends_with(ending))
      part.remove_suffix(ending.size());
  const std::size_t dot = part.rfind('.');
  const int expert = dot == std::string_view::npos ? -1 : index_of(part.substr(dot + 1));
  if (expert >= 0) {  // files before the experts were joined: ffn_gate.3.weight
    place.expert = expert;
    part = part.substr(0, dot);
  }
  if (is_norm(part)) {
    place.role = part.starts_with("ssm") ? Role::state_other : Role::norm;
  } else if (bias) {
    place.role = Role::bias;
  } else if (part.starts_with("cross_attn")) {
    place.role = Role::cross_attention;
  } else if (part.starts_with("indexer")) {
    place.role = Role::indexer;
  } else {
    const auto found = std::ranges::find(kGgufRoles, part, &RoleName::name);
    place.role = found != kGgufRoles.end() ? found->role
                 : part.starts_with("ssm") ? Role::state_other
                                           : Role::other;
  }
  if (expert >= 0)
    place.role = as_expert(place.role);
  return place;
}

}  // namespace gpu_advisor::model
