#include <algorithm>
#include <cmath>

#include "collective_internal.hpp"
#include "roofline_internal.hpp"
#include "time_internal.hpp"

namespace gpu_advisor::estimate {
namespace {

using workload::Task;

bool trains(const workload::Workload& work) {
  return workload::is_training(work.task);
}

/// Published figures are for one resolution; cost follows the pixels.
double resolution_factor(const workload::Workload& work, const model::Stack& stack) {
  if (!stack.aggregate || !stack.aggregate->resolution || !work.resolution)
    return 1;
  const double ratio = static_cast<double>(*work.resolution) / *stack.aggregate->resolution;
  return ratio * ratio;
}

units::DataType product_type(const workload::Workload& work) {
  if (trains(work))
    return workload::compute_type(work.precision);
  // TensorRT builds offline engines for the 8-bit type where nobody names another.
  if (work.concurrency_max && !work.quant_given && software_family(work) == "trt-llm")
    return units::DataType::int8;
  return work.quant.compute;
}

struct Amounts {
  double flops = 0;     // forward, per sample
  double elements = 0;  // activations written, per sample
  double parameters = 0;
  int kernels = 0;
};

/// The stacks that run for every pass: not a pipeline's text encoder.
bool runs_each_pass(const model::Stack& stack) {
  using enum model::StackRole;
  return stack.role != text_encoder && stack.role != autoencoder && stack.role != prior;
}

/// 10^9 multiply-accumulates of one pass: published, or from the size where nothing is.
double gmacs_of(const workload::Workload& work, const model::Stack& stack) {
  if (stack.aggregate && stack.aggregate->gmacs)
    return *stack.aggregate->gmacs;
  const double parameters = static_cast<double>(stack.parameters());
  // Medians of published networks at 224 pixels (timm's tables), 10^9 per 10^6 parameters.
  constexpr double kConvolution = 0.17, kPatches = 0.22;
  constexpr int kUsualSide = 224;
  const double side = static_cast<double>(work.resolution.value_or(kUsualSide)) / kUsualSide;
  const bool patches = work.model.arch == model::Arch::vit;
  const bool denoises = stack.role == model::StackRole::denoiser ||
                        work.task == Task::diffusion_train ||
                        work.task == Task::diffusion_inference;
  if (!denoises)
    return parameters / 1e6 * (patches ? kPatches : kConvolution) * side * side;
  // A denoiser sees its latent image: transformers every patch of 2 x 2 latent pixels with all
  // parameters, U-Nets less of it (Stable Diffusion 1.5 and XL: 0.1 and 0.07 per latent pixel).
  constexpr double kLarge = 1.5e9, kUnet = 0.08, kPatch = 4;
  constexpr int kSmallSide = 512, kLargeSide = 1024, kFactor = 8;
  const int pixels = work.resolution.value_or(parameters > kLarge ? kLargeSide : kSmallSide);
  const double latent = static_cast<double>(pixels) / stack.latent_factor.value_or(kFactor);
  // No published U-Net has more than these parameters (Stable Diffusion XL: 2.6e9).
  constexpr double kLargestUnet = 3e9;
  const bool transformer = parameters > kLargestUnet ||
                           work.model.architecture_class.find("Transformer") != std::string::npos;
  return parameters * latent * latent * (transformer ? 1 / kPatch : kUnet) / 1e9;
}

Amounts amounts_of_pass(const Question& question) {
  const workload::Workload& work = question.workload;
  Amounts sum;
  for (const model::Stack& stack : work.model.stacks) {
    if (!runs_each_pass(stack))
      continue;
    const double parameters = static_cast<double>(stack.parameters());
    sum.parameters += parameters;
    const double scale = resolution_factor(work, stack);
    const double gmacs = gmacs_of(work, stack);
    sum.flops += 2e9 * gmacs * scale;
    // Where no activation count is published: the median of timm's tables, 10^6 per 10^9.
    constexpr double kElementsPerMac = 2e-3;
    const bool counted = stack.aggregate && stack.aggregate->activations_m;
    sum.elements += counted ? 1e6 * *stack.aggregate->activations_m * scale
                            : 1e9 * gmacs * scale * kElementsPerMac;
    // A convolution, its normalisation and its activation; deeper networks have more of each.
    constexpr int kKernels = 150;
    sum.kernels += kKernels;
  }
  return sum;
}

/// Seconds in which the host issues one kernel: Python frameworks look up shapes and allocate for
/// each, compiled engines replay a list.
double host_seconds(const workload::Workload& work) {
  const std::string_view family = software_family(work);
  constexpr double kEager = 2.5e-5;
  return family == "pytorch" || family == "tensorflow" || family == "transformers" ? kEager : 0;
}

}  // namespace

double passes_per_sample(const workload::Workload& workload) {
  // Published image rates of diffusion models: 30 denoising steps, each with and without the
  // prompt.
  constexpr double kSteps = 30, kGuidance = 2;
  return workload.task == Task::diffusion_inference ? kSteps * kGuidance : 1;
}

double aggregate_forward(const Question& question, double batch) {
  const workload::Workload& work = question.workload;
  const Work kind = trains(work) ? Work::vision_train : Work::vision_inference;
  const Roofline roofline(question, kind, product_type(work));
  const Amounts amounts = amounts_of_pass(question);
  if (!roofline.known() || amounts.flops <= 0)
    return 0;
  // Convolutions are narrower than the products of language models: their own share of the peak.
  constexpr double kConvolutionShare = 0.5, kPatchShare = 0.65;
  const double share =
      time_constant(question, "convolution_share", kind, roofline.peak().type,
                    work.model.arch == model::Arch::vit ? kPatchShare : kConvolutionShare);
  const double compute = amounts.flops * batch / (roofline.peak().flops_per_s * share);
  const double width =
      roofline.peak().type == units::DataType::fp32 || roofline.peak().type == units::DataType::tf32
          ? 4
          : 2;
  // Every activation is written once and read by what follows, by the normalisation and by the sum.
  constexpr double kTouches = 4;
  const double memory =
      (amounts.elements * batch * kTouches + amounts.parameters) * width / roofline.bandwidth();
  const double device = std::max(compute, memory) + 0.5 * std::min(compute, memory) +
                        roofline.launch() * amounts.kernels;
  return std::max(device, host_seconds(work) * amounts.kernels) * time_factor(question, kind);
}

StepTime aggregate_step(const Question& question) {
  const workload::Layout& layout = question.layout;
  StepTime step;
  const double batch = static_cast<double>(layout.micro_batch);
  // The backward pass has two products for each of the forward pass.
  constexpr double kForwardAndBackward = 3;
  const double recompute = layout.checkpointing == workload::Checkpointing::full ? 1 : 0;
  step.compute = aggregate_forward(question, batch) * (kForwardAndBackward + recompute) *
                 static_cast<double>(layout.grad_accum);
  if (step.compute <= 0)
    return step;
  const double bytes =
      static_cast<double>(question.ops.parameters()) * compute_bytes(question.workload);
  const double reduce = all_reduce(link_of_group(question.machine, layout.dp), layout.dp, bytes);
  step.communication = std::max(0.1 * reduce, reduce - 0.6 * step.compute);
  const Roofline roofline(question, Work::vision_train, units::DataType::fp32);
  constexpr double kMomentumBytes = 20;  // weight, gradient and momentum read, two written, in fp32
  step.optimizer = roofline.stream(static_cast<double>(question.ops.parameters()) * kMomentumBytes);
  return step;
}

}  // namespace gpu_advisor::estimate
