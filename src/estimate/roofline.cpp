#include <algorithm>
#include <array>
#include <cmath>

#include "roofline_internal.hpp"

namespace gpu_advisor::estimate {
namespace {

using units::DataType;

double rate(const std::optional<units::FlopsPerSecond>& value) {
  return value ? value->base() : 0;
}

struct Family {
  std::string_view mark, name;
};
/// First match wins: the more particular marks stand first.
constexpr std::array kEngines{Family{"exllama", "exllama"},
                              Family{"llama", "llama.cpp"},
                              Family{"ollama", "llama.cpp"},
                              Family{"lmstudio", "llama.cpp"},
                              Family{"lm studio", "llama.cpp"},
                              Family{"kobold", "llama.cpp"},
                              Family{"sglang", "vllm"},
                              Family{"vllm", "vllm"},
                              Family{"lmdeploy", "vllm"},
                              Family{"trt-llm", "trt-llm"},
                              Family{"tensorrt", "trt-llm"},
                              Family{"mlx", "mlx"},
                              Family{"compile", "pytorch-compile"},
                              Family{"transformers", "transformers"},
                              Family{"hf", "transformers"},
                              Family{"diffusers", "pytorch"},
                              Family{"tensorflow", "tensorflow"},
                              Family{"torch7", "torch7"},
                              Family{"pytorch", "pytorch"}};
constexpr std::array kFrameworks{Family{"megatron", "megatron"},
                                 Family{"nemo", "megatron"},
                                 Family{"foundry", "fsdp"},
                                 Family{"composer", "fsdp"},
                                 Family{"torchtitan", "fsdp"},
                                 Family{"fsdp", "fsdp"},
                                 Family{"deepspeed", "deepspeed"},
                                 Family{"litgpt", "litgpt"},
                                 Family{"unsloth", "hf"},
                                 Family{"axolotl", "hf"},
                                 Family{"peft", "hf"},
                                 Family{"hf", "hf"},
                                 Family{"trainer", "hf"},
                                 Family{"transformers", "hf"},
                                 Family{"torch7", "torch7"},
                                 Family{"tensorflow", "tensorflow"},
                                 Family{"mxnet", "tensorflow"},
                                 Family{"pytorch", "pytorch"},
                                 Family{"detectron", "pytorch"}};

template <typename Table>
std::string_view family_of(const Table& table, std::string_view text) {
  for (const Family& family : table)
    if (text.find(family.mark) != std::string_view::npos)
      return family.name;
  return {};
}

MatrixPeak vector_peak(const catalog::Accelerator& gpu, std::string_view why) {
  return {rate(gpu.fp32_vector), DataType::fp32, false, why};
}

/// 16-bit products where there is no unit for the narrower type.
MatrixPeak half_peak(const catalog::Accelerator& gpu, std::string_view why) {
  if (gpu.bf16_matrix)
    return {rate(gpu.bf16_matrix), DataType::bf16, true, why};
  MatrixPeak peak = matrix_peak(gpu, DataType::fp16);
  peak.fallback = why;
  return peak;
}

MatrixPeak fp16_peak(const catalog::Accelerator& gpu) {
  if (gpu.fp16_matrix)
    return {rate(gpu.fp16_matrix), DataType::fp16, true, {}};
  // Compute capability 6.1 runs fp16 at 1/64 of fp32 (CUDA C programming guide, arithmetic
  // throughput); software computes in fp32 there.
  constexpr double kSlowHalf = 6.1;
  if (gpu.compute_capability && *gpu.compute_capability == kSlowHalf)
    return vector_peak(gpu, "fp16 runs at 1/64 rate: computed in fp32");
  if (gpu.fp16_vector)
    return {rate(gpu.fp16_vector), DataType::fp16, false, "no matrix unit"};
  return vector_peak(gpu, "no matrix unit: computed at the fp32 rate");
}

}  // namespace

std::string_view name(Work work) {
  constexpr std::array<std::string_view, 7> kNames{
      "train", "prefill", "decode", "serve", "vision-train", "vision-inference", "encode"};
  return kNames[static_cast<std::size_t>(work)];
}

std::string_view software_family(const workload::Workload& workload) {
  return workload::is_training(workload.task) ? family_of(kFrameworks, workload.framework)
                                              : family_of(kEngines, workload.engine);
}

std::string_view speed_software(const workload::Workload& workload) {
  return software_family(workload);
}

MatrixPeak matrix_peak(const catalog::Accelerator& gpu, DataType wanted) {
  const bool has_fp32_tensor = gpu.tf32_matrix.has_value();
  switch (wanted) {
    case DataType::tf32:
      if (has_fp32_tensor)
        return {rate(gpu.tf32_matrix), DataType::tf32, true, {}};
      return vector_peak(gpu, "no TF32: computed in fp32");
    case DataType::fp16:
      return fp16_peak(gpu);
    case DataType::bf16:
      if (gpu.bf16_matrix)
        return {rate(gpu.bf16_matrix), DataType::bf16, true, {}};
      if (gpu.compute_capability)
        return vector_peak(gpu, "no bf16 unit: computed in fp32");
      return fp16_peak(gpu);
    case DataType::fp8:
      if (gpu.fp8_matrix)
        return {rate(gpu.fp8_matrix), DataType::fp8, true, {}};
      return half_peak(gpu, "no fp8 unit: weights are expanded to 16 bits");
    case DataType::fp6:
    case DataType::fp4:
      if (gpu.fp4_matrix)
        return {rate(gpu.fp4_matrix), DataType::fp4, true, {}};
      return half_peak(gpu, "no fp4 unit: weights are expanded to 16 bits");
    case DataType::int8:
      if (gpu.int8_matrix && gpu.tensor_cores)
        return {rate(gpu.int8_matrix), DataType::int8, true, {}};
      return half_peak(gpu, "no int8 matrix unit: computed in 16 bits");
    default:
      return vector_peak(gpu, {});
  }
}

double time_constant(const Question& question, std::string_view constant, Work work, DataType type,
                     double otherwise) {
  return question.calibration.value({.constant = constant,
                                     .architecture = question.machine.gpu->architecture,
                                     .dtype = units::name(type),
                                     .engine = software_family(question.workload),
                                     .task = name(work)},
                                    otherwise);
}

double time_factor(const Question& question, Work work) {
  return question.calibration.value(
      {.constant = "time_factor", .engine = software_family(question.workload), .task = name(work)},
      1);
}

TimeSpread time_spread(const Question& question, Work work) {
  // Where nothing of the kind was ever measured: a factor of two either way at 80 %.
  constexpr double kUnknown = 0.54;
  const auto* row = question.calibration.find({.constant = "time_spread",
                                               .architecture = question.machine.gpu->architecture,
                                               .engine = software_family(question.workload),
                                               .task = name(work)});
  if (row == nullptr || row->log_spread <= 0)
    return {kUnknown, Basis::derived};
  const bool near = !row->architecture.empty();
  return {row->log_spread, near ? Basis::measured_nearby : Basis::calibrated};
}

Interval<double> around(double value, double log_spread) {
  constexpr double kEighty = 1.2816;  // standard normal quantile of 90 %
  const double factor = std::exp(kEighty * log_spread);
  return {value, value / factor, value * factor};
}

Roofline::Roofline(const Question& question, Work work, DataType compute) {
  const catalog::Accelerator& gpu = *question.machine.gpu;
  peak_ = matrix_peak(gpu, compute);
  const bool narrow = units::bytes_per_element(peak_.type) < 2;
  attention_ = narrow ? half_peak(gpu, {}).flops_per_s : peak_.flops_per_s;
  // Shares of the data sheet that good kernels reach on large shapes; fitted values replace them.
  constexpr double kTensorShare = 0.65, kVectorShare = 0.75, kBandwidthShare = 0.8;
  compute_share_ = time_constant(question, "compute_share", work, peak_.type,
                                 peak_.tensor_cores ? kTensorShare : kVectorShare);
  const double share =
      time_constant(question, "bandwidth_share", work, peak_.type, kBandwidthShare);
  bandwidth_ = gpu.bandwidth ? gpu.bandwidth->base() * share : 0;
  // Cards with little power for their units lower the clock under sustained products.
  const double per_watt = time_constant(question, "tflops_per_watt", work, peak_.type, 0) * 1e12;
  if (per_watt > 0 && gpu.tdp && peak_.tensor_cores)
    compute_share_ = std::min(compute_share_, per_watt * gpu.tdp->base() / peak_.flops_per_s);
  vector_ = rate(gpu.fp32_vector);
  constexpr double kLaunch =
      4e-6;  // s, a kernel launch on the stream (CUDA documentation: a few microseconds)
  launch_ = time_constant(question, "launch_us", work, peak_.type, kLaunch * 1e6) * 1e-6;
  sms_ = gpu.sms.value_or(64);
}

double Roofline::shape_share(double m, double n, double k) const {
  // Tiles of 128 x 128 spread over the multiprocessors in waves; the last wave and the last tile
  // are partly empty (NVIDIA, "Matrix multiplication background user's guide", tile and wave
  // quantisation).
  constexpr double kTile = 128, kDeep = 512;
  if (!peak_.tensor_cores)
    return 1;
  // Few rows take narrower tiles, down to the 16 rows of one matrix instruction.
  constexpr double kNarrowest = 16;
  const double height = std::clamp(std::exp2(std::ceil(std::log2(m))), kNarrowest, kTile);
  const double rows = std::ceil(m / height), columns = std::ceil(n / kTile);
  const double tile_share = (m / (rows * height)) * (n / (columns * kTile));
  const double waves = rows * columns / sms_;
  // Split-k fills a card that has too few tiles.
  const double split =
      waves < 1 ? std::min(1.0, waves * std::max(1.0, k / 1024)) : waves / std::ceil(waves);
  return std::max(tile_share * split * (k / (k + kDeep)), 1e-3);
}

double Roofline::matmul(double m, double n, double k, double bytes) const {
  const double compute =
      2 * m * n * k / (peak_.flops_per_s * compute_share_ * shape_share(m, n, k));
  return std::max(compute, bytes / bandwidth_);
}

double Roofline::stream(double bytes, double vector_flops) const {
  const double compute = vector_ > 0 ? vector_flops / vector_ : 0;
  return std::max(bytes / bandwidth_, compute);
}

}  // namespace gpu_advisor::estimate
