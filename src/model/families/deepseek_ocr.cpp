#include "multimodal_internal.hpp"

namespace gpu_advisor::model {
namespace {

// Qwen2-0.5B without its embedding, used as an image encoder (its published config).
Stack small_qwen() {
  LayerShape layer;
  layer.name = "vision";
  AttentionShape& a = layer.attention;
  a.heads = 14;
  a.kv_heads = 2;
  a.key_dim = a.value_dim = 64;
  a.query_bias = a.key_bias = a.value_bias = true;
  a.cached = false;
  layer.ffn = {.hidden = 4864};
  constexpr std::int64_t kWidth = 896;
  Stack stack;
  stack.role = StackRole::vision;
  stack.name = "visual token encoder";
  stack.hidden = kWidth;
  stack.layers = {make_group(layer, kWidth, 24)};
  add_vector(stack.outside, Role::norm, kWidth);
  return stack;
}

}  // namespace

/// DeepSeek-OCR 2: a SAM encoder, a small language model that orders its tokens, a linear layer.
void read_deepseek_ocr(const FamilyInput& input, ModelSpec& model) {
  read_text_part(input, model);
  const auto vision = input.config.child("vision_config");
  const auto widths = vision ? vision->child("width") : std::nullopt;
  const auto sam = widths ? widths->child("sam_vit_b") : std::nullopt;
  if (!sam) {
    model.assumptions.emplace_back("the config describes no vision part");
    return;
  }
  Stack image = sam_encoder(*sam, 256);
  constexpr std::int64_t kTaps = 9;  // 3 x 3 convolutions that halve the grid
  std::int64_t channels = 256;
  for (const std::int64_t next : {std::int64_t{512}, std::int64_t{896}}) {
    image.outside.push_back(
        {.role = Role::convolution, .rows = next, .cols = channels * kTaps, .taps = kTaps});
    channels = next;
  }
  Stack order = small_qwen();
  constexpr std::int64_t kQueries = 256 + 144;  // of the global and the local view
  add_matrix(order.outside, Role::position_embedding, kQueries, order.hidden);
  add_linear(order, text_width(model), order.hidden, true);
  add_vector(order.outside, Role::other, text_width(model));  // view separator
  model.stacks.push_back(std::move(order));
  model.stacks.push_back(std::move(image));
}

}  // namespace gpu_advisor::model
