#include "decoder_internal.hpp"

namespace gpu_advisor::model {
namespace {

/// The width that the code of LFM2 makes of the config's: two thirds, rounded up to a tile.
std::int64_t adjusted(const Config& config, std::int64_t width) {
  if (!config.flag_or({"block_auto_adjust_ff_dim"}, false)) {
    return width;
  }
  const std::int64_t tile = std::max<std::int64_t>(1, config.size_or({"block_multiple_of"}, 256));
  const double factor = config.number_or({"block_ffn_dim_multiplier"}, 1.0);
  const std::int64_t two_thirds = 2 * width / 3;
  const auto scaled =
      static_cast<std::int64_t>(std::min(factor, 64.0) * static_cast<double>(two_thirds));
  return (scaled + tile - 1) / tile * tile;
}

}  // namespace

/// LFM2: short gated convolutions, and attention in some layers.
void read_lfm2(const FamilyInput& input, ModelSpec& model) {
  const Config& config = input.config;
  Decoder decoder = read_decoder(input);
  decoder.dense.hidden =
      adjusted(config, config.size_or({"block_ff_dim", "intermediate_size"}, decoder.dense.hidden));
  if (decoder.layer.ffn.experts == 0) {
    decoder.layer.ffn = decoder.dense;
  }
  MixerShape mixer;
  mixer.kind = MixerKind::short_convolution;
  mixer.inner = config.size_or({"conv_dim"}, decoder.hidden);
  mixer.kernel = config.size_or({"conv_L_cache"}, 3);
  mixer.bias = mixer.convolution_bias = config.flag_or({"conv_bias"}, false);
  const std::vector<std::string> types = config.words("layer_types");
  const std::vector<std::int64_t> full = config.sizes("full_attn_idxs");
  LayerCollector layers;
  for (std::int64_t i = 0; i < decoder.layers; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool attends = at < types.size() ? types[at] == "full_attention"
                                           : std::find(full.begin(), full.end(), i) != full.end();
    decoder.attention[at] = AttentionKind::full;
    LayerShape layer = layer_at(decoder, i);
    if (!attends) {
      layer.attention = AttentionShape{.kind = AttentionKind::none};
      layer.mixer = mixer;
      layer.name += " convolution";
    }
    layers.add(layer);
  }
  decoder.layers = 0;
  finish_decoder(decoder, input, model);
  model.stacks.back().layers = layers.groups(decoder.hidden);
}

}  // namespace gpu_advisor::model
