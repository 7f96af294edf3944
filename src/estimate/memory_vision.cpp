#include <algorithm>
#include <cmath>

#include "memory_training_internal.hpp"

namespace gpu_advisor::estimate {
namespace {

using ops::Operation;
using ops::OpKind;
using units::bytes;

/// Activation elements of one sample, from the published count of the stack, scaled to the
/// resolution (pixels for convolutions and patches alike).
double sample_elements(const Question& question, const model::Stack& stack) {
  if (!stack.aggregate) {
    return 0;
  }
  const double count = 1e6 * stack.aggregate->activations_m.value_or(0);
  const auto asked = question.workload.resolution;
  const auto known = stack.aggregate->resolution;
  if (!asked || !known || *known <= 0) {
    return count;
  }
  const double side = static_cast<double>(*asked) / *known;
  return count * side * side;
}

/// Positions that a patch or latent transformer sees of one picture.
double positions(const Question& question, const model::Stack& stack) {
  const double side = question.workload.resolution.value_or(
      question.workload.task == workload::Task::vision_train ||
              question.workload.task == workload::Task::vision_inference
          ? 224
          : 1024);
  const double cell = static_cast<double>(stack.patch.value_or(stack.latent_factor ? 2 : 16)) *
                      stack.latent_factor.value_or(1);
  return std::max(1.0, std::floor(side / cell) * std::floor(side / cell));
}

// Published counts (fvcore, timm) are the outputs of convolutions and linear layers. Autograd keeps
// each of them once as the input of the norm behind it and once more, normalised, as the input of
// the next layer; activations in place add nothing.
constexpr double kKeptPerOutput = 2;

bool by_layers(const Question& question) {
  return !question.ops.saved.empty() && question.ops.saved.front().stack == 0;
}

/// Activations of a batch, where only totals are known.
ActivationBytes aggregate_activations(const Question& question, const Regime& regime,
                                      const Amounts& amounts) {
  double elements = 0;
  for (const model::Stack& stack : question.workload.model.stacks) {
    elements += sample_elements(question, stack);
  }
  const double batch = static_cast<double>(amounts.micro_batch);
  const double kept = elements * kKeptPerOutput * regime.activation * batch;
  ActivationBytes result;
  const bool recomputed = question.layout.checkpointing == workload::Checkpointing::full;
  result.kept = recomputed ? std::sqrt(0.1) * kept : kept;
  result.recompute = 0.05 * kept;
  return result;
}

/// Without a backward pass only neighbouring layers live. A convolutional network is widest in its
/// first stages (ResNet-50: input and output of a first block are a tenth of all outputs); a
/// transformer has its outputs spread evenly over some thirty layers.
double live_share(const model::Stack& stack) {
  return stack.aggregate && stack.aggregate->convolutional ? 0.1 : 0.035;
}

// The decoder of a latent autoencoder works at full resolution in its last block: 256 channels in,
// 128 out, with fp32 norms beside 16-bit convolutions (Esser et al. 2021, VQGAN decoder; the same
// in Stable Diffusion, SDXL and FLUX): about eight tensors of 256 channels, two bytes each.
constexpr double kDecoderBytesPerPixel = 256.0 * 2 * 8;

}  // namespace

Need vision_training_need(const Question& question, const Amounts& amounts) {
  const Regime regime = regime_of(question);
  if (!by_layers(question)) {
    return whole_need(question, regime, aggregate_activations(question, regime, amounts));
  }
  Amounts tokens = amounts;
  tokens.seq_len = static_cast<std::int64_t>(positions(question, question.workload.model.main()));
  return whole_need(question, regime, activation_bytes(question, regime, tokens));
}

Need vision_inference_need(const Question& question, const Amounts& amounts) {
  const workload::Workload& work = question.workload;
  const WeightNeed weights = weight_need(
      question, [&](const Operation& op) { return quantised_bytes(question, op, work.quant); });
  const double batch = static_cast<double>(amounts.concurrency) / std::max(question.layout.dp, 1);
  const double width = std::max(units::bytes_per_element(work.quant.compute), 2.0);
  double live = 0;
  for (const model::Stack& stack : work.model.stacks) {
    live = std::max(live, live_share(stack) * sample_elements(question, stack) * width);
    live = std::max(live, positions(question, stack) * static_cast<double>(stack.hidden) * 12 *
                              width * (stack.layers.empty() ? 0 : 1));
  }
  if (work.task == workload::Task::diffusion_inference) {
    const double side = work.resolution.value_or(1024);
    live = std::max(live, side * side * kDecoderBytesPerPixel);
  }
  Need need;
  need.parts.weights = bytes(weights.fullest);
  need.parts.activations = bytes(live * std::max(batch, 1.0));
  need.parts.runtime = runtime_bytes(question);
  need.parts.fragmentation =
      need.parts.activations * memory_constant(question, "memory_fragmentation", 0.03);
  need.total_weights = bytes(weights.total * question.layout.dp);
  return need;
}

}  // namespace gpu_advisor::estimate
