#include "decoder_internal.hpp"

namespace gpu_advisor::model {

/// Llama 4: `intermediate_size` is the width of an expert and of the shared expert beside them,
/// `intermediate_size_mlp` that of layers without experts. Every fourth layer sees all tokens, the
/// others their chunk.
void read_llama4(const FamilyInput& input, ModelSpec& model) {
  const Config& config = input.config;
  Decoder decoder = read_decoder(input);
  FfnShape& ffn = decoder.layer.ffn;
  if (ffn.experts > 0) {
    ffn.expert_hidden = config.size({"intermediate_size"});
    ffn.shared_hidden = ffn.expert_hidden;
    ffn.shared_count = 1;
    ffn.top_k = config.size_or({"num_experts_per_tok"}, 1);
  }
  const auto rope_free = config.sizes("no_rope_layers");
  const std::int64_t every =
      std::max<std::int64_t>(1, config.size_or({"no_rope_layer_interval"}, 4));
  for (std::int64_t i = 0; i < decoder.layers && decoder.window > 0; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool full =
        at < rope_free.size() && rope_free.size() > 1 ? rope_free[at] == 0 : (i + 1) % every == 0;
    decoder.attention[at] = full ? AttentionKind::full : AttentionKind::chunked;
  }
  finish_decoder(decoder, input, model);
}

}  // namespace gpu_advisor::model
