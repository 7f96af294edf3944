#include "diffusion_internal.hpp"

namespace gpu_advisor::model {
namespace {

LayerShape block_of(const Config& config) {
  LayerShape layer;
  layer.name = "dit";
  AttentionShape& a = layer.attention;
  a.heads = a.kv_heads = config.size({"num_attention_heads"});
  a.key_dim = a.value_dim = config.size({"attention_head_dim"});
  a.head_norm = HeadNorm::per_head;
  a.fused = true;
  a.cached = a.causal = false;
  layer.ffn = {.hidden = config.size({"ffn_hidden_size"}), .gated = true};
  return layer;
}

}  // namespace

/// MiniMax-H3: picture and sound in one transformer; each block modulated from the time by one
/// linear layer; a short refiner over the text.
void read_minimax_h3(const FamilyInput& input, ModelSpec& model) {
  const Config& config = input.config;
  const std::int64_t h = config.size({"hidden_size"});
  const std::int64_t time = config.size({"time_embed_dim"});
  const std::int64_t modulation = config.size({"adaln_out_features"});
  LayerShape refiner = block_of(config);
  LayerShape block = refiner;
  refiner.name = "text refiner";
  block.other = modulation * time + modulation;
  Stack stack;
  stack.role = StackRole::denoiser;
  stack.name = "transformer";
  stack.hidden = h;
  stack.layers = {
      make_group(block, h, static_cast<int>(config.layers({"num_layers"}))),
      make_group(refiner, h, static_cast<int>(config.layers_or({"token_refiner_num_layers"}, 0)))};
  std::int64_t patch = 1;
  for (const std::int64_t side : config.sizes("patch_size")) {
    patch = std::min<std::int64_t>(patch * std::clamp<std::int64_t>(side, 1, 64), 1 << 16);
  }
  const std::int64_t picture = patch * config.size_or({"latents_dim"}, 16);
  const std::int64_t sound = config.size_or({"audio_latents_dim"}, 0);
  const std::int64_t wide = config.size_or({"time_embed_hidden_size"}, h);
  const std::int64_t last = config.size_or({"final_adaln_out_features"}, 2 * h);
  std::vector<Weight>& w = stack.outside;
  add_matrix(w, Role::projector, h, picture, true);
  add_matrix(w, Role::projector, h, sound, true);
  add_matrix(w, Role::projector, h, config.size({"text_dim"}), true);
  add_matrix(w, Role::other, wide, config.size_or({"timestep_input_dim"}, 256), true);
  add_matrix(w, Role::other, time, wide, true);
  add_matrix(w, Role::other, last, time, true);
  add_vector(w, Role::norm, h, 2);
  add_matrix(w, Role::projector, picture, h, true);
  add_matrix(w, Role::projector, sound, h, true);
  add_vector(w, Role::other, config.size_or({"rope_inv_freq_len"}, 0));
  model.stacks.push_back(std::move(stack));
}

}  // namespace gpu_advisor::model
