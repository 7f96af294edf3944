#include "tower_internal.hpp"

namespace gpu_advisor::model {
namespace {

void add_convolution(Stack& stack, std::int64_t out, std::int64_t in, std::int64_t kernel,
                     bool bias) {
  stack.outside.push_back({.role = Role::convolution,
                           .rows = out,
                           .cols = in * kernel * kernel,
                           .taps = kernel * kernel});
  add_vector(stack.outside, Role::bias, bias ? out : 0);
}

void add_norm(Stack& stack, std::int64_t width, std::int64_t copies = 1) {
  add_vector(stack.outside, Role::norm, width, copies);
  add_vector(stack.outside, Role::bias, width, copies);
}

/// Attention of the mask decoder: queries, keys and values in `inner` channels.
void add_attention(Stack& stack, std::int64_t width, std::int64_t inner) {
  for (int i = 0; i < 3; ++i) {
    add_linear(stack, inner, width, true);
  }
  add_linear(stack, width, inner, true);
}

/// A little network of `depth` linear layers.
void add_network(Stack& stack, std::int64_t in, std::int64_t hidden, std::int64_t out,
                 std::int64_t depth) {
  for (std::int64_t i = 0; i < depth; ++i) {
    add_linear(stack, i + 1 == depth ? out : hidden, i == 0 ? in : hidden, true);
  }
}

Stack prompt_encoder(const Config& config) {
  Stack stack;
  stack.role = StackRole::other;
  stack.name = "prompt encoder";
  const std::int64_t width = config.size_or({"hidden_size"}, 256);
  const std::int64_t mask = config.size_or({"mask_input_channels"}, 16);
  stack.hidden = width;
  add_vector(stack.outside, Role::other, width, config.size_or({"num_point_embeddings"}, 4));
  add_vector(stack.outside, Role::other, width, 2);  // no point, no mask
  add_convolution(stack, mask / 4, 1, 2, true);
  add_norm(stack, mask / 4);
  add_convolution(stack, mask, mask / 4, 2, true);
  add_norm(stack, mask);
  add_convolution(stack, width, mask, 1, true);
  return stack;
}

Stack mask_decoder(const Config& config) {
  Stack stack;
  stack.role = StackRole::other;
  stack.name = "mask decoder";
  const std::int64_t width = config.size_or({"hidden_size"}, 256);
  const std::int64_t masks =
      std::min<std::int64_t>(config.size_or({"num_multimask_outputs"}, 3), 64) + 1;
  const std::int64_t inner =
      width / std::max<std::int64_t>(config.size_or({"attention_downsample_rate"}, 2), 1);
  const std::int64_t layers =
      std::min<std::int64_t>(config.layers_or({"num_hidden_layers"}, 2), 64);
  stack.hidden = width;
  add_vector(stack.outside, Role::other, width, masks + 1);
  for (std::int64_t i = 0; i < layers; ++i) {
    add_attention(stack, width, width);
    add_attention(stack, width, inner);
    add_attention(stack, width, inner);
    add_network(stack, width, config.size_or({"mlp_dim"}, 2048), width, 2);
    add_norm(stack, width, 4);
  }
  add_attention(stack, width, inner);
  add_norm(stack, width);
  add_convolution(stack, width / 4, width, 2, true);
  add_norm(stack, width / 4);
  add_convolution(stack, width / 8, width / 4, 2, true);
  for (std::int64_t i = 0; i < masks; ++i) {
    add_network(stack, width, width, width / 8, 3);
  }
  add_network(stack, width, config.size_or({"iou_head_hidden_dim"}, 256), masks,
              std::min<std::int64_t>(config.size_or({"iou_head_depth"}, 3), 16));
  return stack;
}

}  // namespace

/// The image encoder of Segment Anything (arXiv 2304.02643, section 3): ViT with relative positions
/// in windows of `window_size`, global attention in a few layers, and a convolutional neck.
Stack sam_encoder(const Config& config, std::int64_t out) {
  Tower tower = read_tower(config);
  const std::int64_t window = config.size_or({"window_size"}, 14);
  const std::int64_t side = config.size_or({"image_size"}, 1024) / tower.patch;
  tower.positions = side * side;
  tower.outer_norms = 0;
  tower.name = "image encoder";
  if (config.has("mlp_dim")) {
    tower.layer.ffn.hidden = config.size({"mlp_dim"});
  }
  const auto global = static_cast<std::int64_t>(config.sizes("global_attn_indexes").size());
  const std::int64_t head = tower.layer.attention.key_dim;
  Stack stack = tower_stack(tower);
  LayerShape local = tower.layer;
  LayerShape whole = tower.layer;
  local.name = "windowed";
  whole.name = "global";
  local.other = 2 * (2 * window - 1) * head;
  whole.other = 2 * (2 * side - 1) * head;
  const std::int64_t far = std::min(global, tower.layers);
  stack.layers = {make_group(local, tower.hidden, static_cast<int>(tower.layers - far)),
                  make_group(whole, tower.hidden, static_cast<int>(far))};
  add_convolution(stack, out, tower.hidden, 1, false);
  add_norm(stack, out);
  add_convolution(stack, out, out, 3, false);
  add_norm(stack, out);
  return stack;
}

void read_sam(const FamilyInput& input, ModelSpec& model) {
  const auto vision = input.config.child("vision_config");
  if (!vision) {
    (void)input.config.size({"vision_config"});
    return;
  }
  model.stacks.push_back(sam_encoder(*vision, vision->size_or({"output_channels"}, 256)));
  if (const auto prompt = input.config.child("prompt_encoder_config")) {
    model.stacks.push_back(prompt_encoder(*prompt));
  }
  if (const auto mask = input.config.child("mask_decoder_config")) {
    model.stacks.push_back(mask_decoder(*mask));
  }
}

}  // namespace gpu_advisor::model
