#pragma once

#include <string_view>
#include <vector>

#include "gpu_advisor/layout/search.hpp"

namespace gpu_advisor::layout {

/// Degrees that multiply to the machine's GPU count and agree with what the user fixed; simplest
/// first (fewest kinds of splitting, then smallest tensor parallelism).
[[nodiscard]] std::vector<workload::Layout> degree_choices(const workload::Workload& workload,
                                                           const workload::Machine& machine,
                                                           const Limits& limits);

/// Why these degrees cannot run, as the stable key of a Refusal; empty: legal.
[[nodiscard]] std::string_view illegal_because(const workload::Workload& workload,
                                               const workload::Machine& machine,
                                               const workload::Layout& degrees);

}  // namespace gpu_advisor::layout
