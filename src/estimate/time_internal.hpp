#pragma once

#include "gpu_advisor/estimate/estimate.hpp"

namespace gpu_advisor::estimate {

/// Seconds of one optimizer step.
struct StepTime {
  double compute = 0, communication = 0, bubble = 0, optimizer = 0, input = 0;
  [[nodiscard]] double total() const {
    return compute + communication + bubble + optimizer + input;
  }
};
/// Networks whose layers are known one by one.
[[nodiscard]] StepTime layered_step(const Question& question);
/// Networks known by published totals (vision, diffusion, speech).
[[nodiscard]] StepTime aggregate_step(const Question& question);
/// Seconds of one forward pass over `batch` samples of an aggregate network; 0: not known.
[[nodiscard]] double aggregate_forward(const Question& question, double batch);
/// Samples an aggregate network needs several passes for (denoising steps of a diffusion model).
[[nodiscard]] double passes_per_sample(const workload::Workload& workload);

/// Bytes of an activation or gradient element under the workload's precision.
[[nodiscard]] double compute_bytes(const workload::Workload& workload);
/// Parameters of the adapters.
[[nodiscard]] double adapter_parameters(const Question& question);

/// Forward and backward operations per sample by the convention of the field: 6 per parameter and
/// token plus attention (4 where the base is frozen), without recomputation.
[[nodiscard]] double model_flops_per_sample(const Question& question);

}  // namespace gpu_advisor::estimate
