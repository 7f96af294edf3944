#include "multimodal_internal.hpp"

namespace gpu_advisor::model {
namespace {

/// The layers that see everything have wider heads, fewer of them for keys, and keys for values.
AttentionShape global_attention(const Config& text, const AttentionShape& sliding) {
  AttentionShape a = sliding;
  a.kind = AttentionKind::full;
  a.window.reset();
  a.key_dim = a.value_dim = text.size_or({"global_head_dim"}, sliding.key_dim);
  if (text.flag_or({"attention_k_eq_v"}, false)) {
    a.shared_key_value = true;
    a.kv_heads = text.size_or({"num_global_key_value_heads"}, sliding.kv_heads);
  }
  return a;
}

}  // namespace

/// Gemma 4 text: a dense block beside the experts, each with norms before and after; windows on
/// most layers.
void read_gemma4_text(const FamilyInput& input, ModelSpec& model) {
  const Config& text = input.config;
  Decoder decoder = read_decoder(input);
  const bool experts = text.flag_or({"enable_moe_block"}, false) && decoder.layer.ffn.experts > 0;
  LayerShape& layer = decoder.layer;
  layer.norms = experts ? 7 : 4;
  layer.other = 1;  // the layer's scale
  if (experts) {
    layer.ffn.hidden = decoder.dense.hidden;
    layer.ffn.router_hidden_extra = 1;
    layer.ffn.router_bias = true;  // a scale for each expert
  } else {
    layer.ffn = decoder.dense;
  }
  const std::int64_t small = text.size_or({"hidden_size_per_layer_input"}, 0);
  layer.other += small > 0 ? 2 * small * decoder.hidden + decoder.hidden : 0;
  const AttentionShape global = global_attention(text, layer.attention);
  LayerCollector layers;
  for (std::int64_t i = 0; i < decoder.layers; ++i) {
    LayerShape shape = layer;
    const bool windowed = decoder.attention[static_cast<std::size_t>(i)] == AttentionKind::sliding;
    shape.name = windowed ? "sliding" : "global";
    if (windowed) {
      shape.attention.kind = AttentionKind::sliding;
      shape.attention.window = decoder.window;
    } else {
      shape.attention = global;
    }
    layers.add(shape);
  }
  const std::int64_t count = decoder.layers;
  decoder.layers = 0;
  finish_decoder(decoder, input, model);
  Stack& stack = model.stacks.back();
  stack.layers = layers.groups(decoder.hidden);
  if (small > 0) {  // embeddings for every layer (Gemma 3n)
    add_matrix(stack.outside, Role::token_embedding,
               text.entries_or({"vocab_size_per_layer_input"}, decoder.vocab), count * small);
    add_linear(stack, count * small, decoder.hidden, false);
    add_vector(stack.outside, Role::norm, small);
  }
}

void read_gemma4(const FamilyInput& input, ModelSpec& model) {
  read_text_part(input, model);
  const auto vision = vision_part(input, model);
  if (!vision) {
    return;
  }
  Tower tower = read_tower(*vision);
  AttentionShape& a = tower.layer.attention;
  a.query_bias = a.key_bias = a.value_bias = a.output_bias = false;
  a.head_norm = HeadNorm::per_head;
  tower.layer.ffn.gated = true;
  tower.layer.ffn.bias = false;
  tower.layer.norms = 4;
  tower.layer.norm_bias = tower.norm_bias = tower.patch_bias = false;
  tower.outer_norms = vision->flag_or({"standardize"}, false) ? 2 : 0;  // shift and scale
  tower.positions = 2 * vision->size_or({"position_embedding_size"}, 10240);
  Stack stack = tower_stack(tower);
  add_linear(stack, text_width(model), tower.hidden, false);
  model.stacks.push_back(std::move(stack));
}

}  // namespace gpu_advisor::model
