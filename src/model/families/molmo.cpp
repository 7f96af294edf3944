#include "multimodal_internal.hpp"

namespace gpu_advisor::model {
namespace {

// CLIP ViT-L/14 at 336 pixels without its last layers; Molmo's code fixes it, its config does not
// say (arXiv 2409.17146, section 2).
Tower clip_large() {
  Tower tower;
  tower.layers = 23;
  tower.hidden = 1024;
  AttentionShape& a = tower.layer.attention;
  a.heads = a.kv_heads = 16;
  a.key_dim = a.value_dim = 64;
  a.query_bias = a.key_bias = a.value_bias = a.output_bias = true;
  a.causal = a.cached = false;
  tower.layer.name = "vision";
  tower.layer.ffn = {.hidden = 4096, .gated = false, .bias = true};
  tower.layer.norm_bias = true;
  tower.patch = 14;
  tower.patch_inputs = 3 * 14 * 14;
  tower.patch_bias = false;
  tower.positions = 24 * 24;
  tower.class_token = true;
  tower.outer_norms = 1;
  return tower;
}

}  // namespace

/// Molmo: Qwen2 text with a gate of half `intermediate_size`, further embeddings for image tokens,
/// attention pooling over two by two patches of two layers, a gated projector.
void read_molmo(const FamilyInput& input, ModelSpec& model) {
  Decoder decoder = read_decoder(input);
  decoder.dense.hidden /= 2;
  decoder.layer.ffn.hidden = decoder.dense.hidden;
  AttentionShape& text = decoder.layer.attention;
  text.output_bias = false;
  finish_decoder(decoder, input, model);
  constexpr std::int64_t kImageTokens = 128;
  add_matrix(model.stacks.back().outside, Role::token_embedding,
             input.config.size_or({"additional_vocab_size"}, kImageTokens), decoder.hidden);
  const Tower tower = clip_large();
  Stack stack = tower_stack(tower);
  const std::int64_t joined = 2 * tower.hidden;
  for (int i = 0; i < 3; ++i) {  // query, key, value of the pooling attention
    add_linear(stack, tower.hidden, joined, true);
  }
  add_linear(stack, tower.hidden, tower.hidden, true);
  add_matrix(stack.outside, Role::projector, decoder.dense.hidden, tower.hidden);
  add_matrix(stack.outside, Role::projector, decoder.dense.hidden, tower.hidden);
  add_matrix(stack.outside, Role::projector, decoder.hidden, decoder.dense.hidden);
  add_vector(stack.outside, Role::other, joined, 2);  // padding vectors
  model.stacks.push_back(std::move(stack));
}

}  // namespace gpu_advisor::model
