#include "decoder_internal.hpp"

namespace gpu_advisor::model {

/// Qwen3-Next and Qwen3.5: gated delta-net layers with a full-attention layer after each few; full
/// attention has an output gate and normalised heads.
void read_gated_delta(const FamilyInput& input, ModelSpec& model) {
  const Config& config = input.config;
  Decoder decoder = read_decoder(input);
  decoder.layer.attention.output_gate = config.flag_or({"attn_output_gate"}, true);
  MixerShape mixer;
  mixer.kind = MixerKind::delta_net;
  mixer.heads = config.size({"linear_num_value_heads"});
  mixer.groups = config.size({"linear_num_key_heads"});
  mixer.key_dim = config.size({"linear_key_head_dim"});
  mixer.value_dim = config.size({"linear_value_head_dim"});
  mixer.kernel = config.size_or({"linear_conv_kernel_dim"}, 4);
  const std::vector<std::string> types = config.words("layer_types");
  const std::int64_t every =
      std::max<std::int64_t>(1, config.size_or({"full_attention_interval"}, 4));
  LayerCollector layers;
  for (std::int64_t i = 0; i < decoder.layers; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool full = at < types.size() ? types[at] != "linear_attention" : (i + 1) % every == 0;
    decoder.attention[at] = AttentionKind::full;
    LayerShape layer = layer_at(decoder, i);
    if (!full) {
      layer.attention = AttentionShape{.kind = AttentionKind::none};
      layer.mixer = mixer;
      layer.name += " delta net";
    }
    layers.add(layer);
  }
  Decoder bare = decoder;
  bare.layers = 0;
  finish_decoder(bare, input, model);
  model.stacks.back().layers = layers.groups(decoder.hidden);
  // The prediction layer attends fully; a joining projection and three norms come with it.
  const std::int64_t h = decoder.hidden;
  add_draft_layers(model, decoder,
                   config.layers_or({"mtp_num_hidden_layers", "num_nextn_predict_layers"}, 0),
                   2 * h * h + 3 * h);
}

}  // namespace gpu_advisor::model
