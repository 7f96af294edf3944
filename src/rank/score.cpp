#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "score_internal.hpp"

namespace gpu_advisor::rank {
namespace {

double clamp01(double value) {
  return std::clamp(value, 0.0, 1.0);
}

/// 1 at `best`, 0 at `worst`, straight in the logarithm: a factor of two counts the same
/// everywhere.
double log_scale(double value, double best, double worst) {
  if (!(value > 0))
    return value == 0 && best < worst ? 1 : 0;
  return clamp01(std::log(value / worst) / std::log(best / worst));
}

/// Ranges of the logarithmic curves; wide enough that no real offer leaves them.
constexpr double kCheapestHour = 0.01, kDearestHour = 10000;  // USD per hour
constexpr double kCheapestWork = 0.001, kDearestWork = 1000;  // USD per 10^6 units of work
constexpr double kSlowestRate = 0.1, kFastestRate = 1e7;      // units of work per second
constexpr double kLeastEnergy = 0.01, kMostEnergy = 10000;    // watts per unit of work per second
constexpr double kAmpleHeadroom = 0.25;                       // of the memory left free
constexpr double kManyRegions = 16;

bool counts_work(const workload::Workload& workload) {
  return workload::is_training(workload.task) || workload.concurrency_max;
}

double cost_value(const ScoreInput& input) {
  const double cost = work_cost(input.workload, input.estimate, input.cost);
  if (counts_work(input.workload))
    return log_scale(cost, kCheapestWork, kDearestWork);
  return log_scale(cost, kCheapestHour, kDearestHour);
}

double headroom_value(const estimate::Memory& memory) {
  return clamp01((1 - memory.per_gpu.value / memory.capacity) / kAmpleHeadroom);
}

double availability_value(const ScoreInput& input) {
  const double spread = std::log2(1.0 + input.regions) / std::log2(1.0 + kManyRegions);
  const double base = 0.5 + 0.5 * clamp01(spread);
  // Spot capacity can be taken back at any time: half as available as what is paid for in full.
  const double pricing = input.pricing == catalog::Pricing::spot ? 0.5 : 1.0;
  return clamp01(base * pricing - input.availability_penalty);
}

double value_of(Criterion criterion, const ScoreInput& input) {
  const double rate = work_rate(input.workload, input.estimate);
  switch (criterion) {
    case Criterion::cost:
      return cost_value(input);
    case Criterion::speed:
      return log_scale(rate, kFastestRate, kSlowestRate);
    case Criterion::headroom:
      return headroom_value(input.estimate.memory);
    case Criterion::fit:
      return clamp01(input.estimate.memory.fit_probability);
    case Criterion::availability:
      return availability_value(input);
    case Criterion::maturity:
      return clamp01(1 - input.maturity_penalty);
    case Criterion::energy:
      return rate > 0 ? log_scale(input.estimate.energy.power / units::watts(1) / rate,
                                  kLeastEnergy, kMostEnergy)
                      : 0;
  }
  return 0;
}

constexpr std::array kCriteria{Criterion::cost,  Criterion::speed,        Criterion::headroom,
                               Criterion::fit,   Criterion::availability, Criterion::maturity,
                               Criterion::energy};

}  // namespace

std::string_view name(Criterion criterion) {
  constexpr std::array<std::string_view, kCriteria.size()> kNames{
      "cost", "speed", "headroom", "fit", "availability", "maturity", "energy"};
  return kNames[static_cast<std::size_t>(criterion)];
}

Weights weights_of(Optimize optimize) {
  using enum Criterion;
  switch (optimize) {
    case Optimize::cost:
      return {{cost, 0.80},         {speed, 0.05},    {headroom, 0.03}, {fit, 0.05},
              {availability, 0.03}, {maturity, 0.03}, {energy, 0.01}};
    case Optimize::speed:
      return {{cost, 0.10},         {speed, 0.75},    {headroom, 0.03}, {fit, 0.05},
              {availability, 0.03}, {maturity, 0.03}, {energy, 0.01}};
    case Optimize::energy:
      return {{cost, 0.15},         {speed, 0.10},    {headroom, 0.03}, {fit, 0.05},
              {availability, 0.02}, {maturity, 0.05}, {energy, 0.60}};
    case Optimize::balanced:
      break;
  }
  return {{cost, 0.55},         {speed, 0.20},    {headroom, 0.05}, {fit, 0.06},
          {availability, 0.05}, {maturity, 0.07}, {energy, 0.02}};
}

double work_rate(const workload::Workload& workload, const estimate::Estimate& estimate) {
  if (estimate.training) {
    const auto& speed = *estimate.training;
    const double per_gpu =
        speed.has_tokens ? speed.tokens_per_s_per_gpu.value : speed.samples_per_s_per_gpu.value;
    return per_gpu * estimate.layout.gpus();
  }
  if (!estimate.inference)
    return 0;
  const auto& speed = *estimate.inference;
  if (speed.samples_s)
    return speed.samples_s->value;
  const bool one_stream = workload.concurrency <= 1 && !workload.concurrency_max && !workload.qps;
  if (one_stream && speed.decode_tok_s_per_request)
    return speed.decode_tok_s_per_request->value;
  if (speed.output_tok_s)
    return speed.output_tok_s->value;
  return speed.prefill_tok_s ? speed.prefill_tok_s->value : 0;
}

double work_cost(const workload::Workload& workload, const estimate::Estimate& estimate,
                 const Cost& cost) {
  if (!counts_work(workload))
    return cost.hourly.dollars();
  const double rate = work_rate(workload, estimate);
  if (!(rate > 0))
    return std::numeric_limits<double>::infinity();
  return cost.hourly.dollars() / 3600 / rate * 1e6;
}

std::vector<ScorePart> score_parts(const ScoreInput& input, const Weights& weights) {
  double sum = 0;
  for (const auto& [criterion, weight] : weights)
    sum += weight;
  std::vector<ScorePart> parts;
  for (const Criterion criterion : kCriteria) {
    const auto found = weights.find(criterion);
    if (found == weights.end() || found->second <= 0 || sum <= 0)
      continue;
    const double weight = found->second / sum;
    const double value = value_of(criterion, input);
    parts.push_back({criterion, weight, value, 100 * weight * value});
  }
  return parts;
}

void mark_pareto(const workload::Workload& workload, std::vector<Candidate>& candidates) {
  std::vector<Candidate*> order;
  for (Candidate& candidate : candidates)
    order.push_back(&candidate);
  const auto cost = [&workload](const Candidate* c) {
    return work_cost(workload, c->estimate, c->cost);
  };
  const auto rate = [&workload](const Candidate* c) { return work_rate(workload, c->estimate); };
  std::ranges::stable_sort(order, [&](const Candidate* a, const Candidate* b) {
    return cost(a) != cost(b) ? cost(a) < cost(b) : rate(a) > rate(b);
  });
  double fastest = -1;
  for (Candidate* candidate : order) {
    candidate->pareto = rate(candidate) > fastest;
    fastest = std::max(fastest, rate(candidate));
  }
}

}  // namespace gpu_advisor::rank
