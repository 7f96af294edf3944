#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gpu_advisor/estimate/estimate.hpp"

namespace gpu_advisor::layout {

/// What the user fixed; empty means open.
struct Limits {
  std::optional<int> tp, pp, dp, cp, ep, zero_stage;
};

/// Why layouts were refused, with an example each.
struct Refusal {
  std::string reason;  // stable key: "heads_not_divisible", "beyond_fast_island", …
  int count = 0;
  workload::Layout example;
};

struct Layouts {
  std::vector<workload::Layout> legal;
  std::vector<Refusal> refused;
};

/// Legal layouts of this workload on this machine: tp divides the heads and stays in a node, pp
/// divides nothing but is at most the layer count, ep divides the experts, the degrees multiply to
/// the machine's GPU count. Ordered simplest first.
[[nodiscard]] Layouts enumerate(const workload::Workload& workload,
                                const workload::Machine& machine, const Limits& limits);

/// The fastest layout that fits, or, when none fits, the one that comes nearest. Deterministic.
struct Best {
  estimate::Estimate estimate;
  bool fits = false;
  std::vector<Refusal> refused;
};
[[nodiscard]] Best best_layout(const workload::Workload& workload, const ops::OperationList& ops,
                               const workload::Machine& machine, const Limits& limits,
                               const catalog::Calibration& calibration);

}  // namespace gpu_advisor::layout
