#include "multimodal_internal.hpp"

namespace gpu_advisor::model {
namespace {

// SigLIP so400m/14 at 384 pixels, which the config names but does not describe (timm
// vit_so400m_patch14_siglip_384): 27 layers of 1152, 16 heads, 4304 wide blocks, 27 x 27 positions.
Tower siglip_so400m() {
  Tower tower;
  tower.layers = 27;
  tower.hidden = 1152;
  AttentionShape& a = tower.layer.attention;
  a.heads = a.kv_heads = 16;
  a.key_dim = a.value_dim = 72;
  a.query_bias = a.key_bias = a.value_bias = a.output_bias = true;
  a.causal = a.cached = false;
  tower.layer.name = "vision";
  tower.layer.ffn = {.hidden = 4304, .gated = false, .bias = true};
  tower.layer.norm_bias = true;
  tower.patch = 14;
  tower.patch_inputs = 3 * 14 * 14;
  tower.positions = 27 * 27;
  return tower;
}

}  // namespace

/// MiniCPM-V 2: MiniCPM, SigLIP without its last layer, a resampler (one cross attention from
/// learned queries).
void read_minicpm_v(const FamilyInput& input, ModelSpec& model) {
  const Config& config = input.config;
  read_plain_decoder(input, model);
  if (config.word_or({"vision_encoder"}, "").find("so400m") == std::string::npos) {
    model.basis = ParameterBasis::inferred;
    model.assumptions.emplace_back("the vision tower is counted as SigLIP so400m");
  }
  Tower tower = siglip_so400m();
  tower.layers -= config.flag_or({"drop_vision_last_layer"}, true) ? 1 : 0;
  Stack stack = tower_stack(tower);
  const std::int64_t out = text_width(model);
  const std::int64_t queries = config.size_or({"query_num"}, 64);
  add_matrix(stack.outside, Role::position_embedding, 2 * queries, out);  // queries, positions
  add_linear(stack, out, tower.hidden, false);
  for (int i = 0; i < 4; ++i) {  // query, key, value, output
    add_linear(stack, out, out, true);
  }
  add_vector(stack.outside, Role::norm, out, 3);
  add_vector(stack.outside, Role::bias, out, 3);
  add_linear(stack, out, out, false);
  model.stacks.push_back(std::move(stack));
}

}  // namespace gpu_advisor::model
