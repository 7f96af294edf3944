#include <fmt/format.h>
#include <ostream>

#include "command_internal.hpp"
#include "gpu_advisor/catalog/embedded.hpp"
#include "gpu_advisor/catalog/market.hpp"
#include "gpu_advisor/rank/recommendation.hpp"
#include "gpu_advisor/render/present/recommendation.hpp"
#include "gpu_advisor/rules/rule.hpp"
#include "gpu_advisor/rules/standard_facts.hpp"
#include "gpu_advisor/support/text.hpp"
#include "gpu_advisor/workload/resolve.hpp"
#include "rule_files_internal.hpp"
#include "workload_options_internal.hpp"

namespace gpu_advisor::commands {
namespace {

using support::Result;

constexpr int kDefaultTop = 10;

/// "cost=0.5,speed=0.3".
Result<rank::Weights> parse_weights(std::string_view text) {
  constexpr rank::Criterion kCriteria[] = {rank::Criterion::cost,         rank::Criterion::speed,
                                           rank::Criterion::headroom,     rank::Criterion::fit,
                                           rank::Criterion::availability, rank::Criterion::maturity,
                                           rank::Criterion::energy};
  rank::Weights weights;
  for (const std::string_view part : support::split(text, ',')) {
    const std::size_t equals = part.find('=');
    const auto weight = equals == std::string_view::npos
                            ? std::nullopt
                            : support::parse_number(part.substr(equals + 1));
    const rank::Criterion* found = nullptr;
    for (const rank::Criterion& criterion : kCriteria)
      if (rank::name(criterion) == support::trim(part.substr(0, equals)))
        found = &criterion;
    if (found == nullptr || !weight || *weight < 0)
      return usage_error("--weights", fmt::format("\"{}\" is not criterion=weight", part),
                         "criteria: cost, speed, headroom, fit, availability, maturity, energy");
    weights[*found] = *weight;
  }
  double sum = 0;
  for (const auto& [criterion, weight] : weights)
    sum += weight;
  if (sum <= 0)
    return usage_error("--weights", "the weights are all zero");
  return weights;
}

Result<rank::Options> options_of(const Call& call) {
  rank::Options options;
  options.today = call.world.today;
  const std::string optimize = call.values.get("--optimize").value_or("balanced");
  if (optimize == "cost")
    options.weights = rank::weights_of(rank::Optimize::cost);
  if (optimize == "speed")
    options.weights = rank::weights_of(rank::Optimize::speed);
  if (optimize == "energy")
    options.weights = rank::weights_of(rank::Optimize::energy);
  GPU_ADVISOR_TRY(const auto weights,
                  read_option<rank::Weights>(call.values, "--weights", parse_weights));
  if (weights && call.values.has("--optimize"))
    return usage_error("--weights", "contradicts --optimize");
  if (weights)
    options.weights = *weights;
  GPU_ADVISOR_TRY(const auto top, read_option<std::int64_t>(call.values, "--top", parse_whole));
  options.top = static_cast<int>(top.value_or(kDefaultTop));
  return options;
}

Result<render::Currency> currency_of(const Call& call) {
  const std::string code = call.values.get("--currency").value_or("USD");
  if (code == "USD")
    return render::Currency{};
  GPU_ADVISOR_TRY(
      const auto rates,
      catalog::load_exchange_rates(call.world.files, call.globals.embedded, call.globals.folders));
  std::vector<std::string> known{"USD"};
  for (const auto& [currency, rate] : rates) {
    if (currency == code)
      return render::Currency{code, rate.per_usd};
    known.push_back(currency);
  }
  return usage_error("--currency", "unknown currency \"" + code + "\"",
                     support::did_you_mean(support::nearest(code, known)));
}

/// The weights' largest context, micro-batch or concurrency on the first choice.
std::vector<std::string> solve_notes(const Call& call, const catalog::Catalog& catalog,
                                     const workload::Workload& work,
                                     const rank::Recommendation& result) {
  const auto what = call.values.get("--solve");
  if (!what || result.candidates.empty())
    return {};
  const rank::Candidate& first = result.candidates.front();
  const catalog::Sku& sku = catalog.skus()[first.sku];
  workload::Machine machine;
  machine.gpu = &catalog.accelerators()[sku.accelerator];
  machine.count = first.gpus;
  machine.nodes = first.instances;
  const ops::OperationList operations = ops::describe(work.model);
  const estimate::Memory memory = estimate::estimate_memory(
      {work, operations, machine, first.estimate.layout, catalog.calibration()},
      estimate::Limits::solve);
  const auto& largest = *what == "context"       ? memory.max_context
                        : *what == "micro-batch" ? memory.max_micro_batch
                                                 : memory.max_concurrency;
  if (!largest)
    return {fmt::format("--solve {}: does not apply to {}", *what, workload::name(work.task))};
  return {fmt::format("the largest {} that fits the first choice is {}", *what, *largest)};
}

}  // namespace

Result<ExitCode> run_recommend(const Call& call) {
  if (!call.values.operands().empty())
    return usage_error("", "unexpected \"" + call.values.operands().front() + "\"",
                       "recommend takes options only");
  GPU_ADVISOR_TRY(const workload::Request request, request_of(call.values));
  GPU_ADVISOR_TRY(const render::Currency currency, currency_of(call));
  GPU_ADVISOR_TRY(const rank::Limits limits, limits_of(call.values, currency.per_usd));
  GPU_ADVISOR_TRY(const rank::Options options, options_of(call));
  GPU_ADVISOR_TRY(const catalog::Catalog catalog, load_catalog(call));
  GPU_ADVISOR_TRY(const model::PresetLibrary presets, load_presets(call));
  GPU_ADVISOR_TRY(const rules::RuleSet rules, load_rule_files(call));
  const workload::Resolver resolver(catalog, presets, call.world.files);
  GPU_ADVISOR_TRY(const workload::Workload work, resolver.workload(request));
  GPU_ADVISOR_TRY(const rank::Recommendation result,
                  rank::recommend(catalog, rules, work, limits, options));
  render::RecommendationView view{catalog,
                                  work,
                                  limits,
                                  result,
                                  currency,
                                  call.globals.language,
                                  call.values.has("--explain"),
                                  idle_flags(call.values, work.task)};
  for (std::string& note : solve_notes(call, catalog, work, result))
    view.notes.push_back(std::move(note));
  if (call.globals.format == "json")
    call.world.out << render::recommendation_json(view);
  else
    write_document(call, render::recommendation_document(view));
  if (!result.candidates.empty())
    return 0;
  call.world.err << "gpu-advisor: " << render::text("recommend.nothing", call.globals.language)
                 << '\n';
  return 1;
}

}  // namespace gpu_advisor::commands
