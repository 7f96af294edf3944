#pragma once

#include <span>
#include <string>
#include <vector>

#include "gpu_advisor/catalog/calibration.hpp"

namespace gpu_advisor::estimate {

/// One measured speed beside what specifications alone give.
struct SpeedSample {
  std::string task;    // "train", "prefill", "decode", "serve", "vision-train", "vision-inference"
  std::string engine;  // software family; empty: unknown
  std::string architecture;   // of the GPU
  std::string source;         // where it was published: sources weigh alike, whatever their rows
  double log_time_ratio = 0;  // ln(measured time / derived time)
};

/// The factors on time by task and software, and the spreads that remain. Each factor
/// is the median over sources of their medians, drawn towards one where few sources speak: n / (n +
/// 1) of it. No model, source or row has a constant of its own.
[[nodiscard]] std::vector<catalog::CalibrationRow> fit_speed(std::span<const SpeedSample> samples);

}  // namespace gpu_advisor::estimate
