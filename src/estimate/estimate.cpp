#include "gpu_advisor/estimate/estimate.hpp"

#include <fmt/format.h>

#include "memory_internal.hpp"
#include "roofline_internal.hpp"

namespace gpu_advisor::estimate {
namespace {

/// Power of all GPUs while they work: language models keep them near their limit in training and
/// prefill and at about two thirds of it while decoding (Patel et al. 2024, "POLCA").
units::Watts power_of(const Question& question) {
  const auto& tdp = question.machine.gpu->tdp;
  if (!tdp)
    return {};
  const bool decoding = question.workload.task == workload::Task::inference;
  constexpr double kBusy = 0.9, kDecoding = 0.65;
  return *tdp * (decoding ? kDecoding : kBusy) * question.layout.gpus();
}

units::DataType product_type(const workload::Workload& work) {
  if (workload::is_training(work.task))
    return workload::compute_type(work.precision);
  return work.quant.weight_only ? units::DataType::fp16 : work.quant.compute;
}

void note_fallback(const Question& question, Estimate& answer) {
  const MatrixPeak peak = matrix_peak(*question.machine.gpu, product_type(question.workload));
  if (!peak.fallback.empty())
    answer.assumptions.push_back(fmt::format("{}: {}", question.machine.gpu->name, peak.fallback));
}

void note_margin(Estimate& answer) {
  const Memory& memory = answer.memory;
  if (memory.fits && memory.per_gpu.high > memory.capacity)
    answer.warnings.emplace_back(
        "may not fit: the upper end of the interval is above the capacity");
  if (!memory.fits && memory.per_gpu.low < memory.capacity)
    answer.warnings.emplace_back(
        "may just fit: the lower end of the interval is below the capacity");
}

/// Without a named GPU only the need can be told, not the speed.
Estimate need_alone(const Question& question) {
  Estimate answer;
  answer.layout = question.layout;
  answer.nodes = question.machine.nodes;
  answer.assumptions = question.workload.assumptions;
  answer.assumptions.emplace_back("no GPU is named: memory needed, without speed or capacity");
  answer.warnings = question.workload.warnings;
  answer.memory = estimate_memory(question);
  return answer;
}

bool has_size(const Question& question) {
  return question.machine.gpu->memory > Bytes{};
}

}  // namespace

Estimate estimate(const Question& question, Limits limits) {
  if (question.machine.gpu == nullptr)
    return need_alone(question);
  Estimate answer;
  answer.layout = question.layout;
  answer.nodes = question.machine.nodes;
  if (!has_size(question)) {
    answer.supported = false;
    answer.reason = "the memory of " + question.machine.gpu->name + " is not known";
    return answer;
  }
  answer.assumptions = question.workload.assumptions;
  answer.warnings = question.workload.warnings;
  answer.assumptions.insert(answer.assumptions.end(), question.machine.assumptions.begin(),
                            question.machine.assumptions.end());
  const std::vector<std::string> notes = memory_notes(question);
  answer.assumptions.insert(answer.assumptions.end(), notes.begin(), notes.end());
  answer.memory = estimate_memory(question, limits);
  if (workload::is_training(question.workload.task))
    answer.training = estimate_training(question);
  else
    answer.inference = estimate_inference(question, answer.memory);
  answer.energy.power = power_of(question);
  note_fallback(question, answer);
  note_margin(answer);
  return answer;
}

std::vector<Term> explain_time(const Question& question, const Memory& memory) {
  std::vector<Term> terms;
  const auto add = [&terms](std::string name, Seconds time, std::string formula) {
    terms.push_back(
        {std::move(name), time / units::seconds(1), "s", std::move(formula), "data/calibration"});
  };
  const MatrixPeak peak = matrix_peak(*question.machine.gpu, product_type(question.workload));
  const std::string roof = fmt::format(
      "max(operations / ({:.0f} TFLOP/s x share), bytes / ({:.0f} GB/s x share)) per operation",
      peak.flops_per_s / 1e12,
      question.machine.gpu->bandwidth ? question.machine.gpu->bandwidth->base() / 1e9 : 0.0);
  if (workload::is_training(question.workload.task)) {
    const TrainingSpeed speed = estimate_training(question);
    add("compute", speed.parts.compute, roof);
    add("communication exposed", speed.parts.communication_exposed,
        "alpha-beta model of the collectives, less what computation hides");
    add("bubble", speed.parts.bubble, "(pp - 1) / micro-batches");
    add("optimizer", speed.parts.optimizer, "bytes of weights, gradients and moments / bandwidth");
    add("input", speed.parts.input, "input pipeline");
    return terms;
  }
  const InferenceSpeed speed = estimate_inference(question, memory);
  if (speed.ttft_ms)
    add("time to first token", units::milliseconds(speed.ttft_ms->value), roof);
  if (speed.tpot_ms)
    add("time per output token", units::milliseconds(speed.tpot_ms->value), roof);
  return terms;
}

}  // namespace gpu_advisor::estimate
