#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_advisor/catalog/calibration.hpp"
#include "gpu_advisor/ops/operation.hpp"
#include "gpu_advisor/units/interval.hpp"
#include "gpu_advisor/units/quantity.hpp"
#include "gpu_advisor/workload/workload.hpp"

namespace gpu_advisor::estimate {

using units::Bytes;
using units::Interval;
using units::Seconds;

/// One line of a breakdown with the way to it, for --explain.
struct Term {
  std::string name;     // "weights", "gradients", …
  double value = 0;     // in `unit`
  std::string unit;     // "GiB", "s"
  std::string formula;  // with its inputs filled in
  std::string source;
};

/// Memory that is needed, and what an engine takes. Parts are of the fullest GPU and add up to
/// per_gpu.value.
struct Memory {
  Interval<Bytes> per_gpu, total;
  Bytes capacity;                 // what a process can really use on one GPU
  std::optional<Bytes> reserved;  // what the engine takes by default (vLLM 0.9 of the card …)
  struct Parts {
    Bytes weights, gradients, optimizer, activations, kv_cache, logits, communication, runtime,
        fragmentation;
    [[nodiscard]] Bytes sum() const;
  } parts;
  Bytes total_weights, total_kv_cache;  // sums over all GPUs
  Interval<Bytes> host_ram;             // per node; zero when nothing special is needed
  std::optional<std::int64_t> max_context, max_micro_batch,
      max_concurrency;         // the largest that fits
  bool fits = false;           // on the estimate
  double fit_probability = 0;  // from the interval
};

/// How well a speed figure is founded.
enum class Basis { measured_nearby, calibrated, derived };

struct TrainingSpeed {
  Interval<double> tokens_per_s_per_gpu, samples_per_s_per_gpu, model_tflops_per_gpu, mfu;
  Interval<Seconds> step_time;
  struct Parts {
    Seconds compute, communication_exposed, bubble, optimizer, input;
  } parts;                            // add up to step_time.value
  std::int64_t samples_per_step = 0;  // over all GPUs
  bool has_tokens = true;             // false for vision and diffusion
  Basis basis = Basis::derived;
};

/// All rates are of the whole deployment unless they say per request. Empty: does not apply.
struct InferenceSpeed {
  std::optional<Interval<double>> prefill_tok_s, decode_tok_s_per_request, output_tok_s,
      total_tok_s, requests_s, ttft_ms, tpot_ms, samples_s;
  std::int64_t concurrency = 1;  // what the rates are for ("max" resolved)
  Basis basis = Basis::derived;
};

struct Energy {
  units::Watts power;  // of all GPUs while working
};

/// The answer for one workload on one machine in one layout.
struct Estimate {
  bool supported = true;
  std::string reason;  // why not supported
  Memory memory;
  std::optional<TrainingSpeed> training;
  std::optional<InferenceSpeed> inference;
  workload::Layout layout;
  int nodes = 1;
  Energy energy;
  std::vector<std::string> assumptions, warnings;
  std::vector<std::string> advice;  // of the rules, where somebody asked them
};

/// Everything an estimate reads. `ops` is `ops::describe(workload.model)`, made once per workload.
struct Question {
  const workload::Workload& workload;
  const ops::OperationList& ops;
  const workload::Machine& machine;
  const workload::Layout& layout;
  const catalog::Calibration& calibration;
};

/// What must be resident at the peak moment. Pure, microseconds. `with_limits` also solves for the
/// largest context, micro-batch and concurrency.
enum class Limits { skip, solve };
[[nodiscard]] Memory estimate_memory(const Question& question, Limits limits = Limits::skip);
/// The concurrency to compute speeds for: as given, or for "max" the largest that memory allows.
[[nodiscard]] TrainingSpeed estimate_training(const Question& question);
[[nodiscard]] InferenceSpeed estimate_inference(const Question& question, const Memory& memory);
/// Memory, speed, power and all notes. What `estimate` prints and `rank` scores.
[[nodiscard]] Estimate estimate(const Question& question, Limits limits = Limits::skip);
/// Software family of a workload as the calibration knows it ("llama.cpp", "fsdp", …); empty:
/// unknown.
[[nodiscard]] std::string_view speed_software(const workload::Workload& workload);
/// The terms behind the figures, for --explain.
[[nodiscard]] std::vector<Term> explain_memory(const Question& question);
[[nodiscard]] std::vector<Term> explain_time(const Question& question, const Memory& memory);

}  // namespace gpu_advisor::estimate
