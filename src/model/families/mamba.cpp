#include "decoder_internal.hpp"

namespace gpu_advisor::model {

/// Mamba 1 (arXiv 2312.00752) and Falcon Mamba.
void read_mamba(const FamilyInput& input, ModelSpec& model) {
  const Config& config = input.config;
  Decoder decoder;
  const std::int64_t layers = config.layers({"num_hidden_layers", "n_layer"});
  decoder.hidden = config.size({"hidden_size", "d_model"});
  decoder.around = read_surroundings(input);
  decoder.vocab = decoder.around.vocab;
  LayerShape layer;
  layer.name = "mamba";
  layer.norms = 1;
  layer.attention.kind = AttentionKind::none;
  MixerShape& mixer = layer.mixer;
  mixer.kind = MixerKind::mamba1;
  mixer.inner =
      config.size_or({"intermediate_size"}, config.size_or({"expand"}, 2) * decoder.hidden);
  mixer.state = config.size_or({"state_size"}, 16);
  mixer.kernel = config.size_or({"conv_kernel"}, 4);
  mixer.step_rank = config.size_or({"time_step_rank"}, (decoder.hidden + 15) / 16);
  mixer.convolution_bias = config.flag_or({"use_conv_bias"}, true);
  mixer.bias = config.flag_or({"use_bias"}, false);
  finish_decoder(decoder, input, model);
  model.stacks.back().layers = {make_group(layer, decoder.hidden, static_cast<int>(layers))};
}

}  // namespace gpu_advisor::model
