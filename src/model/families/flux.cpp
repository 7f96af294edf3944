#include "diffusion_internal.hpp"

namespace gpu_advisor::model {
namespace {

/// Attention of a block in which picture and text attend together.
Attention joint_attention(std::int64_t heads, std::int64_t dim) {
  return describe_attention({.heads = heads,
                             .kv_heads = heads,
                             .key_dim = dim,
                             .value_dim = dim,
                             .cached = false,
                             .causal = false});
}

/// One stream of a double block: modulation, attention with normalised heads, feed-forward.
void add_stream(std::vector<Weight>& w, std::int64_t h, std::int64_t dim) {
  add_matrix(w, Role::other, 6 * h, h, true);
  add_matrix(w, Role::query, h, h, true);
  add_matrix(w, Role::key, h, h, true);
  add_matrix(w, Role::value, h, h, true);
  add_matrix(w, Role::attention_output, h, h, true);
  add_vector(w, Role::norm, dim, 2);
  add_matrix(w, Role::up, 4 * h, h, true);
  add_matrix(w, Role::down, h, 4 * h, true);
}

LayerGroup double_block(std::int64_t heads, std::int64_t dim, std::int64_t count) {
  LayerGroup group;
  group.name = "double";
  group.count = static_cast<int>(count);
  group.attention = joint_attention(heads, dim);
  group.ffn = {.gated = false, .hidden = 4 * heads * dim};
  add_stream(group.weights, heads * dim, dim);
  add_stream(group.weights, heads * dim, dim);
  return group;
}

LayerGroup single_block(std::int64_t heads, std::int64_t dim, std::int64_t count) {
  const std::int64_t h = heads * dim;
  LayerGroup group;
  group.name = "single";
  group.count = static_cast<int>(count);
  group.attention = joint_attention(heads, dim);
  group.ffn = {.gated = false, .hidden = 4 * h};
  std::vector<Weight>& w = group.weights;
  add_matrix(w, Role::other, 3 * h, h, true);
  add_matrix(w, Role::query, h, h, true);
  add_matrix(w, Role::key, h, h, true);
  add_matrix(w, Role::value, h, h, true);
  add_vector(w, Role::norm, dim, 2);
  add_matrix(w, Role::up, 4 * h, h, true);
  add_matrix(w, Role::down, h, 5 * h, true);
  return group;
}

}  // namespace

/// FLUX.1 (diffusers FluxTransformer2DModel): double blocks with own weights for picture and text,
/// then single ones.
void read_flux(const FamilyInput& input, ModelSpec& model) {
  const Config& config = input.config;
  const std::int64_t heads = config.size({"num_attention_heads"});
  const std::int64_t dim = config.size({"attention_head_dim"});
  const std::int64_t h = heads * dim;
  if (h > kMostWidth) {
    config.fail(config.cursor().fail(support::ErrorCode::out_of_range, "the heads are too wide"));
    return;
  }
  Stack stack;
  stack.role = StackRole::denoiser;
  stack.name = "transformer";
  stack.hidden = h;
  stack.layers = {double_block(heads, dim, config.layers({"num_layers"})),
                  single_block(heads, dim, config.layers_or({"num_single_layers"}, 0))};
  std::vector<Weight>& w = stack.outside;
  constexpr std::int64_t kTimeWidth = 256;
  const std::int64_t channels = config.size_or({"in_channels"}, 64);
  const bool guided = config.flag_or({"guidance_embeds"}, false);
  for (int i = 0; i < (guided ? 2 : 1); ++i) {
    add_matrix(w, Role::other, h, kTimeWidth, true);
    add_matrix(w, Role::other, h, h, true);
  }
  add_matrix(w, Role::other, h, config.size_or({"pooled_projection_dim"}, 768), true);
  add_matrix(w, Role::other, h, h, true);
  add_matrix(w, Role::projector, h, config.size_or({"joint_attention_dim"}, 4096), true);
  add_matrix(w, Role::projector, h, channels, true);
  add_matrix(w, Role::other, 2 * h, h, true);
  const std::int64_t patch = std::clamp<std::int64_t>(config.size_or({"patch_size"}, 1), 1, 64);
  add_matrix(w, Role::projector, patch * patch * config.size_or({"out_channels"}, channels), h,
             true);
  constexpr int kPackedPatch = 2;  // two by two latent positions are one token
  stack.patch = kPackedPatch;
  stack.latent_factor = 8;
  model.stacks.push_back(std::move(stack));
}

}  // namespace gpu_advisor::model
