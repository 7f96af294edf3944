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

Need training_need(const Question& question, const Amounts& amounts) {
  const Regime regime = regime_of(question);
  return whole_need(question, regime, activation_bytes(question, regime, amounts));
}

}  // namespace gpu_advisor::estimate
