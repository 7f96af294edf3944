#include "tower_internal.hpp"

namespace gpu_advisor::model {

Tower read_tower(const Config& config) {
  Tower tower;
  tower.layers = config.layers({"num_hidden_layers", "depth", "vt_num_hidden_layers", "layers"});
  tower.hidden = config.size({"hidden_size", "embed_dim", "vt_hidden_size", "width"});
  AttentionShape& a = tower.layer.attention;
  a.heads = a.kv_heads = config.size(
      {"num_attention_heads", "num_heads", "attention_heads", "vt_num_attention_heads", "heads"});
  a.key_dim = a.value_dim =
      config.size_or({"head_dim"}, tower.hidden / std::max<std::int64_t>(a.heads, 1));
  a.query_bias = a.key_bias = a.value_bias = config.flag_or({"qkv_bias"}, true);
  a.output_bias = true;
  a.causal = a.cached = false;
  const double ratio = std::clamp(config.number_or({"mlp_ratio"}, 4), 0.0, 64.0);
  const auto by_ratio = static_cast<std::int64_t>(ratio * static_cast<double>(tower.hidden));
  tower.layer.name = "vision";
  tower.layer.ffn = {
      .hidden = config.size_or({"intermediate_size", "vt_intermediate_size", "mlp_dim"}, by_ratio),
      .gated = false,
      .bias = true};
  tower.layer.norm_bias = true;
  tower.patch = std::clamp<std::int64_t>(
      config.size_or({"patch_size", "encoder_patch_size", "spatial_patch_size"}, 16), 1, 1024);
  const std::int64_t channels = config.size_or({"num_channels", "in_channels", "in_chans"}, 3);
  tower.patch_inputs = tower.patch * tower.patch * channels;
  const std::int64_t image = config.size_or({"image_size"}, 0) / tower.patch;
  tower.positions = config.entries_or({"num_position_embeddings", "num_patches"}, image * image);
  return tower;
}

Stack tower_stack(const Tower& tower) {
  Stack stack;
  stack.role = tower.role;
  stack.name = tower.name;
  stack.hidden = tower.hidden;
  stack.patch = static_cast<int>(tower.patch);
  stack.layers = {make_group(tower.layer, tower.hidden, static_cast<int>(tower.layers))};
  if (tower.patch_inputs > 0) {
    stack.outside.push_back({.role = Role::convolution,
                             .rows = tower.hidden,
                             .cols = tower.patch_inputs,
                             .taps = tower.patch * tower.patch});
    add_vector(stack.outside, Role::bias, tower.patch_bias ? tower.hidden : 0);
  }
  add_matrix(stack.outside, Role::position_embedding, tower.positions + (tower.class_token ? 1 : 0),
             tower.hidden);
  add_vector(stack.outside, Role::other, tower.class_token ? tower.hidden : 0);
  add_vector(stack.outside, Role::norm, tower.hidden, tower.outer_norms);
  if (tower.norm_bias) {
    add_vector(stack.outside, Role::bias, tower.hidden, tower.outer_norms);
  }
  return stack;
}

void add_linear(Stack& stack, std::int64_t out, std::int64_t in, bool bias) {
  add_matrix(stack.outside, Role::projector, out, in, bias);
}

/// ViT, DeiT, DINOv2, SigLIP vision towers as models of their own.
void read_image_encoder(const FamilyInput& input, ModelSpec& model) {
  Tower tower = read_tower(input.config);
  tower.class_token = true;
  tower.name = "encoder";
  Stack stack = tower_stack(tower);
  if (input.head == TaskHead::classification) {
    std::int64_t labels = input.config.size_or({"num_labels"}, 2);
    if (const auto names = input.config.child("id2label")) {
      labels = static_cast<std::int64_t>(names->cursor().json().size());
    }
    add_matrix(stack.outside, Role::pooler, labels, tower.hidden, true);
  } else if (input.head == TaskHead::none) {
    add_matrix(stack.outside, Role::pooler, tower.hidden, tower.hidden, true);
  }
  model.stacks.push_back(std::move(stack));
}

}  // namespace gpu_advisor::model
