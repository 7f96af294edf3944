#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpu_advisor::rules {

inline constexpr std::string_view kRulesSchema = "gpu-advisor/rules@1";

/// Keys that a rule may have, in the order in which files write them.
[[nodiscard]] const std::vector<std::string>& rule_keys();

}  // namespace gpu_advisor::rules
