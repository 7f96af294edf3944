#include <algorithm>
#include <array>
#include <utility>

#include "gpu_advisor/ops/operation.hpp"
#include "saved_internal.hpp"

namespace gpu_advisor::ops {
namespace {

using model::AttentionKind;
using model::LayerGroup;
using model::Role;
using model::Stack;
using model::Weight;

/// What a role means for an operation. `matrix`: its weight is multiplied with every token.
struct RoleRow {
  Role role;
  OpKind kind;
  bool matrix;
  bool tensor_sharded;  // Megatron splits it (Shoeybi et al. 2019, section 3)
};

constexpr std::array kRoles = {
    RoleRow{Role::token_embedding, OpKind::embedding, false, true},
    RoleRow{Role::position_embedding, OpKind::embedding, false, false},
    RoleRow{Role::query, OpKind::projection, true, true},
    RoleRow{Role::key, OpKind::projection, true, true},
    RoleRow{Role::value, OpKind::projection, true, true},
    RoleRow{Role::fused_qkv, OpKind::projection, true, true},
    RoleRow{Role::attention_output, OpKind::projection, true, true},
    RoleRow{Role::latent_down, OpKind::projection, true, false},
    RoleRow{Role::latent_up, OpKind::projection, true, true},
    RoleRow{Role::gate, OpKind::projection, true, true},
    RoleRow{Role::up, OpKind::projection, true, true},
    RoleRow{Role::fused_gate_up, OpKind::projection, true, true},
    RoleRow{Role::down, OpKind::projection, true, true},
    RoleRow{Role::router, OpKind::router, true, false},
    RoleRow{Role::expert_gate, OpKind::expert, true, true},
    RoleRow{Role::expert_up, OpKind::expert, true, true},
    RoleRow{Role::expert_down, OpKind::expert, true, true},
    RoleRow{Role::shared_expert, OpKind::projection, true, true},
    RoleRow{Role::state_projection, OpKind::projection, true, true},
    RoleRow{Role::state_other, OpKind::other, false, true},
    RoleRow{Role::cross_attention, OpKind::projection, true, true},
    RoleRow{Role::norm, OpKind::norm, false, false},
    RoleRow{Role::bias, OpKind::other, false, false},
    RoleRow{Role::head, OpKind::head, true, true},
    RoleRow{Role::pooler, OpKind::projection, false, false},
    RoleRow{Role::convolution, OpKind::convolution, true, false},
    RoleRow{Role::projector, OpKind::projection, true, false},
    RoleRow{Role::indexer, OpKind::projection, true, false},
    RoleRow{Role::other, OpKind::other, false, false},
};

const RoleRow& role_row(Role role) {
  const auto* row = std::ranges::find(kRoles, role, &RoleRow::role);
  return row != kRoles.end() ? *row : kRoles.back();
}

/// Where an operation stands.
struct Place {
  int stack = 0;
  int group = -1;
  int layers = 1;
};

Operation at(Place place, OpKind kind, Role role) {
  Operation op;
  op.kind = kind;
  op.role = role;
  op.stack = place.stack;
  op.group = place.group;
  op.layers = place.layers;
  op.sharding.pipeline = place.group >= 0;
  return op;
}

bool is_expert(Role role) {
  return role == Role::expert_gate || role == Role::expert_up || role == Role::expert_down;
}

Operation weight_operation(Place place, const Weight& weight) {
  const RoleRow& row = role_row(weight.role);
  Operation op = at(place, row.kind, weight.role);
  op.out_features = weight.rows;
  op.in_features = weight.cols;
  op.copies = weight.copies;
  op.used_share = weight.used_share;
  op.parameters = weight.tied ? 0 : weight.elements();
  op.sharding.tensor = row.tensor_sharded;
  op.sharding.expert = is_expert(weight.role);
  const auto rows = static_cast<double>(weight.rows);
  const auto cols = static_cast<double>(weight.cols);
  const double used = static_cast<double>(weight.copies) * weight.used_share;
  if (row.matrix) {
    op.flops_per_token = 2 * rows * cols * used;
    op.moved_elements_per_token =
        (rows + cols / static_cast<double>(std::max<std::int64_t>(weight.taps, 1))) * used;
  } else if (row.kind == OpKind::embedding) {
    op.moved_elements_per_token = cols;
  } else if (row.kind == OpKind::norm) {
    op.moved_elements_per_token = 2 * rows * static_cast<double>(weight.copies);
  }
  return op;
}

/// Scores and weighted values: 2 multiply-adds per head, key or value element and token looked at.
Operation attention_operation(Place place, const LayerGroup& group) {
  const model::Attention& attention = group.attention;
  Operation op = at(place, OpKind::attention, Role::other);
  op.copies = attention.heads;
  op.out_features = attention.value_dim;
  op.in_features = attention.key_dim;
  op.sharding.tensor = true;
  const double heads = attention.heads;
  op.flops_per_token_context = 2 * heads * (attention.key_dim + attention.value_dim);
  op.moved_elements_per_token =
      2 * heads * attention.key_dim + 2.0 * attention.kv_heads * attention.key_dim;
  if (attention.cached) {
    op.cache_elements_per_token = static_cast<double>(attention.cache_elements_per_token());
  }
  op.window = attention.window.value_or(0);
  return op;
}

// A recurrence decays the state, adds an outer product and reads it: three multiply-adds for each
// element of the state and token (Dao and Gu 2024, arXiv 2405.21060, section 2, recurrent form).
constexpr double kStateFlops = 6;

Operation state_operation(Place place, const LayerGroup& group) {
  const model::Attention& attention = group.attention;
  Operation op = at(place, OpKind::state_scan, Role::other);
  op.sharding.tensor = true;
  op.state_elements = static_cast<double>(attention.state_elements + attention.conv_elements);
  op.flops_per_token = kStateFlops * static_cast<double>(attention.state_elements);
  return op;
}

Operation activation_operation(Place place, const LayerGroup& group) {
  const model::FeedForward& ffn = group.ffn;
  Operation op = at(place, OpKind::activation, Role::other);
  op.sharding.tensor = true;
  const double routed = ffn.experts > 0 ? static_cast<double>(ffn.hidden) * ffn.top_k
                                        : static_cast<double>(ffn.hidden);
  const double width = routed + static_cast<double>(ffn.shared_hidden);
  op.moved_elements_per_token = (ffn.gated ? 3 : 2) * width;
  return op;
}

Operation aggregate_operation(int stack_index, const Stack& stack) {
  Operation op = at({.stack = stack_index}, OpKind::aggregate, Role::other);
  op.parameters = stack.aggregate_parameters.value_or(0);
  if (stack.aggregate) {
    op.flops_per_token = 2e9 * stack.aggregate->gmacs.value_or(0);  // per sample
    op.saved_elements_per_token = 1e6 * stack.aggregate->activations_m.value_or(0);
    op.moved_elements_per_token = 2 * op.saved_elements_per_token;
  }
  return op;
}

void add_group(OperationList& list, Place place, const Stack& stack, const LayerGroup& group) {
  const std::size_t first = list.operations.size();
  for (const Weight& weight : group.weights) {
    list.operations.push_back(weight_operation(place, weight));
  }
  if (group.attention.kind == AttentionKind::linear) {
    list.operations.push_back(state_operation(place, group));
  } else if (group.attention.kind != AttentionKind::none) {
    list.operations.push_back(attention_operation(place, group));
  }
  if (group.ffn.hidden > 0 || group.ffn.shared_hidden > 0) {
    list.operations.push_back(activation_operation(place, group));
  }
  if (list.operations.size() == first) {
    return;
  }
  Operation& last = list.operations.back();
  for (SavedTensor tensor : saved_tensors(stack, group)) {
    tensor.stack = place.stack;
    tensor.group = place.group;
    tensor.layers = place.layers;
    if (tensor.kind == SavedKind::scores) {
      last.saved_elements_per_token_context += tensor.elements_per_token;
    } else {
      last.saved_elements_per_token += tensor.elements_per_token;
    }
    if (tensor.kind == SavedKind::norm_input) {
      last.saved_fp32_per_token += tensor.elements_per_token;
    }
    list.saved.push_back(tensor);
  }
}

void add_stack(OperationList& list, int index, const Stack& stack) {
  for (const Weight& weight : stack.outside) {
    list.operations.push_back(weight_operation({.stack = index}, weight));
  }
  for (std::size_t g = 0; g < stack.layers.size(); ++g) {
    const LayerGroup& group = stack.layers[g];
    add_group(list, {.stack = index, .group = static_cast<int>(g), .layers = group.count}, stack,
              group);
  }
  if (stack.layers.empty() && (stack.aggregate || stack.aggregate_parameters)) {
    Operation op = aggregate_operation(index, stack);
    if (!stack.outside.empty()) {
      op.parameters = 0;  // the weights are listed one by one
    }
    list.operations.push_back(op);
  }
}

}  // namespace

std::int64_t OperationList::parameters() const {
  std::int64_t sum = 0;
  for (const Operation& op : operations) {
    sum += op.parameters * op.layers;
  }
  return sum;
}

double OperationList::active_parameters() const {
  double sum = 0;
  for (const Operation& op : operations) {
    sum += static_cast<double>(op.parameters) * op.layers * op.used_share;
  }
  return sum;
}

double OperationList::forward_flops_per_token(double mean_context) const {
  double sum = 0;
  for (const Operation& op : operations) {
    if (op.stack != 0) {
      continue;
    }
    const double looked_at =
        op.window > 0 ? std::min(mean_context, static_cast<double>(op.window)) : mean_context;
    sum += op.layers * (op.flops_per_token + op.flops_per_token_context * looked_at);
  }
  return sum;
}

OperationList describe(const model::ModelSpec& model) {
  OperationList list;
  for (std::size_t s = 0; s < model.stacks.size(); ++s) {
    add_stack(list, static_cast<int>(s), model.stacks[s]);
  }
  return list;
}

}  // namespace gpu_advisor::ops
