#include <algorithm>
#include <array>

#include "memory_training_internal.hpp"

namespace gpu_advisor::estimate {
namespace {

using units::bytes;

/// Gradients that exist throughout a pass: accumulated ones and flat buffers.
double standing_gradients(const Question& question, const Regime& regime,
                          const StateBytes& states) {
  const bool flat = regime.framework.flat_gradients == Answer::yes;
  return flat || question.layout.grad_accum > 1 ? states.gradients : 0;
}

Memory::Parts common(const StateBytes& states) {
  Memory::Parts parts;
  parts.weights = bytes(states.weights);
  parts.optimizer = bytes(states.moments);
  return parts;
}

Peak at_loss(const StateBytes& states, const ActivationBytes& activations, double standing) {
  Memory::Parts parts = common(states);
  parts.gradients = bytes(standing);
  parts.activations = bytes(activations.kept + states.workspace);
  parts.logits = bytes(activations.logits);
  parts.communication = bytes(states.gathered);
  return {.moment = Moment::loss, .parts = parts};
}

Peak at_first_backward(const StateBytes& states, const ActivationBytes& activations,
                       double standing) {
  Peak peak = at_loss(states, activations, standing);
  peak.moment = Moment::first_backward;
  peak.parts.logits = bytes(0);
  peak.parts.activations += bytes(activations.recompute);
  return peak;
}

Peak at_last_backward(const StateBytes& states, const ActivationBytes& activations) {
  Memory::Parts parts = common(states);
  parts.gradients = bytes(states.gradients);
  parts.activations = bytes(activations.recompute + states.workspace);
  parts.communication = bytes(states.gathered);
  return {.moment = Moment::last_backward, .parts = parts};
}

Peak at_step(const Regime& regime, const StateBytes& states) {
  Memory::Parts parts = common(states);
  parts.gradients = bytes(states.gradients);
  if (regime.framework.flat_gradients == Answer::yes) {
    parts.communication = bytes(states.gathered);  // buckets are flat buffers too
  }
  parts.activations = bytes(states.step_copies);
  return {.moment = Moment::step, .parts = parts};
}

}  // namespace

Peak training_peak(const Question& question, const Regime& regime, const StateBytes& states,
                   const ActivationBytes& activations) {
  const double standing = standing_gradients(question, regime, states);
  const std::array peaks = {at_loss(states, activations, standing),
                            at_first_backward(states, activations, standing),
                            at_last_backward(states, activations), at_step(regime, states)};
  return *std::ranges::max_element(peaks, {}, [](const Peak& peak) { return peak.parts.sum(); });
}

Need whole_need(const Question& question, const Regime& regime,
                const ActivationBytes& activations) {
  const StateBytes states = state_bytes(question, regime);
  Need need;
  need.parts = training_peak(question, regime, states, activations).parts;
  need.parts.runtime = runtime_bytes(question);
  need.parts.fragmentation = (need.parts.activations + need.parts.logits + need.parts.gradients) *
                             memory_constant(question, "memory_fragmentation", 0.03);
  need.total_weights = bytes(states.total_weights);
  need.host_ram = bytes(states.host / std::max(question.machine.nodes, 1));
  return need;
}

namespace {

// Logits, their fp32 copy, its log-softmax and its gradient.
constexpr double kPlainLogitBytes = 14;

/// The length at which the logits of one single sequence would fill the card. Beyond it no
/// micro-batch makes room for them: whoever trains there uses fused kernels.
std::int64_t longest_plain(const Question& question) {
  const workload::Workload& work = question.workload;
  const double vocab = std::max<double>(static_cast<double>(work.model.main().vocab), 1);
  const double room = question.machine.gpu->usable_memory() / bytes(1);
  return static_cast<std::int64_t>(room / (vocab * kPlainLogitBytes) * question.layout.cp);
}

/// The same run with fused loss, norm and gate (Hsu et al. 2024, Liger Kernel).
Regime with_fused_kernels(Regime regime) {
  regime.framework.loss = Loss::fused;
  regime.framework.norm_in_fp32 = Answer::no;
  regime.framework.fused_gate = Answer::yes;
  return regime;
}

Need need_under(const Question& question, const Regime& regime, const Amounts& amounts) {
  return whole_need(question, regime, activation_bytes(question, regime, amounts));
}

}  // namespace

bool uses_fused_kernels(const Question& question, const Regime& regime, std::int64_t seq_len) {
  return regime.framework.loss == Loss::unknown && question.machine.gpu != nullptr &&
         seq_len > longest_plain(question);
}

Need training_need(const Question& question, const Amounts& amounts) {
  const Regime regime = regime_of(question);
  if (regime.framework.loss != Loss::unknown || question.machine.gpu == nullptr) {
    return need_under(question, regime, amounts);
  }
  Amounts fused = amounts;
  fused.seq_len = std::max(amounts.seq_len, longest_plain(question) + 1);
  const Need with_kernels = need_under(question, with_fused_kernels(regime), fused);
  if (amounts.seq_len == fused.seq_len) {
    return with_kernels;
  }
  // What is enough for longer sequences is enough for shorter ones.
  const Need plain = need_under(question, regime, amounts);
  return plain.parts.sum() > with_kernels.parts.sum() ? with_kernels : plain;
}

}  // namespace gpu_advisor::estimate
