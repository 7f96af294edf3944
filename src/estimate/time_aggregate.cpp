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

Amounts amounts_of_pass(const Question& question) {
  const workload::Workload& work = question.workload;
  Amounts sum;
  for (const model::Stack& stack : work.model.stacks) {
    if (!runs_each_pass(stack))
      continue;
    const double parameters = static_cast<double>(stack.parameters());
    sum.parameters += parameters;
    const double scale = resolution_factor(work, stack);
    if (!stack.aggregate || !stack.aggregate->gmacs)
      continue;
    sum.flops += 2e9 * *stack.aggregate->gmacs * scale;
    // Where no activation count is published: about four elements per thousand
    // multiply-accumulates, the middle of the networks for which both figures are known (timm's
    // tables).
    constexpr double kElementsPerMac = 4e-3;
    sum.elements += stack.aggregate->activations_m
                        ? 1e6 * *stack.aggregate->activations_m * scale
                        : 1e9 * *stack.aggregate->gmacs * scale * kElementsPerMac;
    // A convolution, its normalisation and its activation; deeper networks have more of each.
    constexpr int kKernels = 150;
    sum.kernels += kKernels;
  }
  return sum;
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
  constexpr double kConvolutionShare = 0.45;
  const double share =
      time_constant(question, "convolution_share", kind, roofline.peak().type, kConvolutionShare);
  const double compute = amounts.flops * batch / (roofline.peak().flops_per_s * share);
  const double width =
      roofline.peak().type == units::DataType::fp32 || roofline.peak().type == units::DataType::tf32
          ? 4
          : 2;
  // Every activation is written once and read by what follows, by the normalisation and by the sum.
  constexpr double kTouches = 3;
  const double memory =
      (amounts.elements * batch * kTouches + amounts.parameters) * width / roofline.bandwidth();
  return std::max(compute, memory) + 0.5 * std::min(compute, memory) +
         roofline.launch() * amounts.kernels;
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
