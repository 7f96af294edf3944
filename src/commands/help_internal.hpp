#pragma once

#include <string>

#include "command_internal.hpp"

namespace gpu_advisor::commands {

[[nodiscard]] std::string program_help();
[[nodiscard]] std::string command_help(const Command& command);

}  // namespace gpu_advisor::commands
