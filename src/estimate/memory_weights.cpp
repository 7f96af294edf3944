#include <algorithm>

#include "memory_internal.hpp"

namespace gpu_advisor::estimate {
namespace {

using ops::Operation;
using ops::OpKind;

/// By how much tensor and expert parallelism divide an operation's weights.
double divisor(const Operation& op, const workload::Layout& layout) {
  if (op.sharding.expert && layout.ep > 1) {
    return layout.ep;
  }
  return op.sharding.tensor ? layout.tp : 1;
}

bool is_layer_matrix(const Operation& op) {
  // Modulation and other unnamed matrices of a layer are linear layers too; vectors have one
  // column.
  const bool unnamed = op.role == model::Role::other && op.in_features > 1;
  return op.group >= 0 && (op.kind == OpKind::projection || op.kind == OpKind::expert || unnamed);
}

/// Which end of a pipeline an operation outside the layers stands at.
bool at_last_stage(const Operation& op) {
  return op.stack == 0 &&
         (op.kind == OpKind::head || op.kind == OpKind::norm || op.kind == OpKind::loss);
}

/// Whether a quantiser reaches a stack beside the main one. Those that walk all linear layers take
/// the text encoders of a pipeline too (diffusers' pipeline quantisation), and bitsandbytes the
/// towers of a language model; a GGUF file holds one network.
bool quantised_too(const Question& question, const Operation& op,
                   const units::Quantisation& quant) {
  using model::StackRole;
  switch (question.workload.model.stacks[static_cast<std::size_t>(op.stack)].role) {
    case StackRole::autoencoder:
      return false;
    case StackRole::text_encoder:
    case StackRole::denoiser:
    case StackRole::prior:
      return quant.family != "gguf";
    default:
      return quant.family == "bnb";
  }
}

}  // namespace

double stage_share(const Question& question) {
  const int layers =
      question.workload.model.stacks.empty() ? 0 : question.workload.model.main().layer_count();
  const int stages = question.layout.pp;
  if (stages <= 1 || layers <= 0) {
    return 1;
  }
  const int fullest = (layers + stages - 1) / stages;
  return static_cast<double>(fullest) / layers;
}

double quantised_bytes(const Question& question, const Operation& op,
                       const units::Quantisation& quant) {
  if (op.kind == OpKind::aggregate && op.stack == 0) {
    return quant.bits_per_weight / 8;
  }
  if (op.stack > 0 && quant.family != "none" && !quantised_too(question, op, quant)) {
    return 2;  // towers, text encoders and autoencoders stay in 16 bits
  }
  if (op.kind == OpKind::embedding) {
    return (quant.embeddings_quantised ? quant.bits_per_weight : quant.bits_others) / 8;
  }
  if (op.kind == OpKind::head) {
    return quant.bits_head / 8;
  }
  if (is_layer_matrix(op) || op.kind == OpKind::aggregate) {
    return quant.bits_per_weight / 8;
  }
  // What a denoiser leaves alone stays as it was stored; ggml turns a language model's to fp32.
  const bool stored = question.workload.model.arch == model::Arch::diffusion;
  return (stored ? std::min(quant.bits_others, 16.0) : quant.bits_others) / 8;
}

WeightNeed weight_need(const Question& question, const BytesPerParameter& bytes) {
  WeightNeed need;
  double first = 0;
  double last = 0;
  double tied_head = 0;
  double other_experts = 0;  // of this stage, on the other ranks of the expert group
  std::vector<double> per_layer;
  for (const Operation& op : question.ops.operations) {
    const double share = divisor(op, question.layout);
    const double elements = static_cast<double>(op.parameters) / share;
    const double size = elements * bytes(op);
    need.total += static_cast<double>(op.parameters) * op.layers * bytes(op);
    if (is_layer_matrix(op)) {
      need.largest_matrix =
          std::max(need.largest_matrix,
                   elements / static_cast<double>(std::max<std::int64_t>(op.copies, 1)));
    }
    if (op.group >= 0 && op.stack == 0) {
      need.layers += size * op.layers;
      if (op.sharding.expert && question.layout.ep > 1) {
        other_experts += size * op.layers * (question.layout.ep - 1);
      }
      const auto index = static_cast<std::size_t>(op.group);
      per_layer.resize(std::max(per_layer.size(), index + 1));
      per_layer[index] += size;
    } else if (at_last_stage(op)) {
      last += size;
      if (op.parameters == 0) {
        tied_head = static_cast<double>(op.out_features) * static_cast<double>(op.in_features) *
                    bytes(op) / share;
      }
    } else {
      first += size * op.layers;
    }
  }
  need.layers *= stage_share(question);
  need.outside = question.layout.pp > 1 ? std::max(first, last + tied_head) : first + last;
  need.fullest = need.layers + need.outside;
  need.even = need.fullest + other_experts * stage_share(question);
  need.largest_layer = per_layer.empty() ? 0 : *std::ranges::max_element(per_layer);
  return need;
}

}  // namespace gpu_advisor::estimate
