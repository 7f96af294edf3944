#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_advisor/model/model_spec.hpp"
#include "tensor_internal.hpp"

namespace gpu_advisor::model {

/// Where a tensor belongs, read from its name.
struct Place {
  std::string stack;      // what stands before the layer list: "model", "vision_tower.encoder"
  int layer = -1;         // -1: outside the layers
  int expert = -1;        // in a list of experts, one tensor each
  std::string_view part;  // what stands after them: "self_attn.q_proj.weight"
  Role role = Role::other;
};

/// Names of Hugging Face and diffusers checkpoints.
[[nodiscard]] Place place_of_checkpoint_name(std::string_view name);
/// Names of llama.cpp (gguf-py/gguf/constants.py, TENSOR_NAMES).
[[nodiscard]] Place place_of_gguf_name(std::string_view name);

/// A tensor as a weight, with its place.
struct PlacedWeight {
  Place place;
  Weight weight;
};

/// Describes the layers of one stack from their weights.
struct LayerReading {
  Attention attention;
  FeedForward ffn;
  std::string name;
};
using ReadLayer = std::function<LayerReading(int layer, const std::vector<Weight>& weights)>;

/// Stacks from placed weights: experts of a layer are joined, equal layers are one group. The stack
/// with the most weights comes first. `stack_names[i]` is the `Place::stack` of the i-th.
struct BuiltStacks {
  std::vector<Stack> stacks;
  std::vector<std::string> stack_names;
};
[[nodiscard]] BuiltStacks build_stacks(std::vector<PlacedWeight> weights, const ReadLayer& read);

/// Rows of the weights of a role in a layer (0: none), and columns.
[[nodiscard]] std::int64_t rows_of(const std::vector<Weight>& weights, Role role);
[[nodiscard]] std::int64_t cols_of(const std::vector<Weight>& weights, Role role);
[[nodiscard]] const Weight* first_of(const std::vector<Weight>& weights, Role role);
/// The feed-forward block that these weights make.
[[nodiscard]] FeedForward read_feed_forward(const std::vector<Weight>& weights, int top_k);

}  // namespace gpu_advisor::model
