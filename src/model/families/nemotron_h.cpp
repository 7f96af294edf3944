#include "decoder_internal.hpp"

namespace gpu_advisor::model {
namespace {

MixerShape read_mamba2(const Config& config) {
  MixerShape mixer;
  mixer.kind = MixerKind::mamba2;
  mixer.heads = config.size({"mamba_num_heads"});
  mixer.inner = mixer.heads * config.size({"mamba_head_dim"});
  mixer.state = config.size({"ssm_state_size"});
  mixer.groups = config.size_or({"n_groups"}, 8);
  mixer.kernel = config.size_or({"conv_kernel"}, 4);
  mixer.convolution_bias = config.flag_or({"use_conv_bias"}, true);
  mixer.bias = config.flag_or({"mamba_proj_bias"}, false);
  return mixer;
}

/// One letter of the pattern: M state space, * attention, - feed-forward, E experts. Each is a
/// layer of its own with one norm.
LayerShape layer_of(char letter, const Decoder& decoder, const MixerShape& mixer) {
  LayerShape layer;
  layer.norms = 1;
  layer.attention.kind = AttentionKind::none;
  switch (letter) {
    case 'M':
      layer.name = "mamba";
      layer.mixer = mixer;
      break;
    case '*':
      layer.name = "attention";
      layer.attention = decoder.layer.attention;
      break;
    case 'E':
      layer.name = "moe";
      layer.ffn = decoder.layer.ffn;
      break;
    default:
      layer.name = "feed-forward";
      layer.ffn = decoder.dense;
      break;
  }
  return layer;
}

}  // namespace

void read_nemotron_h(const FamilyInput& input, ModelSpec& model) {
  const Config& config = input.config;
  Decoder decoder = read_decoder(input);
  const MixerShape mixer = read_mamba2(config);
  const std::string pattern = config.word_or({"hybrid_override_pattern"}, "");
  if (pattern.empty() || pattern.size() > static_cast<std::size_t>(kMostLayers)) {
    config.fail(config.cursor().fail(support::ErrorCode::unsupported_model,
                                     "hybrid_override_pattern is missing or too long"));
    return;
  }
  decoder.layer.ffn.expert_input = config.size_or({"moe_latent_size"}, 0);
  LayerCollector layers;
  for (const char letter : pattern) {
    layers.add(layer_of(letter, decoder, mixer));
  }
  decoder.layers = 0;
  finish_decoder(decoder, input, model);
  model.stacks.back().layers = layers.groups(decoder.hidden);
}

}  // namespace gpu_advisor::model
