#include "multimodal_internal.hpp"

namespace gpu_advisor::model {
namespace {

/// The text side: every few layers attend to the image alone, with norms on heads and two gates.
void read_text_side(const FamilyInput& input, const Config& text, ModelSpec& model) {
  const FamilyInput inner{.config = text, .head = input.head, .traits = input.traits};
  Decoder decoder = read_decoder(inner);
  const std::vector<std::int64_t> crossing = text.sizes("cross_attention_layers");
  LayerShape cross = decoder.layer;
  cross.name = "cross attention";
  cross.attention.kind = AttentionKind::cross;
  cross.attention.head_norm = HeadNorm::per_head;
  cross.other = 2;  // gates of attention and feed-forward
  LayerCollector layers;
  for (std::int64_t i = 0; i < decoder.layers; ++i) {
    const bool crosses = std::ranges::find(crossing, i) != crossing.end();
    layers.add(crosses ? cross : layer_at(decoder, i));
  }
  decoder.layers = 0;
  finish_decoder(decoder, inner, model);
  Stack& stack = model.stacks.back();
  stack.layers = layers.groups(decoder.hidden);
  constexpr std::int64_t kImageTokens = 8;  // further embeddings of the Llama 3.2 vision models
  add_matrix(stack.outside, Role::token_embedding, kImageTokens, decoder.hidden);
}

Stack vision_side(const Config& vision, std::int64_t out) {
  Tower tower = read_tower(vision);
  AttentionShape& a = tower.layer.attention;
  a.query_bias = a.key_bias = a.value_bias = a.output_bias = false;
  const std::int64_t positions = tower.positions + 1;
  const std::int64_t tiles = vision.size_or({"max_num_tiles"}, 4);
  const std::int64_t ratios = static_cast<std::int64_t>(std::min<std::size_t>(
                                  vision.children("supported_aspect_ratios").size(), 256)) +
                              1;
  tower.class_token = true;
  tower.patch_bias = false;
  tower.outer_norms = 2;
  Stack stack = tower_stack(tower);
  LayerShape global = tower.layer;
  global.name = "global";
  global.other = 2;
  stack.layers.push_back(make_group(global, tower.hidden,
                                    static_cast<int>(vision.layers_or({"num_global_layers"}, 8))));
  add_matrix(stack.outside, Role::position_embedding, ratios, tiles * positions * tower.hidden);
  add_matrix(stack.outside, Role::position_embedding, 2 * ratios, tiles * tower.hidden);
  add_vector(stack.outside, Role::other, 3);  // gates of the position embeddings
  add_linear(stack, out, vision.size_or({"vision_output_dim"}, tower.hidden), true);
  return stack;
}

}  // namespace

/// Llama 3.2 Vision (arXiv 2407.21783, section 7): image layers between the text layers.
void read_mllama(const FamilyInput& input, ModelSpec& model) {
  const auto text = input.config.child("text_config");
  if (!text) {
    (void)input.config.size({"text_config"});
    return;
  }
  read_text_side(input, *text, model);
  if (const auto vision = vision_part(input, model)) {
    model.stacks.push_back(vision_side(*vision, text_width(model)));
  }
}

}  // namespace gpu_advisor::model
