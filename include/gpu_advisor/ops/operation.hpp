#pragma once

#include <cstdint>
#include <vector>

#include "gpu_advisor/model/model_spec.hpp"

namespace gpu_advisor::ops {

/// What kind of work an operation is; time and memory treat each by its numbers, not by its kind.
enum class OpKind {
  embedding,
  projection,
  attention,
  norm,
  activation,
  router,
  expert,
  state_scan,
  convolution,
  head,
  loss,
  aggregate,
  other
};

/// Which parallel degrees divide this operation's weights and work.
struct Sharding {
  bool tensor = false;   // tp
  bool expert = false;   // ep
  bool pipeline = true;  // belongs to a layer, so to one stage
};

/// One operation of one layer kind, per layer. Amounts are linear in the batch: totals follow from
/// the number of tokens (or samples) and, for attention, from the context each token looks at.
struct Operation {
  OpKind kind = OpKind::other;
  model::Role role = model::Role::other;
  int stack = 0;   // index into ModelSpec::stacks
  int group = -1;  // index into Stack::layers; -1: outside the layers
  int layers = 1;  // how many layers have it
  std::int64_t out_features = 0, in_features = 0;  // of a matrix product (n, k)
  std::int64_t copies = 1;                         // experts, heads
  double used_share = 1;                           // of the copies, per token
  std::int64_t parameters = 0;                     // per layer, exact (tied weights count 0)
  double flops_per_token = 0;                      // forward, per layer, parts linear in tokens
  double flops_per_token_context =
      0;  // forward, per layer: per token and token of context looked at
  double moved_elements_per_token = 0;  // activations read and written, forward, per layer
  double saved_elements_per_token =
      0;  // kept for backward without checkpointing, per layer (16-bit elements)
  double saved_elements_per_token_context = 0;  // score matrices without flash attention
  double saved_fp32_per_token =
      0;  // of the above, elements kept in fp32 (norm inputs, softmax of the loss)
  double cache_elements_per_token = 0;  // KV cache, per layer
  double state_elements = 0;            // per sequence, per layer
  std::int64_t window = 0;              // 0: unbounded context
  Sharding sharding;
};

/// What a tensor that autograd keeps is for; decides whether a framework keeps it and in which
/// type.
enum class SavedKind {
  norm_input,        // of a layer or final norm; HF's RMSNorm keeps an fp32 copy
  linear_input,      // of a matrix product: kept only if that weight is trained or adapted
  attention,         // queries, keys, values and output of a fused attention
  activation_input,  // what the non-linearity reads
  gate_operand,      // the two factors of a gated product
  scores,            // score matrices without fused attention: per token and token of context
  expert,            // permuted inputs and outputs of routed experts
  state,             // inputs of a state-space or linear-attention scan
};

/// One tensor of a layer that the backward pass reads, in elements per token and layer.
struct SavedTensor {
  SavedKind kind = SavedKind::linear_input;
  /// Of a linear_input: the weight that reads it; within routed experts: expert_gate, expert_down.
  model::Role consumer = model::Role::other;
  int stack = 0;
  int group = 0;
  int layers = 1;
  double elements_per_token = 0;
  bool tensor_sharded = false;  // tp divides it even without sequence parallelism
};

/// The model as a list of operations. The sum of `parameters * layers` equals
/// `ModelSpec::parameters()` exactly.
struct OperationList {
  std::vector<Operation> operations;
  std::vector<SavedTensor> saved;  // of every layer group, in the order of the model
  [[nodiscard]] std::int64_t parameters() const;
  [[nodiscard]] double active_parameters() const;
  /// Forward operations per token of the main stack at a context (mean context looked at).
  [[nodiscard]] double forward_flops_per_token(double mean_context) const;
};

/// Expands a model. Pure; microseconds.
[[nodiscard]] OperationList describe(const model::ModelSpec& model);

}  // namespace gpu_advisor::ops
