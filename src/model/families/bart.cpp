#include "decoder_internal.hpp"

namespace gpu_advisor::model {
namespace {

/// One side of a BART-like model (Vaswani et al. 2017): biases everywhere, LayerNorm.
LayerShape side_layer(const Config& config, StackRole role, std::int64_t width) {
  const bool decodes = role == StackRole::decoder;
  LayerShape layer;
  layer.name = decodes ? "decoder" : "encoder";
  AttentionShape& a = layer.attention;
  a.heads = a.kv_heads = decodes ? config.size({"decoder_attention_heads", "num_attention_heads"})
                                 : config.size({"encoder_attention_heads", "num_attention_heads"});
  a.key_dim = a.value_dim = width / std::max<std::int64_t>(a.heads, 1);
  a.query_bias = a.key_bias = a.value_bias = a.output_bias = true;
  a.causal = a.cached = decodes;
  layer.ffn = {.hidden = decodes
                             ? config.size_or({"decoder_ffn_dim", "intermediate_size"}, 4 * width)
                             : config.size_or({"encoder_ffn_dim", "intermediate_size"}, 4 * width),
               .gated = false,
               .bias = true};
  layer.norm_bias = true;
  if (decodes) {
    layer.cross = a;
    layer.cross_heads = a.heads;
    layer.norms = 3;
  }
  return layer;
}

Stack side(const LayerShape& layer, StackRole role, std::int64_t width, std::int64_t layers) {
  Stack stack;
  stack.role = role;
  stack.name = layer.name;
  stack.hidden = width;
  stack.layers = {make_group(layer, width, static_cast<int>(layers))};
  return stack;
}

void add_layer_norm(Stack& stack) {
  add_vector(stack.outside, Role::norm, stack.hidden);
  add_vector(stack.outside, Role::bias, stack.hidden);
}

void add_words(Stack& stack, std::int64_t vocab, bool first) {
  stack.vocab = vocab;
  stack.outside.push_back(
      {.role = Role::token_embedding, .rows = vocab, .cols = stack.hidden, .tied = !first});
}

}  // namespace

void read_bart(const FamilyInput& input, ModelSpec& model) {
  const Config& config = input.config;
  const std::int64_t width = config.size({"d_model", "hidden_size"});
  const std::int64_t vocab = config.entries_or({"vocab_size"}, 0);
  constexpr std::int64_t kOffset = 2;  // positions before the first token
  const std::int64_t positions = config.entries_or({"max_position_embeddings"}, 1024) + kOffset;
  const bool final_norm = config.flag_or({"add_final_layer_norm"}, false);
  for (const StackRole role : {StackRole::decoder, StackRole::encoder}) {
    const bool decodes = role == StackRole::decoder;
    const std::int64_t layers = decodes ? config.layers({"decoder_layers", "num_hidden_layers"})
                                        : config.layers({"encoder_layers", "num_hidden_layers"});
    Stack stack = side(side_layer(config, role, width), role, width, layers);
    add_words(stack, vocab, decodes);
    add_matrix(stack.outside, Role::position_embedding, positions, width);
    add_layer_norm(stack);
    if (final_norm) {
      add_layer_norm(stack);
    }
    if (decodes) {
      stack.tied_embeddings = true;
      stack.outside.push_back({.role = Role::head, .rows = vocab, .cols = width, .tied = true});
    }
    model.stacks.push_back(std::move(stack));
  }
}

/// Whisper's encoder (arXiv 2212.04356, section 2.2): two convolutions over the spectrogram, stored
/// sine positions, keys without bias.
Stack whisper_encoder(const Config& config) {
  const std::int64_t width = config.size({"d_model", "hidden_size"});
  LayerShape layer = side_layer(config, StackRole::encoder, width);
  layer.attention.key_bias = false;
  Stack stack =
      side(layer, StackRole::audio, width, config.layers({"encoder_layers", "num_hidden_layers"}));
  stack.name = "audio encoder";
  constexpr std::int64_t kKernel = 3;
  const std::int64_t mels = config.size_or({"num_mel_bins"}, 80);
  for (const std::int64_t channels : {mels, width}) {
    stack.outside.push_back(
        {.role = Role::convolution, .rows = width, .cols = channels * kKernel, .taps = kKernel});
    add_vector(stack.outside, Role::bias, width);
  }
  add_matrix(stack.outside, Role::position_embedding,
             config.entries_or({"max_source_positions"}, 1500), width);
  add_layer_norm(stack);
  return stack;
}

void read_whisper(const FamilyInput& input, ModelSpec& model) {
  const Config& config = input.config;
  const std::int64_t width = config.size({"d_model", "hidden_size"});
  const std::int64_t vocab = config.entries_or({"vocab_size"}, 0);
  LayerShape layer = side_layer(config, StackRole::decoder, width);
  layer.attention.key_bias = layer.cross.key_bias = false;
  Stack decoder = side(layer, StackRole::decoder, width,
                       config.layers({"decoder_layers", "num_hidden_layers"}));
  add_words(decoder, vocab, true);
  add_matrix(decoder.outside, Role::position_embedding,
             config.entries_or({"max_target_positions"}, 448), width);
  add_layer_norm(decoder);
  decoder.tied_embeddings = true;
  decoder.outside.push_back({.role = Role::head, .rows = vocab, .cols = width, .tied = true});
  model.stacks.push_back(std::move(decoder));
  model.stacks.push_back(whisper_encoder(config));
}

/// The decoder of TrOCR (a BART decoder over an image encoder of another width).
Stack trocr_decoder(const Config& config, std::int64_t source) {
  const std::int64_t width = config.size({"d_model", "hidden_size"});
  LayerShape layer = side_layer(config, StackRole::decoder, width);
  layer.cross.source_dim = config.size_or({"cross_attention_hidden_size"}, source);
  Stack stack = side(layer, StackRole::decoder, width,
                     config.layers({"decoder_layers", "num_hidden_layers"}));
  add_words(stack, config.entries_or({"vocab_size"}, 0), true);
  constexpr std::int64_t kOffset = 2;
  if (config.flag_or({"use_learned_position_embeddings"}, true)) {
    add_matrix(stack.outside, Role::position_embedding,
               config.entries_or({"max_position_embeddings"}, 512) + kOffset, width);
  }
  if (config.flag_or({"layernorm_embedding"}, true)) {
    add_layer_norm(stack);
  }
  stack.tied_embeddings = true;
  stack.outside.push_back({.role = Role::head, .rows = stack.vocab, .cols = width, .tied = true});
  return stack;
}

}  // namespace gpu_advisor::model
