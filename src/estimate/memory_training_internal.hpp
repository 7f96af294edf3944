#pragma once

#include "memory_framework_internal.hpp"
#include "memory_internal.hpp"

namespace gpu_advisor::estimate {

/// Bytes per element of what a training run keeps.
struct Regime {
  Framework framework;
  Optimizer optimizer;
  bool adapters = false;  // only low-rank adapters are trained
  double weight = 2;      // trained weights
  double gradient = 2;
  double master = 0;         // fp32 masters beside 16-bit weights
  double moment = 2;         // each moment
  double activation = 2;     // tensors kept for the backward pass
  double residual = 2;       // the stream between layers
  double autocast_copy = 0;  // 16-bit copies of fp32 weights, kept during a pass
  double frozen_other = 2;   // frozen weights that are not quantised
};
[[nodiscard]] Regime regime_of(const Question& question);

/// Bytes of weights and states on the fullest GPU, after sharding.
struct StateBytes {
  double weights = 0;        // trained and frozen
  double gradients = 0;      // all of them
  double moments = 0;        // with masters
  double step_copies = 0;    // temporaries of the optimizer step
  double trained = 0;        // parameters trained, all GPUs
  double host = 0;           // bytes in host memory, all GPUs
  double total_weights = 0;  // sum over all GPUs
  double workspace = 0;      // dequantised copy of a matrix
  double gathered = 0;       // layers gathered from their shards, reduce buckets
};
[[nodiscard]] StateBytes state_bytes(const Question& question, const Regime& regime);
/// Parameters of the adapters, all layers.
[[nodiscard]] double adapter_parameters(const Question& question, const Regime& regime);

/// Bytes of activations on the fullest GPU.
struct ActivationBytes {
  double kept = 0;       // until the backward pass reaches them
  double recompute = 0;  // one layer while it is worked on: its tensors and their gradients
  double logits = 0;     // at the loss
};
[[nodiscard]] ActivationBytes activation_bytes(const Question& question, const Regime& regime,
                                               const Amounts& amounts);

/// Whether a run of this length can only be one with fused kernels.
[[nodiscard]] bool uses_fused_kernels(const Question& question, const Regime& regime,
                                      std::int64_t seq_len);

/// The moments at which a step may peak; the largest counts.
enum class Moment { loss, first_backward, last_backward, step };
struct Peak {
  Moment moment = Moment::loss;
  Memory::Parts parts;
};
[[nodiscard]] Peak training_peak(const Question& question, const Regime& regime,
                                 const StateBytes& states, const ActivationBytes& activations);
/// The peak with what stands outside the tensors: context, fragmentation, host memory.
[[nodiscard]] Need whole_need(const Question& question, const Regime& regime,
                              const ActivationBytes& activations);

}  // namespace gpu_advisor::estimate
