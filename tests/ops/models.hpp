#pragma once

#include <cstdint>

#include "gpu_advisor/model/model_spec.hpp"

namespace gpu_advisor::tests {

/// The dimensions of a plain transformer for tests.
struct Shape {
  int layers = 32;
  std::int64_t hidden = 4096;
  int heads = 32;
  int kv_heads = 32;
  int head_dim = 128;
  std::int64_t ffn = 11008;
  std::int64_t vocab = 32000;
  int experts = 0;
  int top_k = 0;
};

inline void add_experts(model::LayerGroup& group, const Shape& shape) {
  using model::Role;
  const double used = static_cast<double>(shape.top_k) / shape.experts;
  for (const Role role : {Role::expert_gate, Role::expert_up, Role::expert_down}) {
    const bool down = role == Role::expert_down;
    group.weights.push_back({.role = role,
                             .rows = down ? shape.hidden : shape.ffn,
                             .cols = down ? shape.ffn : shape.hidden,
                             .copies = shape.experts,
                             .used_share = used});
  }
  group.weights.push_back({.role = Role::router, .rows = shape.experts, .cols = shape.hidden});
}

/// A Llama-like model with these dimensions, exact: gated feed-forward, RMS norms, untied head.
inline model::ModelSpec llama_like(const Shape& shape = {}) {
  using model::Role;
  const std::int64_t query = std::int64_t{shape.heads} * shape.head_dim;
  const std::int64_t key = std::int64_t{shape.kv_heads} * shape.head_dim;
  model::LayerGroup group;
  group.name = shape.experts > 0 ? "moe" : "dense";
  group.count = shape.layers;
  group.attention.kind = model::AttentionKind::full;
  group.attention.heads = shape.heads;
  group.attention.kv_heads = shape.kv_heads;
  group.attention.key_dim = shape.head_dim;
  group.attention.value_dim = shape.head_dim;
  group.ffn.gated = true;
  group.ffn.hidden = shape.ffn;
  group.ffn.experts = shape.experts;
  group.ffn.top_k = shape.top_k;
  group.weights = {{.role = Role::query, .rows = query, .cols = shape.hidden},
                   {.role = Role::key, .rows = key, .cols = shape.hidden},
                   {.role = Role::value, .rows = key, .cols = shape.hidden},
                   {.role = Role::attention_output, .rows = shape.hidden, .cols = query},
                   {.role = Role::norm, .rows = shape.hidden, .copies = 2}};
  if (shape.experts > 0) {
    add_experts(group, shape);
  } else {
    group.weights.push_back({.role = Role::gate, .rows = shape.ffn, .cols = shape.hidden});
    group.weights.push_back({.role = Role::up, .rows = shape.ffn, .cols = shape.hidden});
    group.weights.push_back({.role = Role::down, .rows = shape.hidden, .cols = shape.ffn});
  }
  model::Stack stack;
  stack.name = "language model";
  stack.hidden = shape.hidden;
  stack.vocab = shape.vocab;
  stack.layers = {group};
  stack.outside = {{.role = Role::token_embedding, .rows = shape.vocab, .cols = shape.hidden},
                   {.role = Role::norm, .rows = shape.hidden},
                   {.role = Role::head, .rows = shape.vocab, .cols = shape.hidden}};
  model::ModelSpec model;
  model.name = "test model";
  model.arch = shape.experts > 0 ? model::Arch::moe : model::Arch::dense;
  model.stacks = {stack};
  return model;
}

}  // namespace gpu_advisor::tests
