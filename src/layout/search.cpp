#include "gpu_advisor/layout/search.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "legality_internal.hpp"

namespace gpu_advisor::layout {
namespace {

using workload::Checkpointing;
using workload::Layout;
using workload::Machine;
using workload::Workload;

/// Micro-batches worth trying when the user left it open: larger ones gain nothing on a GPU that
/// 8 sequences already fill, and the global batch bounds them anyway.
constexpr std::array<std::int64_t, 4> kMicroBatches{1, 2, 4, 8};

std::vector<int> zero_stages(const Workload& workload, const Limits& limits, int dp) {
  if (limits.zero_stage)
    return {*limits.zero_stage};
  if (workload.zero_stage)
    return {*workload.zero_stage};
  const bool frozen_base = workload.method != workload::Method::full;
  if (dp == 1)
    return {0};
  return frozen_base ? std::vector<int>{0, 3} : std::vector<int>{0, 1, 2, 3};
}

std::vector<Checkpointing> checkpointings(const Workload& workload) {
  if (workload.checkpointing_given)
    return {workload.checkpointing};
  return {Checkpointing::none, Checkpointing::selective, Checkpointing::full};
}

std::vector<std::int64_t> micro_batches(const Workload& workload, int dp) {
  if (workload.micro_batch_given)
    return {workload.micro_batch};
  std::vector<std::int64_t> sizes;
  for (const std::int64_t size : kMicroBatches)
    if (!workload.global_batch || size * dp <= std::max<std::int64_t>(*workload.global_batch, dp))
      sizes.push_back(size);
  return sizes;
}

std::int64_t accumulation(const Workload& workload, std::int64_t micro_batch, int dp) {
  if (!workload.global_batch)
    return workload.grad_accum;
  const std::int64_t per_pass = micro_batch * dp;
  return std::max<std::int64_t>(1, (*workload.global_batch + per_pass - 1) / per_pass);
}

void add_training_variants(const Workload& workload, const Limits& limits, const Layout& degrees,
                           std::vector<Layout>& out) {
  for (const int stage : zero_stages(workload, limits, degrees.dp))
    for (const Checkpointing checkpointing : checkpointings(workload))
      for (const std::int64_t micro_batch : micro_batches(workload, degrees.dp)) {
        Layout layout = degrees;
        layout.zero_stage = stage;
        layout.checkpointing = checkpointing;
        layout.micro_batch = micro_batch;
        layout.grad_accum = accumulation(workload, micro_batch, degrees.dp);
        out.push_back(layout);
      }
}

class RefusalLog {
 public:
  void add(std::string_view reason, const Layout& example) {
    for (Refusal& refusal : refusals_)
      if (refusal.reason == reason) {
        ++refusal.count;
        return;
      }
    refusals_.push_back({std::string(reason), 1, example});
  }
  std::vector<Refusal> take() { return std::move(refusals_); }

 private:
  std::vector<Refusal> refusals_;
};

/// Higher is better: the rate at which the work gets done.
double merit(const Workload& workload, const estimate::Estimate& answer) {
  if (answer.training)
    return answer.training->samples_per_s_per_gpu.value;
  if (!answer.inference)
    return 0;
  const estimate::InferenceSpeed& speed = *answer.inference;
  if (speed.samples_s)
    return speed.samples_s->value;
  const bool one_stream = workload.concurrency <= 1 && !workload.concurrency_max && !workload.qps;
  if (one_stream && speed.decode_tok_s_per_request)
    return speed.decode_tok_s_per_request->value;
  if (speed.output_tok_s)
    return speed.output_tok_s->value;
  return speed.prefill_tok_s ? speed.prefill_tok_s->value : 0;
}

/// Whether the latency that the user asked for is met; true when nothing was asked.
bool meets_latency(const Workload& workload, const estimate::Estimate& answer) {
  if (!answer.inference)
    return true;
  const auto within = [](const auto& figure, const std::optional<double>& limit) {
    return !limit || !figure || figure->value <= *limit;
  };
  return within(answer.inference->ttft_ms, workload.ttft_ms) &&
         within(answer.inference->tpot_ms, workload.tpot_ms);
}

/// Equal merit within one part in a thousand counts as equal, so that the simpler layout, which
/// comes first, wins.
bool clearly_better(double merit, double best) {
  return merit > best * 1.001;
}

}  // namespace

Layouts enumerate(const Workload& workload, const Machine& machine, const Limits& limits) {
  Layouts result;
  RefusalLog log;
  for (const Layout& degrees : degree_choices(workload, machine, limits)) {
    if (const std::string_view reason = illegal_because(workload, machine, degrees);
        !reason.empty()) {
      log.add(reason, degrees);
      continue;
    }
    if (workload::is_training(workload.task))
      add_training_variants(workload, limits, degrees, result.legal);
    else
      result.legal.push_back(degrees);
  }
  result.refused = log.take();
  return result;
}

Best best_layout(const Workload& workload, const ops::OperationList& ops, const Machine& machine,
                 const Limits& limits, const catalog::Calibration& calibration) {
  Layouts layouts = enumerate(workload, machine, limits);
  Best best;
  best.refused = std::move(layouts.refused);
  double best_merit = -1;
  bool best_meets = false;
  const Layout* nearest = nullptr;
  double nearest_need = std::numeric_limits<double>::infinity();
  for (const Layout& layout : layouts.legal) {
    const estimate::Question question{workload, ops, machine, layout, calibration};
    const estimate::Memory memory = estimate::estimate_memory(question);
    if (!memory.fits) {
      if (memory.per_gpu.value.base() < nearest_need) {
        nearest_need = memory.per_gpu.value.base();
        nearest = &layout;
      }
      continue;
    }
    estimate::Estimate answer = estimate::estimate(question);
    const bool meets = meets_latency(workload, answer);
    const double value = merit(workload, answer);
    if (best.fits &&
        (meets < best_meets || (meets == best_meets && !clearly_better(value, best_merit))))
      continue;
    best.fits = true;
    best_merit = value;
    best_meets = meets;
    best.estimate = std::move(answer);
  }
  if (!best.fits && nearest != nullptr)
    best.estimate = estimate::estimate({workload, ops, machine, *nearest, calibration});
  if (layouts.legal.empty()) {
    best.estimate.supported = false;
    best.estimate.reason = best.refused.empty() ? "no layout" : best.refused.front().reason;
  }
  return best;
}

}  // namespace gpu_advisor::layout
