#include "tower_internal.hpp"

namespace gpu_advisor::model {
namespace {

constexpr std::int64_t kDefaultProjection = 512;  // of CLIP configs that do not say

bool projects(const FamilyInput& input) {
  const std::vector<std::string> names = input.config.words("architectures");
  return !names.empty() && names.front().find("WithProjection") != std::string::npos;
}

Stack text_stack(const Config& config) {
  Tower tower = read_tower(config);
  tower.name = "text encoder";
  tower.role = StackRole::text_encoder;
  tower.layer.name = "text";
  tower.patch_inputs = 0;
  tower.positions = config.entries_or({"max_position_embeddings"}, 77);
  Stack stack = tower_stack(tower);
  stack.patch.reset();
  stack.vocab = config.entries_or({"vocab_size"}, 49408);
  add_matrix(stack.outside, Role::token_embedding, stack.vocab, tower.hidden);
  return stack;
}

Stack vision_stack(const Config& config) {
  Tower tower = read_tower(config);
  tower.class_token = true;
  tower.patch_bias = false;
  tower.outer_norms = 2;
  return tower_stack(tower);
}

}  // namespace

/// CLIP (arXiv 2103.00020): the text side, the image side, each with or without its projection.
void read_clip_text(const FamilyInput& input, ModelSpec& model) {
  Stack stack = text_stack(input.config);
  if (projects(input)) {
    add_linear(stack, input.config.size_or({"projection_dim"}, kDefaultProjection), stack.hidden,
               false);
  }
  model.stacks.push_back(std::move(stack));
}

void read_clip_vision(const FamilyInput& input, ModelSpec& model) {
  Stack stack = vision_stack(input.config);
  if (projects(input)) {
    add_linear(stack, input.config.size_or({"projection_dim"}, kDefaultProjection), stack.hidden,
               false);
  }
  model.stacks.push_back(std::move(stack));
}

/// Both sides.
void read_clip(const FamilyInput& input, ModelSpec& model) {
  const std::int64_t width = input.config.size_or({"projection_dim"}, kDefaultProjection);
  if (const auto vision = input.config.child("vision_config")) {
    Stack stack = vision_stack(*vision);
    add_linear(stack, width, stack.hidden, false);
    model.stacks.push_back(std::move(stack));
  }
  if (const auto text = input.config.child("text_config")) {
    Stack stack = text_stack(*text);
    add_linear(stack, width, stack.hidden, false);
    add_vector(stack.outside, Role::other, 1);  // the scale of the logits
    model.stacks.push_back(std::move(stack));
  }
}

/// Stable Diffusion's filter: a CLIP image tower and fixed concept vectors.
void read_safety_checker(const FamilyInput& input, ModelSpec& model) {
  const auto vision = input.config.child("vision_config");
  if (!vision) {
    (void)input.config.size({"vision_config"});
    return;
  }
  Stack stack = vision_stack(*vision);
  const std::int64_t width = input.config.size_or({"projection_dim"}, 768);
  add_linear(stack, width, stack.hidden, false);
  constexpr std::int64_t kConcepts = 17, kSpecial = 3;  // diffusers, safety_checker.py
  add_matrix(stack.outside, Role::other, kConcepts + kSpecial, width);
  add_vector(stack.outside, Role::other, kConcepts + kSpecial);
  model.stacks.push_back(std::move(stack));
}

}  // namespace gpu_advisor::model
