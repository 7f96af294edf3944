#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_advisor/estimate/estimate.hpp"

namespace gpu_advisor::estimate {

/// The amounts that a limit search varies, everything else of the question kept.
struct Amounts {
  std::int64_t micro_batch = 1;
  std::int64_t seq_len = 1;
  std::int64_t context = 1;
  std::int64_t input_len = 1;
  std::int64_t concurrency = 1;
};
[[nodiscard]] Amounts amounts_of(const Question& question);

/// What one GPU (the fullest) must hold at the peak moment.
struct Need {
  Memory::Parts parts;
  Bytes total_weights, total_kv_cache;  // sums over all GPUs
  Bytes host_ram;                       // per node, beyond what loading takes
};
[[nodiscard]] Need need_of(const Question& question, const Amounts& amounts);
[[nodiscard]] Need training_need(const Question& question, const Amounts& amounts);
[[nodiscard]] Need vision_training_need(const Question& question, const Amounts& amounts);
[[nodiscard]] Need inference_need(const Question& question, const Amounts& amounts);
[[nodiscard]] Need vision_inference_need(const Question& question, const Amounts& amounts);

/// Weights of a model as bytes, split over a layout.
struct WeightNeed {
  double fullest = 0;         // bytes on the fullest GPU, before data-parallel sharding
  double even = 0;            // the same with all experts: what data-parallel sharding divides
  double total = 0;           // bytes of one copy of the model
  double layers = 0;          // bytes of the layers of the fullest GPU
  double largest_layer = 0;   // bytes of the largest layer on one GPU
  double outside = 0;         // embeddings, head and what else is outside the layers, on one GPU
  double largest_matrix = 0;  // elements of the largest matrix on one GPU
};
/// Bytes that one parameter of an operation takes.
using BytesPerParameter = std::function<double(const ops::Operation&)>;
[[nodiscard]] WeightNeed weight_need(const Question& question, const BytesPerParameter& bytes);
/// Bytes per parameter under a quantisation: layer matrices, embeddings, head and the rest differ.
[[nodiscard]] double quantised_bytes(const Question& question, const ops::Operation& op,
                                     const units::Quantisation& quant);
/// Layers of the fullest pipeline stage over all layers.
[[nodiscard]] double stage_share(const Question& question);

/// Context, libraries and communication buffers outside the framework's allocator.
[[nodiscard]] Bytes runtime_bytes(const Question& question);

/// The calibration row of a memory constant, and its value.
[[nodiscard]] double memory_constant(const Question& question, std::string_view constant,
                                     double otherwise);
/// Standard deviation of ln(needed / estimated) for this kind of workload.
[[nodiscard]] double memory_spread(const Question& question);

/// What the estimate of memory assumed beyond the workload, for `assumptions`.
[[nodiscard]] std::vector<std::string> memory_notes(const Question& question);

/// The largest values that still fit, everything else kept.
void solve_limits(const Question& question, Memory& memory);
/// The largest concurrency (or batch) that fits; 0 when not even one does.
[[nodiscard]] std::int64_t largest_concurrency(const Question& question, const Amounts& amounts,
                                               Bytes capacity);

}  // namespace gpu_advisor::estimate
