#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu_advisor/rank/recommendation.hpp"

namespace gpu_advisor::rank {

/// Everything the facts of one candidate are read from. Without an offer (`machine` is set) the
/// candidate's SKU and price are not read.
struct CandidateView {
  const catalog::Catalog& catalog;
  const workload::Workload& workload;
  const Limits& limits;
  const catalog::Date& today;
  const Candidate& candidate;
  const workload::Machine* machine = nullptr;  // an estimate on named hardware: there is no offer
};

/// What the rules say of one candidate.
struct Verdict {
  std::vector<Finding> rejected, warnings, reasons;
  double maturity_penalty = 0;
};

/// Runs the rules of data over candidates.
class Judge {
 public:
  explicit Judge(const rules::RuleSet& rules);
  ~Judge();
  /// Reject and score rules only: for every candidate.
  [[nodiscard]] Verdict sift(const CandidateView& view) const;
  /// Warnings and advice: for those that are shown.
  [[nodiscard]] Verdict comment(const CandidateView& view) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gpu_advisor::rank
