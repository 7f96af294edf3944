#include "decoder_internal.hpp"

namespace gpu_advisor::model {
namespace {

struct Transfer {
  std::int64_t hidden = 0, vocab = 0, buckets = 0;
  LayerShape layer;
  bool tied = true;
  bool bias_per_layer = false;  // UMT5: a position bias in every layer, else in the first alone
};

Transfer read_shape(const FamilyInput& input) {
  const Config& config = input.config;
  Transfer t;
  t.hidden = config.size({"d_model", "hidden_size"});
  t.vocab = config.entries_or({"vocab_size"}, 0);
  t.buckets = config.size_or({"relative_attention_num_buckets"}, 32);
  t.tied = config.flag_or({"tie_word_embeddings"}, input.traits.tied);
  t.bias_per_layer = config.word_or({"model_type"}, "") == "umt5";
  AttentionShape& a = t.layer.attention;
  a.heads = a.kv_heads = config.size({"num_heads", "num_attention_heads"});
  a.key_dim = a.value_dim = config.size_or({"d_kv"}, t.hidden / std::max<std::int64_t>(a.heads, 1));
  const std::string kind = config.word_or({"feed_forward_proj"}, "relu");
  t.layer.ffn = {.hidden = config.size_or({"d_ff", "intermediate_size"}, 4 * t.hidden),
                 .gated = kind.starts_with("gated") || config.flag_or({"is_gated_act"}, false)};
  return t;
}

Stack make_stack(const Transfer& t, StackRole role, std::int64_t layers) {
  const bool decodes = role == StackRole::decoder;
  LayerShape layer = t.layer;
  layer.name = decodes ? "decoder" : "encoder";
  layer.attention.causal = layer.attention.cached = decodes;
  if (decodes) {
    layer.cross = t.layer.attention;
    layer.cross_heads = t.layer.attention.heads;
    layer.norms = 3;
  }
  const std::int64_t bias = t.buckets * t.layer.attention.heads;
  layer.other = t.bias_per_layer ? bias : 0;
  Stack stack;
  stack.role = role;
  stack.name = layer.name;
  stack.hidden = t.hidden;
  stack.vocab = t.vocab;
  stack.tied_embeddings = t.tied;
  stack.layers = {make_group(layer, t.hidden, static_cast<int>(layers))};
  add_vector(stack.outside, Role::norm, t.hidden);
  add_vector(stack.outside, Role::position_embedding, t.bias_per_layer ? 0 : bias);
  return stack;
}

}  // namespace

/// T5, v1.1, Flan, mT5, UMT5 (arXiv 1910.10683): the embedding is shared by both sides; from v1.1
/// on the head has its own weights.
void read_t5(const FamilyInput& input, ModelSpec& model) {
  const Config& config = input.config;
  const Transfer t = read_shape(input);
  const std::int64_t layers = config.layers({"num_layers", "num_hidden_layers"});
  const std::int64_t decoders = config.layers_or({"num_decoder_layers"}, layers);
  const bool encoder_only = input.head == TaskHead::masked;
  Stack encoder = make_stack(t, StackRole::encoder, layers);
  encoder.outside.insert(
      encoder.outside.begin(),
      Weight{
          .role = Role::token_embedding, .rows = t.vocab, .cols = t.hidden, .tied = !encoder_only});
  if (!encoder_only) {
    Stack decoder = make_stack(t, StackRole::decoder, decoders);
    decoder.outside.insert(
        decoder.outside.begin(),
        Weight{.role = Role::token_embedding, .rows = t.vocab, .cols = t.hidden});
    decoder.outside.push_back(
        {.role = Role::head, .rows = t.vocab, .cols = t.hidden, .tied = t.tied});
    model.stacks.push_back(std::move(decoder));
  }
  model.stacks.push_back(std::move(encoder));
}

void read_t5_encoder(const FamilyInput& input, ModelSpec& model) {
  read_t5({.config = input.config, .head = TaskHead::masked, .traits = input.traits}, model);
}

}  // namespace gpu_advisor::model
