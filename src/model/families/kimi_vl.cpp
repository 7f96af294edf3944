#include "multimodal_internal.hpp"

namespace gpu_advisor::model {

/// Kimi-VL and K2.5: MoonViT (arXiv 2504.07491, section 2.1) and a projector over joined patches.
void read_kimi_vl(const FamilyInput& input, ModelSpec& model) {
  read_text_part(input, model);
  const auto vision = vision_part(input, model);
  if (!vision) {
    return;
  }
  Tower tower = read_tower(*vision);
  tower.positions =
      vision->size_or({"init_pos_emb_height"}, 64) * vision->size_or({"init_pos_emb_width"}, 64);
  Stack stack = tower_stack(tower);
  std::int64_t joined = tower.hidden;
  for (const std::int64_t side : vision->sizes("merge_kernel_size")) {
    joined *= std::clamp<std::int64_t>(side, 1, 16);
    if (joined > kMostWidth) {
      break;
    }
  }
  add_vector(stack.outside, Role::norm, tower.hidden);
  add_vector(stack.outside, Role::bias, tower.hidden);
  add_linear(stack, joined, joined, true);
  add_linear(stack, text_width(model), joined, true);
  model.stacks.push_back(std::move(stack));
}

}  // namespace gpu_advisor::model
