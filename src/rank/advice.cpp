#include "gpu_advisor/rank/advice.hpp"

#include "judge_internal.hpp"

namespace gpu_advisor::rank {

Advice advise(const catalog::Catalog& catalog, const rules::RuleSet& rules,
              const workload::Workload& workload, const workload::Machine& machine,
              const estimate::Estimate& estimate) {
  const Limits no_limits;
  const catalog::Date no_day;
  Candidate candidate;
  candidate.instances = machine.nodes;
  candidate.gpus = machine.count;
  candidate.estimate = estimate;
  const CandidateView view{.catalog = catalog,
                           .workload = workload,
                           .limits = no_limits,
                           .today = no_day,
                           .candidate = candidate,
                           .machine = &machine};
  const Judge judge(rules);
  Verdict against = judge.sift(view);
  Verdict rest = judge.comment(view);
  return {.against = std::move(against.rejected),
          .warnings = std::move(rest.warnings),
          .reasons = std::move(rest.reasons)};
}

}  // namespace gpu_advisor::rank
