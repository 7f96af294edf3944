#pragma once

#include "judge_internal.hpp"

namespace gpu_advisor::rank {

/// The cheapest way to do what a user would ask for next: the same model in 8 and in 4 bits, and
/// the other tasks. Prices are those of the same providers, regions and pricing models, whatever
/// the budget.
[[nodiscard]] std::vector<Also> next_questions(const catalog::Catalog& catalog, const Judge& judge,
                                               const workload::Workload& workload,
                                               const Limits& limits, const Options& options);

}  // namespace gpu_advisor::rank
