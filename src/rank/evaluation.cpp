#include <algorithm>
#include <cmath>

#include "evaluation_internal.hpp"

namespace gpu_advisor::rank {
namespace {

using units::Interval;

/// Instances beyond this many are for the layout search of whole clusters, not for a price list.
constexpr int kMostInstances = 2048;

void scale(std::optional<units::FlopsPerSecond>& rate, double share) {
  if (rate)
    rate = *rate * share;
}

catalog::Accelerator slice_of(const catalog::Accelerator& whole, const catalog::Sku& sku) {
  catalog::Accelerator slice = whole;
  const double share = sku.gpus;
  // Some price lists give a slice the memory of the whole card: no slice has that.
  const bool told = sku.gpu_memory && *sku.gpu_memory < whole.memory;
  slice.memory = told ? *sku.gpu_memory : whole.memory * share;
  slice.driver_memory.reset();
  if (slice.bandwidth)
    slice.bandwidth = *slice.bandwidth * share;
  for (auto* rate : {&slice.fp64_vector, &slice.fp32_vector, &slice.fp16_vector, &slice.tf32_matrix,
                     &slice.fp16_matrix, &slice.bf16_matrix, &slice.fp8_matrix, &slice.fp4_matrix,
                     &slice.int8_matrix, &slice.fp16_matrix_acc16, &slice.fp8_matrix_acc16})
    scale(*rate, share);
  if (slice.tdp)
    slice.tdp = *slice.tdp * share;
  slice.parent = whole.id;
  return slice;
}

Interval<double> inverse(double numerator, const Interval<double>& rate) {
  const auto over = [numerator](double value) { return value > 0 ? numerator / value : 0; };
  return {over(rate.value), over(rate.high), over(rate.low)};
}

Interval<double> times(const Interval<double>& figure, double factor) {
  return {figure.value * factor, figure.low * factor, figure.high * factor};
}

/// Hours for the job, from tokens or samples; empty when the user named no amount.
std::optional<Interval<double>> job_hours(const workload::Workload& workload,
                                          const estimate::Estimate& estimate, int gpus) {
  if (!estimate.training)
    return std::nullopt;
  const double epochs = workload.epochs.value_or(1);
  if (workload.tokens && estimate.training->has_tokens)
    return inverse(*workload.tokens * epochs / gpus / 3600,
                   estimate.training->tokens_per_s_per_gpu);
  if (workload.samples)
    return inverse(*workload.samples * epochs / gpus / 3600,
                   estimate.training->samples_per_s_per_gpu);
  return std::nullopt;
}

}  // namespace

int gpus_per_instance(const catalog::Sku& sku) {
  return std::max(1, static_cast<int>(std::lround(sku.gpus)));
}

workload::Machine Machines::make(const catalog::Sku& sku, int instances) {
  const catalog::Accelerator* gpu = &catalog_->accelerators()[sku.accelerator];
  if (sku.fractional()) {
    const auto found = slices_.find(sku.id);
    gpu = found != slices_.end() ? &found->second
                                 : &slices_.emplace(sku.id, slice_of(*gpu, sku)).first->second;
  }
  return {.gpu = gpu,
          .count = gpus_per_instance(sku) * instances,
          .nodes = instances,
          .link = sku.link,
          .fabric = sku.fabric,
          .network = sku.network,
          .vcpus = sku.vcpus,
          .host_ram = sku.ram,
          .local_disk = sku.local_disk,
          .assumptions = {}};
}

Evaluator::Evaluator(const catalog::Catalog& catalog, const workload::Workload& workload,
                     const Limits& limits)
    : catalog_(&catalog),
      workload_(&workload),
      limits_(&limits),
      operations_(ops::describe(workload.model)),
      machines_(catalog) {}

const layout::Best& Evaluator::best(const catalog::Sku& sku, int instances) {
  const auto amount = [](const auto& optional) { return optional ? optional->base() : -1.0; };
  const std::vector<double> key{static_cast<double>(sku.accelerator),
                                sku.gpus,
                                amount(sku.gpu_memory),
                                static_cast<double>(instances),
                                static_cast<double>(sku.link),
                                static_cast<double>(sku.fabric),
                                instances > 1 ? amount(sku.network) : -1.0,
                                amount(sku.ram),
                                sku.vcpus.value_or(-1)};
  const auto found = known_.find(key);
  if (found != known_.end())
    return found->second;
  const workload::Machine machine = machines_.make(sku, instances);
  return known_
      .emplace(key, layout::best_layout(*workload_, operations_, machine, limits_->layout,
                                        catalog_->calibration()))
      .first->second;
}

std::vector<int> instance_counts(const catalog::Sku& sku, const Limits& limits) {
  const int each = gpus_per_instance(sku);
  if (limits.nodes)
    return {*limits.nodes};
  const int first = std::max(1, (limits.min_gpus.value_or(1) + each - 1) / each);
  const int last = limits.max_gpus ? *limits.max_gpus / each : kMostInstances;
  std::vector<int> counts;
  // Powers of two and one step between them: what schedulers and collectives like.
  for (int power = 1; power <= last && power <= kMostInstances; power *= 2)
    for (const int count : {power, power + power / 2})
      if (count >= first && count <= last && (counts.empty() || count > counts.back()))
        counts.push_back(count);
  if (limits.min_gpus && first <= last && (counts.empty() || counts.front() != first))
    counts.insert(counts.begin(), first);
  return counts;
}

bool nodes_can_cooperate(const catalog::Sku& sku) {
  using enum catalog::Fabric;
  return sku.network.has_value() || (sku.fabric != unknown && sku.fabric != none);
}

Cost cost_of(const workload::Workload& workload, const estimate::Estimate& estimate,
             units::MoneyPerHour hourly, int gpus) {
  Cost cost{.hourly = hourly, .monthly = hourly * units::hours(units::kHoursPerMonth)};
  const double kilowatts = estimate.energy.power / units::watts(1000);
  if (const auto hours = job_hours(workload, estimate, gpus)) {
    cost.job_hours = hours;
    cost.job_usd = times(*hours, hourly.dollars());
    cost.energy_kwh = times(*hours, kilowatts);
  } else {
    cost.energy_kwh = Interval<double>::exact(kilowatts);
  }
  if (estimate.inference && estimate.inference->output_tok_s)
    cost.per_million_output_tokens_usd =
        inverse(hourly.dollars() * 1e6 / 3600, *estimate.inference->output_tok_s);
  return cost;
}

Miss missed_target(const workload::Workload& workload, const Limits& limits,
                   const layout::Best& best, const Cost& cost) {
  const estimate::Estimate& answer = best.estimate;
  if (!answer.supported)
    return {.rule = "unsupported"};
  const auto gib = [](units::Bytes size) { return size / units::gib(1); };
  const units::Bytes needed = answer.memory.per_gpu.value;
  if (!best.fits)
    return {"memory", gib(needed), gib(answer.memory.capacity), "GiB"};
  const double headroom = 1 - needed / answer.memory.capacity;
  if (headroom < limits.headroom)
    return {"headroom", limits.headroom * 100, headroom * 100, "%"};
  if (workload.deadline && cost.job_hours) {
    const double allowed = *workload.deadline / units::hours(1);
    if (cost.job_hours->value > allowed)
      return {"deadline", cost.job_hours->value, allowed, "h"};
  }
  if (limits.budget && limits.budget->period == units::BudgetPeriod::total && cost.job_usd &&
      cost.job_usd->value > limits.budget->amount)
    return {"budget", cost.job_usd->value, limits.budget->amount, "USD"};
  if (!answer.inference)
    return {};
  const estimate::InferenceSpeed& speed = *answer.inference;
  if (workload.ttft_ms && speed.ttft_ms && speed.ttft_ms->value > *workload.ttft_ms)
    return {"ttft", speed.ttft_ms->value, *workload.ttft_ms, "ms"};
  if (workload.tpot_ms && speed.tpot_ms && speed.tpot_ms->value > *workload.tpot_ms)
    return {"tpot", speed.tpot_ms->value, *workload.tpot_ms, "ms"};
  if (workload.min_tokens_per_s && speed.output_tok_s &&
      speed.output_tok_s->value < *workload.min_tokens_per_s)
    return {"min_tokens_per_s", *workload.min_tokens_per_s, speed.output_tok_s->value, "tok/s"};
  if (workload.qps && speed.requests_s && speed.requests_s->value < *workload.qps)
    return {"qps", *workload.qps, speed.requests_s->value, "requests/s"};
  return {};
}

}  // namespace gpu_advisor::rank
