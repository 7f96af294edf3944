#include <algorithm>

#include "saved_internal.hpp"

namespace gpu_advisor::ops {
namespace {

using model::AttentionKind;
using model::LayerGroup;
using model::Role;
using model::Weight;

// Korthikanti et al. 2022 (arXiv 2205.05198), section 4.1, counts what a GPT layer keeps: inputs of
// the matrix products, of the norms and of the non-linearity, and queries, keys and values. The
// lists here are that count for gated feed-forwards, grouped-query and latent attention, experts
// and state-space layers, tensor by tensor, without dropout masks (current models train without).

double rows_of(const LayerGroup& group, Role role) {
  double rows = 0;
  for (const Weight& weight : group.weights) {
    if (weight.role == role) {
      rows += static_cast<double>(weight.rows);
    }
  }
  return rows;
}

bool has(const LayerGroup& group, Role role) {
  return std::ranges::any_of(group.weights, [role](const Weight& w) { return w.role == role; });
}

int norm_count(const LayerGroup& group, double hidden) {
  int norms = 0;
  for (const Weight& weight : group.weights) {
    if (weight.role == Role::norm && static_cast<double>(weight.rows) == hidden) {
      norms += static_cast<int>(weight.copies);
    }
  }
  return norms;
}

class Collector {
 public:
  void add(SavedKind kind, double elements, Role consumer = Role::other, bool sharded = false) {
    if (elements > 0) {
      tensors_.push_back({.kind = kind,
                          .consumer = consumer,
                          .elements_per_token = elements,
                          .tensor_sharded = sharded});
    }
  }
  [[nodiscard]] std::vector<SavedTensor> take() { return std::move(tensors_); }

 private:
  std::vector<SavedTensor> tensors_;
};

void add_attention(Collector& out, const LayerGroup& group, double hidden) {
  const model::Attention& attention = group.attention;
  if (attention.kind == AttentionKind::none) {
    return;
  }
  const Role reader = has(group, Role::fused_qkv)          ? Role::fused_qkv
                      : has(group, Role::latent_down)      ? Role::latent_down
                      : has(group, Role::state_projection) ? Role::state_projection
                                                           : Role::query;
  out.add(SavedKind::linear_input, hidden, reader);
  if (attention.kind == AttentionKind::linear) {
    const double widths = rows_of(group, Role::state_projection);
    out.add(SavedKind::state, std::max(widths, 2 * hidden), Role::other, true);
    out.add(SavedKind::linear_input, hidden, Role::state_projection, true);
    return;
  }
  const double heads = attention.heads;
  const bool latent = attention.kind == AttentionKind::latent;
  const double key_heads = latent ? heads : attention.kv_heads;
  const double query = heads * attention.key_dim;
  const double key = key_heads * attention.key_dim;
  const double value = key_heads * attention.value_dim;
  const double output = heads * attention.value_dim;
  out.add(SavedKind::attention, query + key + value + output, Role::other, true);
  if (latent) {
    out.add(SavedKind::linear_input, rows_of(group, Role::latent_down), Role::latent_up);
  }
  if (attention.kind == AttentionKind::cross) {
    out.add(SavedKind::linear_input, hidden, Role::cross_attention);
  }
  out.add(SavedKind::scores, heads, Role::other, true);
}

void add_dense_ffn(Collector& out, double width, bool gated, double hidden) {
  if (width <= 0) {
    return;
  }
  out.add(SavedKind::linear_input, hidden, Role::up);
  out.add(SavedKind::activation_input, width, Role::other, true);
  if (gated) {
    out.add(SavedKind::gate_operand, 2 * width, Role::other, true);
  }
  out.add(SavedKind::linear_input, width, Role::down, true);
}

void add_experts(Collector& out, const model::FeedForward& ffn, double hidden) {
  const double copies = ffn.top_k;
  const double width = copies * static_cast<double>(ffn.hidden);
  out.add(SavedKind::expert, 2 * copies * hidden);
  out.add(SavedKind::activation_input, width, Role::expert_gate, true);
  if (ffn.gated) {
    out.add(SavedKind::gate_operand, 2 * width, Role::expert_gate, true);
  }
  out.add(SavedKind::linear_input, width, Role::expert_down, true);
  add_dense_ffn(out, static_cast<double>(ffn.shared_hidden), ffn.gated, hidden);
}

}  // namespace

std::vector<SavedTensor> saved_tensors(const model::Stack& stack, const LayerGroup& group) {
  const auto hidden = static_cast<double>(stack.hidden);
  Collector out;
  const int sublayers = (group.attention.kind != AttentionKind::none ? 1 : 0) +
                        (group.ffn.hidden > 0 || group.ffn.shared_hidden > 0 ? 1 : 0);
  out.add(SavedKind::norm_input, hidden * std::max(norm_count(group, hidden), sublayers));
  add_attention(out, group, hidden);
  if (group.ffn.experts > 0) {
    add_experts(out, group.ffn, hidden);
  } else {
    add_dense_ffn(out, static_cast<double>(group.ffn.hidden), group.ffn.gated, hidden);
  }
  return out.take();
}

}  // namespace gpu_advisor::ops
