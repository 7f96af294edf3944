#include <algorithm>
#include <array>

#include "also_internal.hpp"
#include "evaluation_internal.hpp"

namespace gpu_advisor::rank {
namespace {

using workload::Method;
using workload::Task;
using workload::Workload;

/// A variant of the user's workload.
struct Variant {
  std::string_view key;
  Task task;
  Method method = Method::full;
  std::string_view quant = {};  // of the weights, or of the frozen base
};

constexpr std::array kVariants{
    Variant{.key = "inference", .task = Task::inference},
    Variant{.key = "int8", .task = Task::inference, .quant = "int8"},
    Variant{.key = "int4", .task = Task::inference, .quant = "awq-int4"},
    Variant{.key = "qlora", .task = Task::finetune, .method = Method::qlora, .quant = "nf4"},
    Variant{.key = "lora", .task = Task::finetune, .method = Method::lora},
    Variant{.key = "full", .task = Task::finetune, .method = Method::full},
};

bool is_language_task(Task task) {
  return task == Task::inference || task == Task::finetune || task == Task::pretrain;
}

bool same_question(const Workload& workload, const Variant& variant) {
  if (variant.task != workload.task)
    return false;
  if (workload.task == Task::finetune)
    return variant.method == workload.method;
  const std::string_view asked = workload.quant_given ? workload.quant.name : std::string_view{};
  return variant.quant == asked;
}

Workload varied(const Workload& workload, const Variant& variant) {
  Workload changed = workload;
  changed.task = variant.task;
  changed.method = variant.method;
  const auto quant = units::find_quantisation(variant.quant.empty() ? "bf16" : variant.quant);
  if (variant.task == Task::inference && quant)
    changed.quant = *quant;
  changed.base_quant.reset();
  if (variant.method == Method::qlora)
    changed.base_quant = quant;
  changed.checkpointing_given = changed.checkpointing_given && variant.task == workload.task;
  // Targets of the asked task mean nothing for another.
  if (variant.task != workload.task) {
    changed.tokens = changed.samples = changed.epochs = std::nullopt;
    changed.deadline.reset();
    changed.qps = changed.ttft_ms = changed.tpot_ms = changed.min_tokens_per_s = std::nullopt;
    changed.concurrency_max = false;
  }
  return changed;
}

/// Bytes that the GPUs must hold whatever the layout: the weights, and in full training a 16-bit
/// gradient of each. What is below it need not be searched.
units::Bytes least_need(const Workload& workload) {
  const double parameters = static_cast<double>(workload.model.parameters());
  constexpr double kHalf = 16, kGradient = 16;
  double bits = workload.quant.bits_per_weight;
  if (workload::is_training(workload.task))
    bits = workload.base_quant ? workload.base_quant->bits_per_weight
                               : kHalf + (workload.method == Method::full ? kGradient : 0);
  return units::bytes(parameters * std::min(bits, kHalf + kGradient) / 8);
}

units::Bytes capacity_of(const catalog::Catalog& catalog, const catalog::Sku& sku, int instances) {
  const catalog::Accelerator& gpu = catalog.accelerators()[sku.accelerator];
  return sku.gpu_memory.value_or(gpu.memory) * (gpus_per_instance(sku) * instances);
}

/// The first feasible offer in order of price.
Also cheapest(const catalog::Catalog& catalog, const Judge& judge, const Workload& workload,
              const Limits& limits, const Options& options, const std::vector<Offer>& offers) {
  Also found;
  Evaluator evaluator(catalog, workload, limits);
  const units::Bytes least = least_need(workload);
  for (const Offer& offer : offers) {
    if (found.feasible && offer.hourly >= found.hourly)
      break;
    const catalog::Sku& sku = catalog.skus()[offer.sku];
    for (const int instances : instance_counts(sku, limits)) {
      const units::MoneyPerHour hourly = offer.hourly * instances;
      if (found.feasible && hourly >= found.hourly)
        break;
      if (instances > 1 && !nodes_can_cooperate(sku))
        break;
      if (capacity_of(catalog, sku, instances) < least)
        continue;
      const layout::Best& best = evaluator.best(sku, instances);
      if (!best.estimate.supported)
        break;
      Candidate candidate{.sku = offer.sku,
                          .price = offer.price,
                          .pricing = offer.pricing,
                          .instances = instances,
                          .gpus = gpus_per_instance(sku) * instances,
                          .estimate = best.estimate};
      candidate.cost = cost_of(workload, best.estimate, hourly, candidate.gpus);
      if (!missed_target(workload, limits, best, candidate.cost).rule.empty())
        continue;
      if (!judge.sift({catalog, workload, limits, options.today, candidate}).rejected.empty())
        break;
      found = {.key = {},
               .feasible = true,
               .sku = offer.sku,
               .price = offer.price,
               .pricing = offer.pricing,
               .instances = instances,
               .hourly = hourly,
               .needed_gib = best.estimate.memory.per_gpu.value / units::gib(1)};
      break;
    }
  }
  return found;
}

}  // namespace

std::vector<Also> next_questions(const catalog::Catalog& catalog, const Judge& judge,
                                 const Workload& workload, const Limits& limits,
                                 const Options& options) {
  std::vector<Also> answers;
  if (!is_language_task(workload.task) || workload.model.main().layer_count() == 0)
    return answers;
  Limits open = limits;
  open.budget.reset();
  open.min_gpus = open.max_gpus = open.nodes = std::nullopt;
  open.layout = {};
  const auto admission = Admission::prepare(catalog, open, options.today);
  if (!admission)
    return answers;
  RefusalCount ignored;
  const std::vector<Offer> offers = collect_offers(catalog, open, *admission, ignored);
  for (const Variant& variant : kVariants) {
    if (same_question(workload, variant))
      continue;
    Also also = cheapest(catalog, judge, varied(workload, variant), open, options, offers);
    also.key = variant.key;
    answers.push_back(std::move(also));
  }
  return answers;
}

}  // namespace gpu_advisor::rank
