#pragma once

#include <vector>

#include "gpu_advisor/rank/recommendation.hpp"
#include "gpu_advisor/workload/workload.hpp"
#include "options_internal.hpp"

namespace gpu_advisor::commands {

/// The flags of INTERFACE.md that describe a workload, and those that name hardware and layout.
[[nodiscard]] const std::vector<Option>& workload_options();
[[nodiscard]] const std::vector<Option>& layout_options();
/// What may be rented.
[[nodiscard]] const std::vector<Option>& limit_options();

[[nodiscard]] support::Result<workload::Request> request_of(const Values& values);
/// `per_usd`: the rate of the currency in which the budget is given.
[[nodiscard]] support::Result<rank::Limits> limits_of(const Values& values, double per_usd);
[[nodiscard]] support::Result<layout::Limits> layout_limits_of(const Values& values);
/// Flags that are given and cannot act on this task, as notes.
[[nodiscard]] std::vector<std::string> idle_flags(const Values& values, workload::Task task);

}  // namespace gpu_advisor::commands
