#pragma once

#include "gpu_advisor/rank/recommendation.hpp"

namespace gpu_advisor::rank {

/// What the criteria of one candidate are made of.
struct ScoreInput {
  const workload::Workload& workload;
  const estimate::Estimate& estimate;
  const Cost& cost;
  const catalog::Sku& sku;
  catalog::Pricing pricing = {};
  int regions = 1;              // where it is offered at an admissible price
  double maturity_penalty = 0;  // sum of the weights of the score rules that fired
  double availability_penalty = 0;
};

/// The criteria with their weights (scaled to sum to 1), values in [0, 1] and points; the score is
/// the sum of the points, at most 100. The curves are absolute: no candidate's score depends on the
/// others, so a larger budget can only add candidates and never lower the best score.
[[nodiscard]] std::vector<ScorePart> score_parts(const ScoreInput& input, const Weights& weights);

/// What the cost criterion and the Pareto front call the cost: of the work where its amount or its
/// rate is known, else of an hour.
[[nodiscard]] double work_cost(const workload::Workload& workload,
                               const estimate::Estimate& estimate, const Cost& cost);
/// Work done per second by the whole deployment: tokens, samples or generated tokens.
[[nodiscard]] double work_rate(const workload::Workload& workload,
                               const estimate::Estimate& estimate);

/// Marks the candidates that no other beats in both cost and rate.
void mark_pareto(const workload::Workload& workload, std::vector<Candidate>& candidates);

}  // namespace gpu_advisor::rank
