#include "diffusion_internal.hpp"

namespace gpu_advisor::model {
namespace {

struct Joint {
  std::int64_t h = 0, dim = 0;
  bool head_norm = false;
};

/// Picture or text side of a joint block. The last block needs no more of the text than its keys
/// and values (Esser et al. 2024, arXiv 2403.03206, section 4).
void add_side(std::vector<Weight>& w, const Joint& j, bool last_text, bool second_attention) {
  const std::int64_t h = j.h;
  add_matrix(w, Role::other, (last_text ? 2 : second_attention ? 9 : 6) * h, h, true);
  for (int i = 0; i < (second_attention ? 2 : 1); ++i) {
    add_matrix(w, Role::query, h, h, true);
    add_matrix(w, Role::key, h, h, true);
    add_matrix(w, Role::value, h, h, true);
    add_vector(w, Role::norm, j.head_norm ? j.dim : 0, 2);
    if (!last_text) {
      add_matrix(w, Role::attention_output, h, h, true);
    }
  }
  if (!last_text) {
    add_matrix(w, Role::up, 4 * h, h, true);
    add_matrix(w, Role::down, h, 4 * h, true);
  }
}

LayerGroup block(const Joint& j, std::int64_t heads, std::int64_t count, bool last, bool dual) {
  LayerGroup group;
  group.name = last ? "joint, last" : dual ? "joint, dual" : "joint";
  group.count = static_cast<int>(count);
  group.attention = describe_attention({.heads = heads,
                                        .kv_heads = heads,
                                        .key_dim = j.dim,
                                        .value_dim = j.dim,
                                        .cached = false,
                                        .causal = false});
  group.ffn = {.gated = false, .hidden = 4 * j.h};
  add_side(group.weights, j, false, dual);
  add_side(group.weights, j, last, false);
  return group;
}

}  // namespace

/// Stable Diffusion 3 and 3.5 (diffusers SD3Transformer2DModel). The table of sine positions is
/// stored with the weights.
void read_sd3(const FamilyInput& input, ModelSpec& model) {
  const Config& config = input.config;
  const std::int64_t heads = config.size({"num_attention_heads"});
  Joint j;
  j.dim = config.size({"attention_head_dim"});
  j.h = heads * j.dim;
  if (j.h > kMostWidth) {
    config.fail(config.cursor().fail(support::ErrorCode::out_of_range, "the heads are too wide"));
    return;
  }
  j.head_norm = !config.word_or({"qk_norm"}, "").empty();
  const std::int64_t layers = config.layers({"num_layers"});
  const auto dual = std::min<std::int64_t>(
      static_cast<std::int64_t>(config.sizes("dual_attention_layers").size()), layers);
  Stack stack;
  stack.role = StackRole::denoiser;
  stack.name = "transformer";
  stack.hidden = j.h;
  for (LayerGroup group :
       {block(j, heads, dual, false, true),
        block(j, heads, std::max<std::int64_t>(layers - dual - 1, 0), false, false),
        block(j, heads, layers > 0 ? 1 : 0, true, false)}) {
    if (group.count > 0) {
      stack.layers.push_back(std::move(group));
    }
  }
  const std::int64_t patch = std::clamp<std::int64_t>(config.size_or({"patch_size"}, 2), 1, 64);
  const std::int64_t channels = config.size_or({"in_channels"}, 16);
  const std::int64_t side = config.size_or({"pos_embed_max_size"}, 192);
  std::vector<Weight>& w = stack.outside;
  add_convolution(w, j.h, channels, patch * patch);
  add_matrix(w, Role::position_embedding, side * side, j.h);
  constexpr std::int64_t kTimeWidth = 256;
  add_matrix(w, Role::other, j.h, kTimeWidth, true);
  add_matrix(w, Role::other, j.h, j.h, true);
  add_matrix(w, Role::other, j.h, config.size_or({"pooled_projection_dim"}, 2048), true);
  add_matrix(w, Role::other, j.h, j.h, true);
  add_matrix(w, Role::projector, j.h, config.size_or({"joint_attention_dim"}, 4096), true);
  add_matrix(w, Role::other, 2 * j.h, j.h, true);
  add_matrix(w, Role::projector, patch * patch * config.size_or({"out_channels"}, channels), j.h,
             true);
  stack.patch = static_cast<int>(patch);
  stack.latent_factor = 8;
  model.stacks.push_back(std::move(stack));
}

}  // namespace gpu_advisor::model
