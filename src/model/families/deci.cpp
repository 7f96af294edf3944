#include <cmath>

#include "decoder_internal.hpp"

namespace gpu_advisor::model {
namespace {

// Widths are rounded up to full multiples of 256, as the model's own code does.
std::int64_t width_of(double multiplier, std::int64_t hidden) {
  constexpr std::int64_t kTile = 256;
  const auto raw = static_cast<std::int64_t>(2 * multiplier * static_cast<double>(hidden) / 3);
  return (raw + kTile - 1) / kTile * kTile;
}

LayerShape layer_of(const Config& block, const Decoder& decoder) {
  LayerShape layer = decoder.layer;
  layer.ffn = decoder.dense;
  layer.norms = 2;
  if (const auto attention = block.child("attention")) {
    const std::int64_t group = attention->size_or({"n_heads_in_group"}, 1);
    if (attention->flag_or({"no_op"}, false)) {
      layer.attention = AttentionShape{.kind = AttentionKind::none};
      layer.norms -= 1;
    } else if (attention->flag_or({"replace_with_linear"}, false)) {
      layer.attention = AttentionShape{.kind = AttentionKind::none};
      layer.other = decoder.hidden * decoder.hidden;
    } else {
      layer.attention.kv_heads = layer.attention.heads / std::max<std::int64_t>(group, 1);
    }
  }
  if (const auto ffn = block.child("ffn")) {
    layer.ffn.hidden = width_of(std::min(ffn->number_or({"ffn_mult"}, 0), 64.0), decoder.hidden);
    if (ffn->flag_or({"no_op"}, false)) {
      layer.ffn.hidden = 0;
      layer.norms -= 1;
    } else if (ffn->flag_or({"replace_with_linear"}, false)) {
      layer.ffn.hidden = 0;
      layer.other += decoder.hidden * decoder.hidden;
    }
  }
  return layer;
}

}  // namespace

/// Models whose blocks a search has thinned out one by one (Llama Nemotron).
void read_deci(const FamilyInput& input, ModelSpec& model) {
  Decoder decoder = read_decoder(input);
  LayerCollector layers;
  for (const Config& block : input.config.children("block_configs")) {
    layers.add(layer_of(block, decoder));
  }
  decoder.layers = 0;
  finish_decoder(decoder, input, model);
  model.stacks.back().layers = layers.groups(decoder.hidden);
}

}  // namespace gpu_advisor::model
