#include "decoder_internal.hpp"

namespace gpu_advisor::model {

/// OPT: two positions more than the context; small ones embed in a narrower width (350m).
void read_opt(const FamilyInput& input, ModelSpec& model) {
  Decoder decoder = read_decoder(input);
  const std::int64_t word = input.config.size_or({"word_embed_proj_dim"}, decoder.hidden);
  const bool norm_first = input.config.flag_or({"do_layer_norm_before"}, true);
  decoder.around.final_norm = norm_first;
  finish_decoder(decoder, input, model);
  if (word == decoder.hidden) {
    return;
  }
  std::vector<Weight>& outside = model.stacks.back().outside;
  for (Weight& weight : outside) {
    if (weight.role == Role::token_embedding || weight.role == Role::head) {
      weight.cols = word;
    }
  }
  add_matrix(outside, Role::projector, decoder.hidden, word);
  add_matrix(outside, Role::projector, word, decoder.hidden);
}

/// MPT: no biases when `no_bias`, positions only without ALiBi, width of the block by ratio.
void read_mpt(const FamilyInput& input, ModelSpec& model) {
  Decoder decoder = read_decoder(input);
  const Config& config = input.config;
  const bool biased = !config.flag_or({"no_bias"}, false);
  decoder.dense.hidden = config.size_or({"expansion_ratio"}, 4) * decoder.hidden;
  decoder.dense.bias = biased;
  decoder.layer.ffn = decoder.dense;
  AttentionShape& a = decoder.layer.attention;
  a.query_bias = a.key_bias = a.value_bias = a.output_bias = biased;
  decoder.layer.norm_bias = decoder.around.norm_bias = biased;
  const auto attention = config.child("attn_config");
  const bool alibi = attention && attention->flag_or({"alibi"}, false);
  if (!alibi && config.flag_or({"learned_pos_emb"}, true)) {
    decoder.around.positions = config.entries_or({"max_seq_len"}, 0);
  }
  if (attention) {
    const std::int64_t kv = attention->size_or({"kv_n_heads"}, a.heads);
    a.kv_heads = attention->word_or({"attn_type"}, "") == "multiquery_attention" ? 1 : kv;
  }
  finish_decoder(decoder, input, model);
}

/// GPT-Neo: windows on every second layer, as `attention_layers` lists or `attention_types`
/// repeats.
void read_gpt_neo(const FamilyInput& input, ModelSpec& model) {
  Decoder decoder = read_decoder(input);
  const std::vector<std::string> kinds = input.config.words("attention_layers");
  for (std::size_t i = 0; i < decoder.attention.size(); ++i) {
    const bool local = i < kinds.size() ? kinds[i] == "local" : i % 2 == 1;
    decoder.attention[i] =
        local && decoder.window > 0 ? AttentionKind::sliding : AttentionKind::full;
  }
  finish_decoder(decoder, input, model);
}

/// Fuyu: image patches enter the Persimmon decoder through one linear layer.
void read_fuyu(const FamilyInput& input, ModelSpec& model) {
  const Decoder decoder = read_decoder(input);
  finish_decoder(decoder, input, model);
  const std::int64_t patch = input.config.size_or({"patch_size"}, 30);
  const std::int64_t channels = input.config.size_or({"num_channels"}, 3);
  add_matrix(model.stacks.back().outside, Role::projector, decoder.hidden, patch * patch * channels,
             true);
}

}  // namespace gpu_advisor::model
