#include <fmt/format.h>

#include "memory_training_internal.hpp"

namespace gpu_advisor::estimate {
namespace {

using workload::Precision;

std::string_view states_in_words(const Regime& regime) {
  if (regime.master > 0) {
    return "16-bit weights with fp32 masters and moments";
  }
  return regime.weight > 2 ? "fp32 weights, gradients and moments"
                           : "weights, gradients and moments all in 16 bits";
}

bool type_is_open(const workload::Workload& work) {
  return work.precision == Precision::bf16 || work.precision == Precision::fp16 ||
         work.precision == Precision::fp8;
}

}  // namespace

std::vector<std::string> memory_notes(const Question& question) {
  const workload::Workload& work = question.workload;
  std::vector<std::string> notes;
  if (!workload::is_training(work.task)) {
    return notes;
  }
  const Regime regime = regime_of(question);
  if (regime.adapters) {
    notes.emplace_back(regime.framework.targets == Targets::all_linear
                           ? "adapters on all linear layers"
                           : "adapters on the query and value projections");
  } else if (type_is_open(work)) {
    notes.push_back(fmt::format("{}: {}", name(work.precision), states_in_words(regime)));
  }
  if (uses_fused_kernels(question, regime, work.seq_len)) {
    notes.emplace_back(
        "fused loss, norm and gate kernels: the logits of one sequence would fill the card");
  }
  return notes;
}

}  // namespace gpu_advisor::estimate
