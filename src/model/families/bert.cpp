#include "decoder_internal.hpp"

namespace gpu_advisor::model {
namespace {

/// BERT's layers and what stands around them (arXiv 1810.04805); RoBERTa and its kin alike.
struct Encoder {
  std::int64_t layers = 0, hidden = 0;
  LayerShape layer;
  Surroundings around;
};

Encoder read_encoder(const FamilyInput& input) {
  const Config& config = input.config;
  Encoder encoder;
  encoder.layers = config.layers({"num_hidden_layers", "n_layers", "num_layers"});
  encoder.hidden = config.size({"hidden_size", "dim", "d_model"});
  AttentionShape& a = encoder.layer.attention;
  a.heads = a.kv_heads = config.size({"num_attention_heads", "n_heads"});
  a.key_dim = a.value_dim = encoder.hidden / std::max<std::int64_t>(a.heads, 1);
  a.query_bias = a.key_bias = a.value_bias = a.output_bias = true;
  a.causal = a.cached = false;
  encoder.layer.name = "encoder";
  encoder.layer.ffn = {
      .hidden = config.size_or({"intermediate_size", "hidden_dim"}, 4 * encoder.hidden),
      .gated = false,
      .bias = true};
  encoder.layer.norm_bias = true;
  Surroundings& around = encoder.around;
  around.vocab = config.entries_or({"vocab_size"}, 0);
  around.positions = config.entries_or({"max_position_embeddings"}, 512);
  around.token_types = config.size_or({"type_vocab_size"}, input.traits.norms == 0 ? 0 : 2);
  around.embedding_norm = true;
  around.norm_bias = true;
  around.final_norm = around.head = false;
  return encoder;
}

Stack encoder_stack(const Encoder& encoder) {
  Stack stack;
  stack.role = StackRole::encoder;
  stack.name = "encoder";
  stack.hidden = encoder.hidden;
  stack.vocab = encoder.around.vocab;
  stack.layers = {make_group(encoder.layer, encoder.hidden, static_cast<int>(encoder.layers))};
  stack.outside = make_surroundings(encoder.around, encoder.hidden);
  return stack;
}

/// What follows the layers: a pooler, the masked-word head (tied to the embedding), or labels.
void add_task(Stack& stack, const FamilyInput& input, std::int64_t word_width) {
  const std::int64_t h = stack.hidden;
  switch (input.head) {
    case TaskHead::none:
      add_matrix(stack.outside, Role::pooler, h, h, true);
      return;
    case TaskHead::classification:
      add_matrix(stack.outside, Role::pooler, h, h, true);
      add_matrix(stack.outside, Role::pooler, input.config.size_or({"num_labels"}, 2), h, true);
      return;
    case TaskHead::masked:
    case TaskHead::causal:
      add_matrix(stack.outside, Role::pooler, word_width, h, true);
      add_vector(stack.outside, Role::norm, word_width);
      add_vector(stack.outside, Role::bias, word_width);
      stack.outside.push_back(
          {.role = Role::head, .rows = stack.vocab, .cols = word_width, .tied = true});
      add_vector(stack.outside, Role::bias, stack.vocab);
      return;
  }
}

}  // namespace

void read_bert(const FamilyInput& input, ModelSpec& model) {
  const Encoder encoder = read_encoder(input);
  model.stacks.push_back(encoder_stack(encoder));
  add_task(model.stacks.back(), input, encoder.hidden);
}

/// ALBERT (arXiv 1909.11942): factorised embeddings and one set of weights for all layers. Its
/// checkpoints hold the pooler whatever the class.
void read_albert(const FamilyInput& input, ModelSpec& model) {
  Encoder encoder = read_encoder(input);
  encoder.around.embedding_dim = input.config.size_or({"embedding_size"}, 128);
  Stack stack = encoder_stack(encoder);
  const std::int64_t groups = std::clamp<std::int64_t>(
      input.config.size_or({"num_hidden_groups"}, 1), 1, std::max<std::int64_t>(encoder.layers, 1));
  LayerGroup& own = stack.layers.front();
  LayerGroup repeated = own;
  own.count = static_cast<int>(groups);
  repeated.count = static_cast<int>(encoder.layers - groups);
  repeated.name = "encoder (weights repeated)";
  for (Weight& weight : repeated.weights) {
    weight.tied = true;
  }
  if (repeated.count > 0) {
    stack.layers.push_back(std::move(repeated));
  }
  add_matrix(stack.outside, Role::projector, encoder.hidden, encoder.around.embedding_dim, true);
  add_matrix(stack.outside, Role::pooler, encoder.hidden, encoder.hidden, true);
  model.stacks.push_back(std::move(stack));
}

}  // namespace gpu_advisor::model
