#include <algorithm>
#include <functional>

#include "memory_internal.hpp"

namespace gpu_advisor::estimate {
namespace {

/// The largest n in [1, ceiling] for which `holds` is true; 0 if not even 1. `holds` is monotone.
std::int64_t largest(std::int64_t ceiling, const std::function<bool(std::int64_t)>& holds) {
  if (!holds(1)) {
    return 0;
  }
  std::int64_t good = 1;
  std::int64_t bad = 2;
  while (bad <= ceiling && holds(bad)) {
    good = bad;
    bad *= 2;
  }
  bad = std::min(bad, ceiling + 1);
  while (bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    (holds(middle) ? good : bad) = middle;
  }
  return good;
}

constexpr std::int64_t kLargestContext = 1 << 24;
constexpr std::int64_t kLargestBatch = 1 << 16;

bool fits(const Question& question, const Amounts& amounts, Bytes capacity) {
  return need_of(question, amounts).parts.sum() <= capacity;
}

}  // namespace

std::int64_t largest_concurrency(const Question& question, const Amounts& amounts, Bytes capacity) {
  return largest(kLargestBatch, [&](std::int64_t concurrency) {
    Amounts tried = amounts;
    tried.concurrency = concurrency;
    return fits(question, tried, capacity);
  });
}

void solve_limits(const Question& question, Memory& memory) {
  const Amounts asked = amounts_of(question);
  const Bytes capacity = memory.capacity;
  const bool training = workload::is_training(question.workload.task);
  const bool tokens = question.workload.task == workload::Task::inference ||
                      question.workload.task == workload::Task::pretrain ||
                      question.workload.task == workload::Task::finetune;
  if (training) {
    memory.max_micro_batch = largest(kLargestBatch, [&](std::int64_t batch) {
      Amounts tried = asked;
      tried.micro_batch = batch;
      return fits(question, tried, capacity);
    });
  } else {
    memory.max_concurrency = largest_concurrency(question, asked, capacity);
  }
  if (tokens) {
    memory.max_context = largest(kLargestContext, [&](std::int64_t length) {
      Amounts tried = asked;
      tried.seq_len = length;
      tried.context = length;
      tried.input_len = std::min(asked.input_len, length);
      return fits(question, tried, capacity);
    });
  }
}

}  // namespace gpu_advisor::estimate
