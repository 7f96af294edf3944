#include "decoder_internal.hpp"

namespace gpu_advisor::model {

/// MiMo-V2-Flash: sliding layers have their own head counts and sinks.
void read_mimo_flash(const FamilyInput& input, ModelSpec& model) {
  const Config& config = input.config;
  Decoder decoder = read_decoder(input);
  AttentionShape sliding = decoder.layer.attention;
  sliding.heads = config.size_or({"swa_num_attention_heads"}, sliding.heads);
  sliding.kv_heads = config.size_or({"swa_num_key_value_heads"}, sliding.kv_heads);
  sliding.key_dim = config.size_or({"swa_head_dim"}, sliding.key_dim);
  sliding.value_dim = config.size_or({"swa_v_head_dim"}, sliding.value_dim);
  sliding.sinks = config.flag_or({"add_swa_attention_sink_bias"}, false);
  sliding.kind = AttentionKind::sliding;
  sliding.window = decoder.window;
  decoder.layer.attention.sinks = config.flag_or({"add_full_attention_sink_bias"}, false);
  const std::vector<std::int64_t> pattern = config.sizes("hybrid_layer_pattern");
  LayerCollector layers;
  for (std::int64_t i = 0; i < decoder.layers; ++i) {
    const auto at = static_cast<std::size_t>(i);
    decoder.attention[at] = AttentionKind::full;
    LayerShape layer = layer_at(decoder, i);
    if (at < pattern.size() && pattern[at] != 0) {
      layer.attention = sliding;
      layer.name += " sliding";
    }
    layers.add(layer);
  }
  Decoder empty = decoder;
  empty.layers = 0;
  finish_decoder(empty, input, model);
  model.stacks.back().layers = layers.groups(decoder.hidden);
}

}  // namespace gpu_advisor::model
