#include <algorithm>
#include <cmath>

#include "memory_training_internal.hpp"

namespace gpu_advisor::estimate {
namespace {

using model::Role;
using ops::SavedKind;
using ops::SavedTensor;
using workload::Checkpointing;

/// Whether the weight that reads this tensor gets a gradient, so that the tensor must be kept.
bool reader_learns(Role consumer, const Regime& regime) {
  if (!regime.adapters) {
    return true;
  }
  switch (consumer) {
    case Role::query:
    case Role::fused_qkv:
    case Role::latent_down:
    case Role::latent_up:
    case Role::state_projection:
      return true;
    case Role::up:
    case Role::down:
    case Role::cross_attention:
      return regime.framework.targets == Targets::all_linear;
    default:
      return false;  // adapters are not put on routed experts
  }
}

/// How often the input of a product is kept. Dropout before an adapter keeps its result and a mask.
double linear_copies(Role consumer, const Regime& regime) {
  if (!reader_learns(consumer, regime)) {
    return regime.framework.keeps_frozen_inputs == Answer::yes ? 1 : 0;
  }
  return regime.adapters && regime.framework.adapter_dropout == Answer::yes ? 2.5 : 1;
}

// Without a fused kernel the softmax keeps its fp32 result, dropout a mask, and the product with
// the values a 16-bit copy; Korthikanti et al. 2022 count 5 bytes with a 16-bit softmax.
constexpr double kScoreBytes16 = 7;
constexpr double kScoreBytes32 = 9;

/// RMS norms came with gated feed-forwards; the others have layer norms, fused in PyTorch.
bool has_rms_norm(const Question& question, int stack, int group) {
  const model::Stack& owner = question.workload.model.stacks[static_cast<std::size_t>(stack)];
  return owner.layers.empty() || owner.layers[static_cast<std::size_t>(group)].ffn.gated;
}

/// Bytes per element of a norm's input that are kept.
double norm_bytes(const Regime& regime, bool rms) {
  // HF's RMSNorm keeps the fp32 copy of its input and, to train its weight, the normalised rows.
  if (rms && regime.framework.norm_in_fp32 == Answer::yes) {
    return regime.adapters ? 4 : 4 + regime.activation;
  }
  return regime.residual;
}

/// What a tensor's size depends on beside its own shape.
struct Surroundings {
  double context = 0;
  bool rms_norm = true;
  bool fused_attention = true;
};

// Attention by matrix products lays queries, keys and values out once more for each product.
constexpr double kUnfusedCopies = 1.75;

/// Bytes per token that one layer keeps of this tensor.
double kept_bytes(const SavedTensor& tensor, const Regime& regime, const Surroundings& around) {
  switch (tensor.kind) {
    case SavedKind::norm_input:
      return tensor.elements_per_token * norm_bytes(regime, around.rms_norm);
    case SavedKind::linear_input:
      return tensor.elements_per_token * regime.activation * linear_copies(tensor.consumer, regime);
    case SavedKind::attention:
      return tensor.elements_per_token * regime.activation *
             (regime.framework.joint_qkv == Answer::yes ? 1.5 : 1) *
             (around.fused_attention ? 1 : kUnfusedCopies);
    case SavedKind::gate_operand:
      return tensor.elements_per_token * regime.activation *
             (regime.framework.fused_gate == Answer::yes ? 0.5 : 1);
    case SavedKind::scores:
      return tensor.elements_per_token * around.context *
             (regime.activation > 2 ? kScoreBytes32 : kScoreBytes16);
    default:
      return tensor.elements_per_token * regime.activation;
  }
}

/// One kind of layer: what it keeps, and the gradients alive while its backward pass runs.
struct LayerBytes {
  int stack = 0;
  int group = 0;
  int layers = 0;
  double kept = 0;       // bytes per token
  double scores = 0;     // of kept: score matrices
  double gradients = 0;  // bytes per token
};

struct Divisors {
  double inside = 1;   // of tensors that tensor parallelism splits
  double outside = 1;  // of the others: only with sequence parallelism
};

Divisors divisors(const Question& question, const Regime& regime) {
  const double tp = question.layout.tp;
  return {.inside = tp, .outside = regime.framework.sequence_parallel == Answer::yes ? tp : 1};
}

bool trains_on_tokens(const Question& question, int stack) {
  const auto role = question.workload.model.stacks[static_cast<std::size_t>(stack)].role;
  using model::StackRole;
  return stack == 0 || role == StackRole::decoder || role == StackRole::encoder;
}

std::vector<LayerBytes> layer_kinds(const Question& question, const Regime& regime,
                                    double context) {
  const Divisors divide = divisors(question, regime);
  std::vector<LayerBytes> kinds;
  for (const SavedTensor& tensor : question.ops.saved) {
    const bool scores = tensor.kind == SavedKind::scores;
    if (!trains_on_tokens(question, tensor.stack) ||
        (scores && question.workload.flash_attention)) {
      continue;
    }
    if (kinds.empty() || kinds.back().stack != tensor.stack || kinds.back().group != tensor.group) {
      kinds.push_back({.stack = tensor.stack, .group = tensor.group, .layers = tensor.layers});
    }
    LayerBytes& kind = kinds.back();
    const double bytes = kept_bytes(tensor, regime,
                                    {.context = context,
                                     .rms_norm = has_rms_norm(question, tensor.stack, tensor.group),
                                     .fused_attention = question.workload.flash_attention}) /
                         (tensor.tensor_sharded ? divide.inside : divide.outside);
    kind.kept += bytes;
    kind.scores += scores ? bytes : 0;
    // Going back through the feed-forward, the gradients of its product and of both factors live
    // beside the tensors kept; without a gate, those before and after the non-linearity. Routed
    // experts go back one after the other, so that only one width of gradients is alive.
    const bool routed = tensor.consumer == Role::expert_gate;
    if (routed && tensor.kind == SavedKind::gate_operand) {
      continue;
    }
    if (tensor.kind == SavedKind::activation_input || tensor.kind == SavedKind::gate_operand ||
        scores) {
      kind.gradients += bytes;
    }
  }
  return kinds;
}

/// The amounts of activations, per token of the micro-batch.
struct PerToken {
  double kept = 0;       // of all layers of the fullest GPU
  double recompute = 0;  // of the largest layer
};

PerToken per_token(const Question& question, const Regime& regime, double context) {
  const double hidden = static_cast<double>(question.workload.model.main().hidden);
  const Divisors divide = divisors(question, regime);
  const double stream = hidden * regime.residual / divide.outside;
  const Checkpointing mode = question.layout.checkpointing;
  PerToken sum;
  for (const LayerBytes& kind : layer_kinds(question, regime, context)) {
    const double layer = kind.kept + kind.gradients + 2 * stream;
    switch (mode) {
      case Checkpointing::none:
        sum.kept += kind.layers * kind.kept;
        sum.recompute = std::max(sum.recompute, kind.gradients + 2 * stream);
        break;
      case Checkpointing::selective: {
        const bool half = regime.framework.half_selective == Answer::yes;
        const double dropped = half ? kind.kept / 2 : kind.scores;
        sum.kept += kind.layers * (kind.kept - dropped);
        sum.recompute = std::max(sum.recompute, kind.gradients + dropped + 2 * stream);
        break;
      }
      case Checkpointing::full:
        sum.kept += kind.layers * stream;
        sum.recompute = std::max(sum.recompute, layer);
        break;
    }
  }
  return sum;
}

/// Bytes per logit at the peak of the loss.
double logit_bytes(const Regime& regime) {
  const double logits = regime.activation;
  switch (regime.framework.loss) {
    case Loss::parallel:
      return logits + 4;  // fp32 in place, and the gradient in the type of the logits
    case Loss::chunked:
      return 3 * logits;  // logits, log-softmax of the chunks, gradient
    case Loss::fused:
      return 0;
    default:
      // Logits, their fp32 copy, its log-softmax and its gradient (transformers ForCausalLMLoss).
      return logits + 12;
  }
}

// A fused loss works on a chunk of rows (Liger Kernel, section 3.2: as many rows as make the chunk
// of logits about as large as the hidden states).
double fused_loss_bytes(double tokens, double vocab, double hidden) {
  return 2 * tokens * hidden * 2 + std::min(tokens, 1024.0) * vocab * 6;
}

bool has_vocabulary_loss(const Question& question) {
  const workload::Workload& work = question.workload;
  if (work.model.arch == model::Arch::encoder && work.task == workload::Task::finetune) {
    return false;  // a classifier on top
  }
  return std::ranges::any_of(question.ops.operations, [](const ops::Operation& op) {
    return op.kind == ops::OpKind::head && op.stack == 0;
  });
}

double loss_bytes(const Question& question, const Regime& regime, double tokens) {
  const model::Stack& stack = question.workload.model.main();
  const double hidden = static_cast<double>(stack.hidden);
  const bool gathered = regime.framework.sequence_parallel == Answer::yes && question.layout.tp > 1;
  // The last hidden states: norm, input of the head and its gradient, whole on every rank.
  const double tail =
      tokens * hidden *
      (norm_bytes(regime, has_rms_norm(question, 0, 0)) + (gathered ? 2 : 1) * regime.activation);
  if (!has_vocabulary_loss(question)) {
    return tail;
  }
  const double vocab = static_cast<double>(stack.vocab) / question.layout.tp;
  const double fused = tail + fused_loss_bytes(tokens, vocab, hidden);
  return regime.framework.loss == Loss::fused ? fused : tail + tokens * vocab * logit_bytes(regime);
}

}  // namespace

ActivationBytes activation_bytes(const Question& question, const Regime& regime,
                                 const Amounts& amounts) {
  const workload::Layout& layout = question.layout;
  double sequences = static_cast<double>(amounts.micro_batch);
  double in_flight = 1;
  if (layout.pp > 1) {
    // 1F1B holds as many micro-batches on the first stage as there are stages (Narayanan et al.
    // 2021, section 2.2.1). A local batch without accumulation is cut into as many as that.
    const double rounds = layout.grad_accum > 1 ? static_cast<double>(layout.grad_accum)
                                                : std::min<double>(layout.pp, sequences);
    sequences = layout.grad_accum > 1 ? sequences : std::ceil(sequences / rounds);
    in_flight = std::min<double>(layout.pp, rounds);
  }
  const double context = static_cast<double>(amounts.seq_len);
  const double tokens = sequences * context / layout.cp;
  const PerToken each = per_token(question, regime, context);
  ActivationBytes result;
  result.kept = each.kept * tokens * stage_share(question) * in_flight;
  // Units without gradients to reduce let FSDP run a layer ahead: two layers' tensors are alive.
  const bool ahead = regime.adapters && layout.zero_stage >= 3 &&
                     layout.checkpointing == Checkpointing::full && layout.gpus() > 1;
  result.recompute = each.recompute * tokens * (ahead ? 2 : 1);
  // On a pipeline the loss is at the last stage, which holds one micro-batch only.
  const double loss = loss_bytes(question, regime, tokens);
  const double spare = result.kept * (1 - 1 / in_flight);
  result.logits = std::max(loss - spare, 0.0);
  return result;
}

}  // namespace gpu_advisor::estimate
