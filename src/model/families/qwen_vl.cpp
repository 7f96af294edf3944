#include "multimodal_internal.hpp"

namespace gpu_advisor::model {
namespace {

/// Norm and two linear layers over the joined patches of a square.
void add_merger(Stack& stack, std::int64_t norm_width, std::int64_t joined, std::int64_t out,
                bool norm_bias) {
  add_vector(stack.outside, Role::norm, norm_width);
  add_vector(stack.outside, Role::bias, norm_bias ? norm_width : 0);
  add_linear(stack, joined, joined, true);
  add_linear(stack, out, joined, true);
}

struct Patches {
  Tower tower;
  std::int64_t joined = 0;  // width of the patches that become one token
};

Patches read_patches(const Config& vision) {
  Patches p;
  p.tower = read_tower(vision);
  const std::int64_t frames =
      std::clamp<std::int64_t>(vision.size_or({"temporal_patch_size"}, 2), 1, 16);
  const std::int64_t side =
      std::clamp<std::int64_t>(vision.size_or({"spatial_merge_size"}, 2), 1, 64);
  p.tower.patch_inputs *= frames;
  p.tower.outer_norms = 0;
  p.joined = p.tower.hidden * side * side;
  return p;
}

}  // namespace

/// Qwen2-VL (arXiv 2409.12191): no bias on patches, no stored positions, LayerNorm.
void read_qwen2_vl(const FamilyInput& input, ModelSpec& model) {
  read_text_part(input, model);
  const auto vision = vision_part(input, model);
  if (!vision) {
    return;
  }
  Patches p = read_patches(*vision);
  p.tower.hidden = vision->size_or({"embed_dim"}, p.tower.hidden);
  p.tower.patch_bias = false;
  p.tower.positions = 0;
  Stack stack = tower_stack(p.tower);
  add_merger(stack, p.tower.hidden, p.joined, text_width(model), true);
  model.stacks.push_back(std::move(stack));
}

/// Qwen2.5-VL: RMSNorm and a gated block, with biases.
void read_qwen25_vl(const FamilyInput& input, ModelSpec& model) {
  read_text_part(input, model);
  const auto vision = vision_part(input, model);
  if (!vision) {
    return;
  }
  Patches p = read_patches(*vision);
  p.tower.patch_bias = false;
  p.tower.positions = 0;
  p.tower.layer.ffn.gated = true;
  p.tower.layer.norm_bias = false;
  Stack stack = tower_stack(p.tower);
  add_merger(stack, p.tower.hidden, p.joined,
             vision->size_or({"out_hidden_size"}, text_width(model)), false);
  model.stacks.push_back(std::move(stack));
}

/// Qwen3-VL and Qwen3.5: stored positions, and further mergers that feed early text layers.
void read_qwen3_vl(const FamilyInput& input, ModelSpec& model) {
  read_text_part(input, model);
  const auto vision = vision_part(input, model);
  if (!vision) {
    return;
  }
  const Patches p = read_patches(*vision);
  Stack stack = tower_stack(p.tower);
  const std::int64_t out = vision->size_or({"out_hidden_size"}, text_width(model));
  add_merger(stack, p.tower.hidden, p.joined, out, true);
  const std::size_t deep =
      std::min<std::size_t>(vision->sizes("deepstack_visual_indexes").size(), 256);
  for (std::size_t i = 0; i < deep; ++i) {
    add_merger(stack, p.joined, p.joined, out, true);
  }
  model.stacks.push_back(std::move(stack));
}

}  // namespace gpu_advisor::model
