#include "decoder_internal.hpp"

namespace gpu_advisor::model {

/// Falcon, also under its first names (RefinedWeb): one joint matrix of query, key and value, no
/// biases; two norms before the parallel blocks in the new architecture, one in the old.
void read_falcon(const FamilyInput& input, ModelSpec& model) {
  const Config& config = input.config;
  Decoder decoder = read_decoder(input);
  AttentionShape& attention = decoder.layer.attention;
  const bool grouped =
      config.flag_or({"new_decoder_architecture"}, config.has_any({"n_head_kv", "num_kv_heads"}));
  const bool parallel = config.flag_or({"parallel_attn"}, true);
  if (!grouped) {
    attention.kv_heads = config.flag_or({"multi_query"}, true) ? 1 : attention.heads;
  }
  const std::int64_t norms = config.size_or({"num_ln_in_parallel_attn"}, grouped ? 2 : 1);
  decoder.layer.norms = parallel ? norms : 2;
  finish_decoder(decoder, input, model);
}

}  // namespace gpu_advisor::model
