#include <algorithm>
#include <cmath>

#include "memory_engine_internal.hpp"
#include "memory_internal.hpp"

namespace gpu_advisor::estimate {
namespace {

using workload::Task;

constexpr double kEightyPercent = 1.2816;  // standard deviations that hold 80 % of a normal

Interval<Bytes> interval(Bytes value, Bytes floor, double spread) {
  const double wide = std::exp(kEightyPercent * spread);
  // The floor (weights alone, say) is known and does not spread.
  return {value, std::max(value / wide, std::min(floor, value)), value * wide};
}

/// The share of the normal distribution below `x` standard deviations.
double below(double x) {
  return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

double fit_probability(Bytes value, Bytes capacity, double spread) {
  if (value <= units::bytes(0) || capacity <= units::bytes(0)) {
    return 0;
  }
  return below(std::log(capacity / value) / std::max(spread, 1e-3));
}

std::optional<Bytes> reserved(const Question& question, Bytes capacity, Bytes needed) {
  if (question.workload.task != Task::inference) {
    return std::nullopt;
  }
  const double share = engine_named(question.workload.engine).reserved_share;
  return share > 0 ? std::optional(std::max(capacity * share, needed)) : std::nullopt;
}

/// Sum over all GPUs: weights and cache as they are spread, all else as on the fullest.
Bytes total_of(const Question& question, const Need& need) {
  const double gpus = std::max(question.layout.gpus(), 1);
  if (workload::is_training(question.workload.task)) {
    return need.parts.sum() * gpus;
  }
  const Bytes rest = need.parts.sum() - need.parts.weights - need.parts.kv_cache;
  return rest * gpus + need.total_weights + need.total_kv_cache;
}

}  // namespace

Bytes Memory::Parts::sum() const {
  return weights + gradients + optimizer + activations + kv_cache + logits + communication +
         runtime + fragmentation;
}

Amounts amounts_of(const Question& question) {
  const workload::Workload& work = question.workload;
  const bool training = workload::is_training(work.task);
  return {.micro_batch =
              training ? std::max<std::int64_t>(question.layout.micro_batch, 1) : work.micro_batch,
          .seq_len = std::max<std::int64_t>(work.seq_len, 1),
          .context = std::max<std::int64_t>(work.context, 1),
          .input_len = std::max<std::int64_t>(work.input_len, 1),
          .concurrency = std::max<std::int64_t>(work.concurrency, 1)};
}

Need need_of(const Question& question, const Amounts& amounts) {
  switch (question.workload.task) {
    case Task::vision_train:
    case Task::diffusion_train:
      return vision_training_need(question, amounts);
    case Task::vision_inference:
    case Task::diffusion_inference:
      return vision_inference_need(question, amounts);
    case Task::inference:
      return inference_need(question, amounts);
    default:
      return training_need(question, amounts);
  }
}

Memory estimate_memory(const Question& question, Limits limits) {
  Memory memory;
  memory.capacity =
      question.machine.gpu != nullptr ? question.machine.gpu->usable_memory() : units::bytes(0);
  Amounts amounts = amounts_of(question);
  if (question.workload.concurrency_max && !workload::is_training(question.workload.task)) {
    memory.max_concurrency = largest_concurrency(question, amounts, memory.capacity);
    amounts.concurrency = std::max<std::int64_t>(*memory.max_concurrency, 1);
  }
  const Need need = need_of(question, amounts);
  const double spread = memory_spread(question);
  const Bytes value = need.parts.sum();
  memory.parts = need.parts;
  memory.per_gpu = interval(value, need.parts.weights, spread);
  memory.total = interval(total_of(question, need), need.total_weights, spread);
  memory.total_weights = need.total_weights;
  memory.total_kv_cache = need.total_kv_cache;
  memory.host_ram = {need.host_ram, need.host_ram, need.host_ram * 1.25};
  memory.reserved = reserved(question, memory.capacity, value);
  // Where no GPU is named there is nothing that could be too small.
  memory.fits = question.machine.gpu == nullptr || value <= memory.capacity;
  memory.fit_probability =
      question.machine.gpu == nullptr ? 1 : fit_probability(value, memory.capacity, spread);
  if (limits == Limits::solve && question.machine.gpu != nullptr) {
    solve_limits(question, memory);
  }
  return memory;
}

}  // namespace gpu_advisor::estimate
