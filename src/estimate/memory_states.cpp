#include <algorithm>
#include <cmath>

#include "memory_training_internal.hpp"

namespace gpu_advisor::estimate {
namespace {

using model::Role;
using ops::Operation;
using ops::OpKind;
using workload::Precision;

// Adapters are trained in fp32 over any base (PEFT autocast_adapter_dtype, QLoRA section 3).
void set_adapter_states(Regime& regime) {
  regime.weight = 4;
  regime.gradient = 4;
  regime.moment = 4;
  regime.master = 0;
}

void set_full_states(Regime& regime, Precision precision, bool sharded) {
  const bool wide = precision == Precision::fp32 || precision == Precision::tf32;
  const bool autocast = precision == Precision::amp_bf16 || precision == Precision::amp_fp16;
  const States states = regime.framework.states;
  const bool over_fp32 = !wide && (autocast || states == States::fp32_weights);
  if (wide || over_fp32) {
    regime.weight = regime.gradient = regime.moment = 4;
    // Autocast keeps its 16-bit copies of the weights until the pass ends; FSDP casts as it
    // gathers.
    regime.autocast_copy = over_fp32 && !sharded ? 2 : 0;
    regime.residual = wide || !sharded ? 4 : 2;
  } else if (states == States::masters) {
    regime.gradient = regime.framework.fp32_gradients == Answer::yes ? 4 : 2;
    regime.moment = 4;
    regime.master = 4;
  }
}

bool adapted(const Operation& op, Targets targets) {
  if (op.stack != 0 || op.group < 0 || op.kind != OpKind::projection) {
    return false;
  }
  switch (op.role) {
    case Role::query:
    case Role::value:
    case Role::fused_qkv:
    case Role::latent_up:
    case Role::state_projection:
      return true;
    default:
      return targets == Targets::all_linear;
  }
}

/// Ranks over which data-parallel states are sharded.
double shards(const workload::Layout& layout) {
  return static_cast<double>(layout.dp) * layout.cp;
}

/// FSDP shards its masters at stage 2 as well; only the gathered copy stays whole.
bool sharded_masters(const Question& question, const Regime& regime) {
  const int first = regime.framework.fsdp == Answer::yes && !regime.adapters ? 2 : 3;
  return question.layout.zero_stage >= first && shards(question.layout) > 1;
}

// DeepSpeed's documentation gives 4.5 times its bucket of 5e8 elements for stages 1 and 2 with
// overlap (transformers docs, "DeepSpeed", ZeRO configuration), and keeps at most 1e9 gathered
// parameters in stage 3 (stage3_max_live_parameters) and steps through as many (sub_group_size).
constexpr double kBucketElements = 5e8;
constexpr double kBucketCopies = 4.5;
constexpr double kLiveElements = 1e9;

/// Gathered layers and reduce buckets.
double communication_bytes(const Question& question, const Regime& regime, const WeightNeed& whole,
                           const StateBytes& states) {
  const workload::Layout& layout = question.layout;
  if (shards(layout) <= 1) {
    return 0;
  }
  const double trained = states.trained / layout.tp * stage_share(question);
  const double compute = regime.activation;
  const bool flat = regime.framework.flat_gradients == Answer::yes;
  const bool deepspeed = flat && regime.framework.fp32_gradients != Answer::yes;
  if (layout.zero_stage >= 3 && layout.pp > 1) {
    // A stage comes back with every micro-batch, so FSDP keeps it gathered in 16 bits and its
    // gradients in fp32 (torchtitan, reshard_after_forward "default"; FSDP2 reduce type).
    return whole.fullest * (regime.adapters ? 1 : 3);
  }
  if (layout.zero_stage >= 3) {
    // The layer at work and the prefetched one, and what stands outside the layers (FSDP's root).
    const double gathered = 2 * whole.largest_layer + whole.outside;
    const double reduced = regime.adapters ? 0 : whole.largest_layer / 2 * compute;
    return deepspeed ? std::min(std::max(gathered, kLiveElements * 2), whole.fullest) + reduced
                     : gathered + reduced;
  }
  if (layout.zero_stage >= 1 && deepspeed) {
    return std::min(kBucketElements * kBucketCopies, trained) * regime.gradient;
  }
  if (regime.framework.fsdp == Answer::yes && layout.zero_stage == 2) {
    return whole.largest_layer;  // gradients of one layer before they are scattered
  }
  // DistributedDataParallel copies gradients into buckets (gradient_as_bucket_view is off).
  return flat ? 0 : states.trained / layout.tp * stage_share(question) * regime.gradient;
}

/// What is left of `local` when states are sharded over ranks among which experts are split as
/// well: all experts over all ranks, not each rank's own experts over them once more.
double sharded(double local, double even, double ranks) {
  return ranks > 1 ? std::min(local, even / ranks) : local;
}

struct Trained {
  double parameters = 0;  // all, of one copy of the model
  double local = 0;       // on the fullest GPU before data-parallel sharding
  double even = 0;        // the same with all experts
  double embeddings = 0;  // of local: embeddings and head
};

Trained trained_parameters(const Question& question, const Regime& regime) {
  if (regime.adapters) {
    const double all = adapter_parameters(question, regime);
    const double local = all / question.layout.tp * stage_share(question);
    return {.parameters = all, .local = local, .even = local};
  }
  const WeightNeed elements = weight_need(question, [](const Operation&) { return 1.0; });
  const WeightNeed embeddings = weight_need(question, [](const Operation& op) {
    return op.kind == OpKind::embedding || op.kind == OpKind::head ? 1.0 : 0.0;
  });
  return {.parameters = elements.total,
          .local = elements.fullest,
          .even = elements.even,
          .embeddings = embeddings.fullest};
}

double moment_bytes(const Regime& regime, const Trained& trained) {
  const Optimizer& optimizer = regime.optimizer;
  const double moment = regime.optimizer.fixed_bytes > 0 ? 4 : regime.moment;
  const double outside =
      optimizer.embedding_full || optimizer.adam_outside ? trained.embeddings : 0;
  const double inside = trained.local - outside;
  const double each = optimizer.moments * moment + optimizer.fixed_bytes;
  return inside * each + outside * 2 * moment;
}

/// Moments, masters and the temporaries of the step, on the GPU or the host.
void add_optimizer(StateBytes& states, const Question& question, const Regime& regime,
                   const Trained& trained) {
  const workload::Layout& layout = question.layout;
  const double split = layout.zero_stage >= 1 ? shards(layout) : 1;
  const double share = sharded(trained.local, trained.even, split) / std::max(trained.local, 1.0);
  const double local = (moment_bytes(regime, trained) + trained.local * regime.master) * share;
  const double replicas = layout.zero_stage >= 1 ? 1 : shards(layout);
  if (regime.optimizer.on_host) {
    // ZeRO-Offload keeps fp32 master, moments and gradient on the host, with half again for pinned
    // buffers (DeepSpeed memory estimators, additional_buffer_factor 1.5).
    states.host = trained.parameters * 16 * 1.5;
    return;
  }
  if (regime.optimizer.paged) {
    states.host = trained.parameters * (local / share / std::max(trained.local, 1.0)) * replicas;
    return;
  }
  states.moments = local;
  if (regime.framework.step_copies == Answer::yes) {
    // torch's AdamW copies a moment; DeepSpeed the gradients in fp32, at stage 3 by groups.
    const bool grouped = regime.framework.flat_gradients == Answer::yes && layout.zero_stage >= 3;
    const double kept = trained.local * share;
    const double copied = grouped ? std::min(kept, kLiveElements) : kept;
    states.step_copies = copied * regime.moment * regime.optimizer.step_copies;
  }
}

double frozen_bytes(const Question& question, const Operation& op, const Regime& regime) {
  const auto& quant = question.workload.base_quant;
  const bool matrix = op.kind == OpKind::projection || op.kind == OpKind::expert;
  if (!quant || !((matrix && op.group >= 0) || op.kind == OpKind::aggregate)) {
    return regime.frozen_other;
  }
  return quantised_bytes(question, op, *quant);
}

}  // namespace

Regime regime_of(const Question& question) {
  const workload::Workload& work = question.workload;
  Regime regime;
  regime.framework = framework_named(work.framework);
  regime.optimizer = optimizer_named(work.optimizer);
  regime.adapters = work.method != workload::Method::full;
  const bool sharded = sharded_masters(question, regime);
  const bool wide = work.precision == Precision::fp32 || work.precision == Precision::tf32;
  regime.activation = regime.residual = wide ? 4 : 2;
  if (!regime.adapters) {
    set_full_states(regime, work.precision, sharded);
    return regime;
  }
  const bool autocast =
      work.precision == Precision::amp_bf16 || work.precision == Precision::amp_fp16;
  if (!work.base_quant) {
    regime.framework.keeps_frozen_inputs = Answer::no;
  }
  const bool upcast = work.base_quant && regime.framework.upcast_frozen == Answer::yes;
  regime.frozen_other = wide || autocast || upcast ? 4 : 2;
  regime.residual = regime.frozen_other;
  set_adapter_states(regime);
  return regime;
}

double adapter_parameters(const Question& question, const Regime& regime) {
  double sum = 0;
  for (const Operation& op : question.ops.operations) {
    if (adapted(op, regime.framework.targets)) {
      sum += static_cast<double>(op.out_features + op.in_features) * op.layers *
             static_cast<double>(op.copies);
    }
  }
  if (sum == 0) {  // known only in the whole: adapters on square matrices of a typical width
    sum = static_cast<double>(question.ops.parameters()) / 1024;
  }
  return sum * question.workload.lora_rank;
}

StateBytes state_bytes(const Question& question, const Regime& regime) {
  const workload::Layout& layout = question.layout;
  const Trained trained = trained_parameters(question, regime);
  StateBytes states;
  states.trained = trained.parameters;
  const double split =
      layout.zero_stage >= 3 || sharded_masters(question, regime) ? shards(layout) : 1;
  const auto base = [&](const Operation& op) {
    return regime.adapters ? frozen_bytes(question, op, regime) : regime.weight;
  };
  const WeightNeed whole = weight_need(question, base);
  states.weights = sharded(whole.fullest, whole.even, split);
  if (regime.adapters) {
    states.weights += trained.local * regime.weight / split;
    states.workspace = question.workload.base_quant ? whole.largest_matrix * 2 : 0;
  }
  states.weights += trained.local * regime.autocast_copy;
  if (layout.zero_stage == 2 && split > 1) {  // SHARD_GRAD_OP keeps the gathered weights
    states.weights += whole.fullest / regime.weight * regime.activation;
  }
  const double gradient_split = layout.zero_stage >= 2 ? shards(layout) : 1;
  states.gradients = regime.optimizer.on_host
                         ? 0
                         : sharded(trained.local, trained.even, gradient_split) * regime.gradient;
  add_optimizer(states, question, regime, trained);
  WeightNeed gathered = whole;
  if (!regime.adapters) {
    gathered = weight_need(question, [&](const Operation&) { return regime.activation; });
  }
  states.gathered = communication_bytes(question, regime, gathered, states);
  const double copies = layout.zero_stage >= 3 ? 1 : shards(layout);
  states.total_weights = whole.total * copies;
  return states;
}

}  // namespace gpu_advisor::estimate
