#pragma once

#include <vector>

#include "gpu_advisor/rules/facts.hpp"
#include "judge_internal.hpp"

namespace gpu_advisor::rank {

/// How a standard fact is read off a candidate. Null is "unknown".
struct FactRow {
  std::string_view name;
  rules::Value (*read)(const CandidateView&);
};
/// One row for every standard fact; a test holds the two tables together.
[[nodiscard]] const std::vector<FactRow>& fact_rows();
/// What a machine without an offer tells of the facts "offer.*" (the rest of them stays unknown).
[[nodiscard]] const std::vector<FactRow>& machine_fact_rows();

}  // namespace gpu_advisor::rank
