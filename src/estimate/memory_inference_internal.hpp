#pragma once

#include "memory_engine_internal.hpp"
#include "memory_internal.hpp"

namespace gpu_advisor::estimate {

/// Bytes of the key-value cache and of recurrent states.
struct CacheBytes {
  double fullest = 0;  // on the fullest GPU
  double total = 0;    // sum over all GPUs
};
[[nodiscard]] CacheBytes cache_bytes(const Question& question, const Engine& engine,
                                     const Amounts& amounts);
/// Intermediate results of the largest step.
[[nodiscard]] double work_bytes(const Question& question, const Engine& engine,
                                const Amounts& amounts);
/// Logits at sampling.
[[nodiscard]] double sampling_bytes(const Question& question, const Engine& engine,
                                    const Amounts& amounts);

}  // namespace gpu_advisor::estimate
