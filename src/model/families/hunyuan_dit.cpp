#include "diffusion_internal.hpp"

namespace gpu_advisor::model {

/// Hunyuan-DiT (arXiv 2405.08748, section 2.1): self and cross attention with normalised heads,
/// skips from the first half of the layers into the second.
void read_hunyuan_dit(const FamilyInput& input, ModelSpec& model) {
  const Config& config = input.config;
  const std::int64_t heads = config.size({"num_attention_heads"});
  const std::int64_t dim = config.size({"attention_head_dim"});
  const std::int64_t h = config.size_or({"hidden_size"}, heads * dim);
  const std::int64_t layers = config.layers({"num_layers"});
  const std::int64_t text = config.size_or({"cross_attention_dim"}, 1024);
  const std::int64_t t5 = config.size_or({"cross_attention_dim_t5"}, 2048);
  const double ratio = std::clamp(config.number_or({"mlp_ratio"}, 4), 0.0, 64.0);
  LayerShape layer;
  layer.name = "dit";
  AttentionShape& a = layer.attention;
  a.heads = a.kv_heads = heads;
  a.key_dim = a.value_dim = dim;
  a.query_bias = a.key_bias = a.value_bias = a.output_bias = true;
  a.head_norm = HeadNorm::per_head_with_bias;
  a.cached = a.causal = false;
  layer.cross = a;
  layer.cross.source_dim = text;
  layer.cross_heads = heads;
  layer.ffn = {.hidden = static_cast<std::int64_t>(ratio * static_cast<double>(h)),
               .gated = false,
               .bias = true};
  layer.norms = 3;
  layer.norm_bias = true;
  layer.other = h * h + h;  // shift by the time, one linear layer
  LayerShape skipping = layer;
  skipping.name = "dit with skip";
  skipping.other += 2 * h * h + h + 4 * h;  // joining projection and its norm
  Stack stack;
  stack.role = StackRole::denoiser;
  stack.name = "transformer";
  stack.hidden = h;
  const std::int64_t late = layers > 0 ? (layers - 1) / 2 : 0;
  stack.layers = {make_group(layer, h, static_cast<int>(layers - late)),
                  make_group(skipping, h, static_cast<int>(late))};
  const std::int64_t patch = std::clamp<std::int64_t>(config.size_or({"patch_size"}, 2), 1, 64);
  const std::int64_t channels = config.size_or({"in_channels"}, 4);
  const std::int64_t pooled = config.size_or({"pooled_projection_dim"}, 1024);
  std::vector<Weight>& w = stack.outside;
  add_convolution(w, h, channels, patch * patch);
  add_matrix(w, Role::projector, 4 * t5, t5, true);
  add_matrix(w, Role::projector, text, 4 * t5, true);
  add_matrix(w, Role::other,
             config.size_or({"text_len"}, 77) + config.size_or({"text_len_t5"}, 256), text);
  add_matrix(w, Role::other, h, 256, true);  // time
  add_matrix(w, Role::other, h, h, true);
  add_matrix(w, Role::other, config.size_or({"text_len_t5"}, 256) + 1,
             t5);  // pooler of the T5 text
  for (int i = 0; i < 3; ++i) {
    add_matrix(w, Role::other, t5, t5, true);
  }
  add_matrix(w, Role::other, pooled, t5, true);
  add_matrix(w, Role::other, 4 * h, 256 * 6 + pooled + h, true);  // size, style, pooled text
  add_matrix(w, Role::other, h, 4 * h, true);
  add_matrix(w, Role::other, 1, h);  // style
  add_matrix(w, Role::other, 2 * h, h, true);
  const bool sigma = config.flag_or({"learn_sigma"}, true);
  add_matrix(w, Role::projector, patch * patch * channels * (sigma ? 2 : 1), h, true);
  stack.patch = static_cast<int>(patch);
  stack.latent_factor = 8;
  model.stacks.push_back(std::move(stack));
}

}  // namespace gpu_advisor::model
