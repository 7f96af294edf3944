#pragma once

#include <string_view>

#include "gpu_advisor/estimate/estimate.hpp"

namespace gpu_advisor::estimate {

/// What runs: the words by which the calibration tells kinds of work apart.
enum class Work { train, prefill, decode, serve, vision_train, vision_inference, encode };
[[nodiscard]] std::string_view name(Work work);

/// Software family of a workload for the calibration ("llama.cpp", "vllm", "fsdp", …); empty:
/// unknown.
[[nodiscard]] std::string_view software_family(const workload::Workload& workload);

/// Rate of matrix products as real software reaches for it: tensor cores where the type has them,
/// else the vector rate; types without a unit fall back (bf16 before Ampere to fp32, fp8 before Ada
/// to 16 bits, fp16 on compute capability 6.1 to fp32).
struct MatrixPeak {
  double flops_per_s = 0;  // 0: unknown
  units::DataType type = units::DataType::fp32;
  bool tensor_cores = false;
  std::string_view fallback;  // why not the type asked for; empty: as asked
};
[[nodiscard]] MatrixPeak matrix_peak(const catalog::Accelerator& gpu, units::DataType wanted);

/// One GPU's roofline for one kind of work, constants looked up once.
class Roofline {
 public:
  Roofline(const Question& question, Work work, units::DataType compute);
  [[nodiscard]] bool known() const { return peak_.flops_per_s > 0 && bandwidth_ > 0; }
  /// Seconds of a product of an m x k by a k x n matrix that moves so many bytes.
  [[nodiscard]] double matmul(double m, double n, double k, double bytes) const;
  /// Seconds of work without a matrix unit: the vector rate or the memory.
  [[nodiscard]] double stream(double bytes, double vector_flops = 0) const;
  [[nodiscard]] double launch() const { return launch_; }  // s per kernel
  [[nodiscard]] const MatrixPeak& peak() const { return peak_; }
  /// Peak of attention's products, which stay in 16 bits where projections are narrower.
  [[nodiscard]] double attention_rate() const { return attention_; }
  [[nodiscard]] double bandwidth() const { return bandwidth_; }  // reachable, bytes/s

 private:
  [[nodiscard]] double shape_share(double m, double n, double k) const;

  MatrixPeak peak_;
  double attention_ = 0;
  double compute_share_ = 1, bandwidth_ = 0, vector_ = 0, launch_ = 0, small_transfer_ = 0;
  double sms_ = 0;
};

/// A constant of the time model for this question.
[[nodiscard]] double time_constant(const Question& question, std::string_view constant, Work work,
                                   units::DataType type, double otherwise);
/// Fitted time over derived time of this kind of work: of this software.
[[nodiscard]] double time_factor(const Question& question, Work work);
/// Standard deviation of ln(measured / estimated) and how well it is founded.
struct TimeSpread {
  double log_spread = 0;
  Basis basis = Basis::derived;
};
[[nodiscard]] TimeSpread time_spread(const Question& question, Work work);
/// The 80 % interval of a rate or time whose logarithm has this spread.
[[nodiscard]] Interval<double> around(double value, double log_spread);

}  // namespace gpu_advisor::estimate
