#include <algorithm>
#include <cmath>

#include "collective_internal.hpp"
#include "memory_internal.hpp"
#include "roofline_internal.hpp"
#include "time_internal.hpp"

namespace gpu_advisor::estimate {
namespace {

using ops::Operation;
using ops::OpKind;
using workload::Checkpointing;
using workload::Method;

/// Passes over an operation in one step: forward, gradient of the inputs, gradient of the weights,
/// and the forward pass again where its results were not kept.
struct Passes {
  double products = 3;  // matrix products of the forward pass's size
  double streams = 3;   // the same for element-wise work
};

bool recomputed(const Question& question, const Operation& op) {
  switch (question.layout.checkpointing) {
    case Checkpointing::none:
      return false;
    case Checkpointing::selective:
      return op.kind == OpKind::attention;
    case Checkpointing::full:
      return op.group >= 0;
  }
  return false;
}

Passes passes_of(const Question& question, const Operation& op) {
  const bool frozen = question.workload.method != Method::full && op.kind != OpKind::attention;
  Passes passes{frozen ? 2.0 : 3.0, frozen ? 2.0 : 3.0};
  if (recomputed(question, op)) {
    passes.products += 1;
    passes.streams += 1;
  }
  return passes;
}

/// How many ways tensor and expert parallelism divide an operation.
double shards_of(const Question& question, const Operation& op) {
  double shards = op.sharding.tensor ? question.layout.tp : 1;
  if (op.sharding.expert)
    shards = std::max<double>(shards, question.layout.ep * shards);
  return shards;
}

/// Tokens of context that a token looks at on average.
double mean_context(const Operation& op, double sequence) {
  const double causal = sequence / 2;
  return op.window > 0 ? std::min<double>(static_cast<double>(op.window), causal) : causal;
}

/// Seconds of one operation for one micro-batch, all its layers, on one GPU.
double operation_seconds(const Question& question, const Roofline& roofline, const Operation& op) {
  const workload::Workload& work = question.workload;
  const double sequence = static_cast<double>(work.seq_len);
  const double tokens =
      static_cast<double>(question.layout.micro_batch) * sequence / question.layout.cp;
  const double shards = shards_of(question, op);
  const Passes passes = passes_of(question, op);
  constexpr double kElement = 2;  // bytes of an activation
  const double width = compute_bytes(work) / kElement;
  double seconds = 0;
  if (op.out_features > 0 && op.in_features > 0 && op.flops_per_token > 0) {
    const double used = static_cast<double>(op.copies) * op.used_share;
    const double rows = op.kind == OpKind::expert ? std::max(1.0, tokens * op.used_share) : tokens;
    const double matrices = op.kind == OpKind::expert ? static_cast<double>(op.copies) : used;
    const double n = static_cast<double>(op.out_features), k = static_cast<double>(op.in_features);
    const double bytes =
        (n * k / (op.sharding.expert ? 1 : shards) + rows * (n + k)) * kElement * width;
    const double each = roofline.matmul(rows, n / (op.sharding.expert ? 1 : shards), k, bytes);
    seconds += each * (op.sharding.expert ? matrices / shards : matrices) * passes.products;
  } else if (op.flops_per_token > 0) {
    seconds += roofline.stream(0, op.flops_per_token * tokens / shards) * passes.products;
  }
  if (op.flops_per_token_context > 0) {
    const double flops = op.flops_per_token_context * tokens * mean_context(op, sequence) / shards;
    // Fused attention, most of it the backward pass, reaches two fifths of the peak (Dao 2023,
    // FlashAttention-2, figure 5, on newer cards less); unfused moves the scores.
    constexpr double kFusedShare = 0.4;
    const double fused = flops / (roofline.attention_rate() * kFusedShare);
    const double scores =
        work.flash_attention ? 0 : static_cast<double>(op.copies) / shards * tokens * sequence * 6;
    // The backward pass of attention has five products to the forward pass's two.
    constexpr double kBackward = 2.5;
    const double factor = 1 + kBackward + (recomputed(question, op) ? 1 : 0);
    seconds += (fused + roofline.stream(scores * kElement)) * factor;
  }
  if (op.kind == OpKind::norm || op.kind == OpKind::activation || op.kind == OpKind::embedding)
    seconds += roofline.stream(op.moved_elements_per_token * tokens * kElement * 2 / shards) *
               passes.streams;
  return (seconds + roofline.launch() * passes.products) * op.layers;
}

/// Seconds in which the host issues one micro-batch of experts: transformers' models call every
/// expert of every layer in turn, each a dozen kernels and a selection of its tokens.
double host_seconds(const Question& question) {
  if (software_family(question.workload) != "hf")
    return 0;
  constexpr double kExpertCall = 1.5e-4;
  double calls = 0;
  for (const Operation& op : question.ops.operations)
    if (op.kind == OpKind::expert && op.used_share < 1)
      calls = std::max(calls, static_cast<double>(op.copies) * op.layers);
  const double passes = question.layout.checkpointing == Checkpointing::full ? 4 : 3;
  return calls * passes * kExpertCall;
}

/// Expanding quantised base weights to 16 bits before each use: read 4 bits, write and read 16.
double dequantisation_seconds(const Question& question, const Roofline& roofline) {
  if (!question.workload.base_quant)
    return 0;
  const double parameters =
      static_cast<double>(question.ops.parameters()) / question.layout.tp / question.layout.pp;
  const double uses = question.layout.checkpointing == Checkpointing::full ? 3 : 2;
  return roofline.stream(parameters * uses *
                         (question.workload.base_quant->bits_per_weight / 8 + 2));
}

double layer_share(const Question& question) {
  return stage_share(question);
}

/// Tensor-parallel all-reduces: two forward and two backward a layer (Shoeybi et al. 2019, section
/// 3).
double tensor_parallel_seconds(const Question& question) {
  if (question.layout.tp == 1)
    return 0;
  const model::Stack& stack = question.workload.model.main();
  const double tokens =
      static_cast<double>(question.layout.micro_batch * question.workload.seq_len) /
      question.layout.cp;
  const double bytes = tokens * static_cast<double>(stack.hidden) * 2;
  const double layers = stack.layer_count() * layer_share(question);
  const double per_layer = question.layout.checkpointing == Checkpointing::full ? 6 : 4;
  return per_layer * layers *
         all_reduce(link_of_group(question.machine, question.layout.tp), question.layout.tp, bytes);
}

/// Expert parallelism sends every token to its experts and back, forward and backward (Lepikhin et
/// al. 2020, section 3.2).
double expert_parallel_seconds(const Question& question) {
  const workload::Layout& layout = question.layout;
  if (layout.ep == 1)
    return 0;
  const Link link = link_of_group(question.machine, layout.ep * layout.tp);
  const double tokens =
      static_cast<double>(layout.micro_batch * question.workload.seq_len) / layout.cp / layout.tp;
  const double hidden = static_cast<double>(question.workload.model.main().hidden);
  const double passes = layout.checkpointing == Checkpointing::full ? 6 : 4;
  double seconds = 0, counted = 0;
  for (const Operation& op : question.ops.operations) {
    if (op.kind != OpKind::expert || op.out_features <= 0 || counted >= op.layers)
      continue;
    counted = op.layers;
    const double chosen = static_cast<double>(op.copies) * op.used_share;
    const double bytes = tokens * chosen * hidden * 2 * (layout.ep - 1) / layout.ep;
    seconds += (bytes / link.bytes_per_s + link.latency * layout.ep) * passes * op.layers;
  }
  return seconds * layer_share(question);
}

/// Bytes of parameters that take part in data-parallel communication on one model shard.
double trained_bytes(const Question& question) {
  const double parameters =
      static_cast<double>(question.ops.parameters()) / question.layout.tp / question.layout.pp;
  if (question.workload.method == Method::full)
    return parameters * compute_bytes(question.workload);
  return adapter_parameters(question) / question.layout.tp / question.layout.pp * 4;
}

struct DataParallel {
  double per_micro_batch = 0;  // gathers of sharded weights
  double per_step = 0;         // gradients
};
DataParallel data_parallel_seconds(const Question& question) {
  const int dp = question.layout.dp * question.layout.cp;
  if (dp == 1)
    return {};
  const Link link = link_of_group(question.machine, dp * question.layout.tp);
  DataParallel cost;
  cost.per_step = all_reduce(link, dp, trained_bytes(question));
  if (question.layout.zero_stage >= 3) {
    const double weights = static_cast<double>(question.ops.parameters()) / question.layout.tp /
                           question.layout.pp * 2;
    cost.per_micro_batch = 2 * all_gather(link, dp, weights);  // forward and backward
    cost.per_step = all_gather(link, dp, trained_bytes(question));
  }
  return cost;
}

/// Reading and writing weights, gradients and moments once per step.
double optimizer_seconds(const Question& question, const Roofline& roofline) {
  const double parameters =
      question.workload.method == Method::full
          ? static_cast<double>(question.ops.parameters()) / question.layout.tp / question.layout.pp
          : adapter_parameters(question);
  const double shards = question.layout.zero_stage >= 1 ? question.layout.dp : 1;
  constexpr double kAdamBytes = 28;  // fp32 weight and two moments read and written, gradient read
  const double device = roofline.stream(parameters / shards * kAdamBytes);
  if (question.workload.optimizer.find("offload") == std::string::npos)
    return device;
  const auto slot = question.machine.gpu->pcie_bandwidth();
  // Gradients go down and weights come up, 4 bytes a parameter over the slot; the host steps in
  // between.
  constexpr double kHostParametersPerSecond = 1e9;  // ZeRO-Offload (Ren et al. 2021), CPU-Adam
  return parameters / shards * (4 / (slot ? slot->base() : 15.75e9) + 1 / kHostParametersPerSecond);
}

}  // namespace

double compute_bytes(const workload::Workload& workload) {
  using enum workload::Precision;
  return workload.precision == fp32 || workload.precision == tf32 ? 4 : 2;
}

double adapter_parameters(const Question& question) {
  // Rank-r factors beside every projection: r (n + k) parameters (Hu et al. 2021, section 4.1).
  double sum = 0;
  for (const Operation& op : question.ops.operations)
    if (op.kind == OpKind::projection && op.group >= 0)
      sum += static_cast<double>(question.workload.lora_rank * (op.in_features + op.out_features)) *
             op.layers;
  return sum;
}

StepTime layered_step(const Question& question) {
  const workload::Layout& layout = question.layout;
  const Roofline roofline(question, Work::train,
                          workload::compute_type(question.workload.precision));
  StepTime step;
  if (!roofline.known())
    return step;
  double pass = 0;
  for (const Operation& op : question.ops.operations) {
    const double share = op.group >= 0 && layout.pp > 1 ? layer_share(question) : 1;
    pass += operation_seconds(question, roofline, op) * share;
  }
  pass += dequantisation_seconds(question, roofline);
  const double micro_batches = static_cast<double>(layout.grad_accum);
  step.compute =
      std::max(pass, host_seconds(question)) * micro_batches * time_factor(question, Work::train);
  const DataParallel data = data_parallel_seconds(question);
  // Gathers and reductions run beside the computation and take bandwidth and multiprocessors from
  // it; what they last beyond it is exposed, and so is a share of what they hide (first gather,
  // last reduction).
  constexpr double kAlwaysExposed = 0.1;
  const double hidden = data.per_micro_batch * micro_batches + data.per_step;
  step.communication =
      std::max(hidden - 0.8 * step.compute, kAlwaysExposed * hidden) +
      (tensor_parallel_seconds(question) + expert_parallel_seconds(question)) * micro_batches;
  // 1F1B: pp - 1 micro-batches of every pipeline are idle (Narayanan et al. 2021, section 2.2.1).
  step.bubble = (step.compute + step.communication) * (layout.pp - 1) / micro_batches;
  step.optimizer = optimizer_seconds(question, roofline);
  return step;
}

}  // namespace gpu_advisor::estimate
