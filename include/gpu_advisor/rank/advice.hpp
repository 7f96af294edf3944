#pragma once

#include <vector>

#include "gpu_advisor/catalog/catalog.hpp"
#include "gpu_advisor/estimate/estimate.hpp"
#include "gpu_advisor/rank/recommendation.hpp"
#include "gpu_advisor/workload/workload.hpp"

namespace gpu_advisor::rank {

/// What the rules of data say of an estimate.
struct Advice {
  std::vector<Finding> against;   // rules that would reject a candidate
  std::vector<Finding> warnings;  // of warn and score rules
  std::vector<Finding> reasons;   // advice
};

/// Judges one estimate on named hardware, where there is no offer: facts of provider, price and
/// instance type stay unknown, so that rules about them keep silent.
[[nodiscard]] Advice advise(const catalog::Catalog& catalog, const rules::RuleSet& rules,
                            const workload::Workload& workload, const workload::Machine& machine,
                            const estimate::Estimate& estimate);

}  // namespace gpu_advisor::rank
