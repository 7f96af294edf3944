#pragma once

#include "command_internal.hpp"
#include "gpu_advisor/rules/rule.hpp"

namespace gpu_advisor::commands {

/// The built-in rules, those of the data folders, and --rules FILE over them.
[[nodiscard]] support::Result<rules::RuleSet> load_rule_files(const Call& call);

}  // namespace gpu_advisor::commands
