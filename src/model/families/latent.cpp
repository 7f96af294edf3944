#include "decoder_internal.hpp"

namespace gpu_advisor::model {

/// DeepSeek V2 and V3, Kimi K2, GLM-5 and others with latent attention (MLA), with or without the
/// sparse indexer. Zero ranks or `use_mla: false` mean plain attention.
void read_latent(const FamilyInput& input, ModelSpec& model) {
  const Config& config = input.config;
  Decoder decoder = read_decoder(input);
  AttentionShape& a = decoder.layer.attention;
  const std::int64_t rank = config.size_or({"kv_lora_rank"}, 0);
  if (rank > 0 && config.flag_or({"use_mla"}, true)) {
    a.kind = AttentionKind::latent;
    a.latent_rank = rank;
    a.query_rank = config.size_or({"q_lora_rank"}, 0);
    a.nope_dim = config.size({"qk_nope_head_dim"});
    a.rope_dim = config.size({"qk_rope_head_dim"});
    a.value_dim = config.size({"v_head_dim"});
    a.key_dim = a.nope_dim + a.rope_dim;
    a.index_heads = config.size_or({"index_n_heads"}, 0);
    a.index_dim = config.size_or({"index_head_dim"}, 0);
  }
  finish_decoder(decoder, input, model);
  // A prediction layer: a whole layer, two norms, a joining projection, a norm before the shared
  // head (DeepSeek-V3, arXiv 2412.19437, section 2.2).
  const std::int64_t h = decoder.hidden;
  add_draft_layers(model, decoder, config.layers_or({"num_nextn_predict_layers"}, 0),
                   2 * h * h + 3 * h);
}

}  // namespace gpu_advisor::model
