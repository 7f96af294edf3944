#include "tower_internal.hpp"

namespace gpu_advisor::model {
namespace {

// Convolutions and batch norms of a ResNet-50 without its classifier (He et al. 2016, table 1).
constexpr std::int64_t kResnet50 = 23'508'032;

/// One side of DETR: attention, feed-forward, LayerNorm, all with biases.
Stack detr_side(const Config& config, StackRole role, std::int64_t width) {
  const bool decodes = role == StackRole::decoder;
  LayerShape layer;
  layer.name = decodes ? "decoder" : "encoder";
  AttentionShape& a = layer.attention;
  a.heads = a.kv_heads = decodes ? config.size_or({"decoder_attention_heads"}, 8)
                                 : config.size_or({"encoder_attention_heads"}, 8);
  a.key_dim = a.value_dim = width / std::max<std::int64_t>(a.heads, 1);
  a.query_bias = a.key_bias = a.value_bias = a.output_bias = true;
  a.causal = a.cached = false;
  layer.ffn = {.hidden = decodes ? config.size_or({"decoder_ffn_dim"}, 2048)
                                 : config.size_or({"encoder_ffn_dim"}, 2048),
               .gated = false,
               .bias = true};
  layer.norm_bias = true;
  if (decodes) {
    layer.cross = a;
    layer.cross_heads = a.heads;
    layer.norms = 3;
  }
  Stack stack;
  stack.role = role;
  stack.name = layer.name;
  stack.hidden = width;
  const std::int64_t layers =
      decodes ? config.layers({"decoder_layers"}) : config.layers({"encoder_layers"});
  stack.layers = {make_group(layer, width, static_cast<int>(layers))};
  return stack;
}

}  // namespace

/// DETR (arXiv 2005.12872, section 3.2): ResNet backbone, encoder, decoder over object queries.
void read_detr(const FamilyInput& input, ModelSpec& model) {
  const Config& config = input.config;
  const std::int64_t width = config.size({"d_model", "hidden_size"});
  Stack backbone;
  backbone.role = StackRole::vision;
  backbone.name = config.word_or({"backbone"}, "backbone");
  backbone.aggregate_parameters = kResnet50;
  backbone.aggregate = Aggregate{.convolutional = true};
  if (backbone.name != "resnet50") {
    model.assumptions.emplace_back("the backbone is counted as a ResNet-50");
    model.basis = ParameterBasis::inferred;
  }
  Stack encoder = detr_side(config, StackRole::encoder, width);
  constexpr std::int64_t kBackboneWidth = 2048;
  add_linear(encoder, width, kBackboneWidth, true);
  Stack decoder = detr_side(config, StackRole::decoder, width);
  add_vector(decoder.outside, Role::norm, width);
  add_vector(decoder.outside, Role::bias, width);
  add_vector(decoder.outside, Role::other, width, config.size_or({"num_queries"}, 100));
  std::int64_t labels = config.size_or({"num_labels"}, 91);
  if (const auto names = config.child("id2label")) {
    labels = static_cast<std::int64_t>(names->cursor().json().size());
  }
  add_linear(decoder, labels + 1, width, true);
  add_linear(decoder, width, width, true);
  add_linear(decoder, width, width, true);
  add_linear(decoder, 4, width, true);
  model.stacks = {std::move(encoder), std::move(decoder), std::move(backbone)};
}

/// An image encoder and a text decoder with their own configs (TrOCR).
void read_vision_encoder_decoder(const FamilyInput& input, ModelSpec& model) {
  const auto encoder = input.config.child("encoder");
  const auto decoder = input.config.child("decoder");
  if (!encoder || !decoder) {
    (void)input.config.size({"encoder"});
    return;
  }
  Tower tower = read_tower(*encoder);
  tower.class_token = true;
  Stack image = tower_stack(tower);
  add_matrix(image.outside, Role::pooler, tower.hidden, tower.hidden, true);
  Stack text = trocr_decoder(*decoder, tower.hidden);
  if (decoder->word_or({"model_type"}, "trocr") != "trocr") {
    model.basis = ParameterBasis::inferred;
    model.assumptions.emplace_back("the decoder is read as one of the BART kind");
  }
  model.stacks = {std::move(text), std::move(image)};
}

}  // namespace gpu_advisor::model
