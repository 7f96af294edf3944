#include <fmt/format.h>

#include "help_internal.hpp"

namespace gpu_advisor::commands {
namespace {

constexpr std::string_view kExitCodes =
    "Exit codes: 0 answered / plan holds; 1 answered, and the answer is no; 2 usage error;\n"
    "3 bad input file or catalog; 4 internal error; 5 could not judge.\n";

std::string option_line(const Option& option) {
  std::string names(option.name);
  if (!option.aliases.empty())
    names += ", " + std::string(option.aliases);
  if (option.arity != Arity::flag)
    names += " " + std::string(option.value);
  if (names.size() > 30)
    return fmt::format("  {}\n{:34}{}\n", names, "", option.help);
  return fmt::format("  {:32}{}\n", names, option.help);
}

}  // namespace

std::string program_help() {
  std::string text =
      "gpu-advisor: which GPU, how many, from whom, in which layout, for how much, and will it "
      "fit?\n\n"
      "Usage: gpu-advisor COMMAND [OPTIONS]\n\n"
      "  gpu-advisor recommend --params 7B --budget 2\n\nCommands:\n";
  for (const Command& command : command_table())
    text += fmt::format("  {:12}{}\n", command.name, command.summary);
  return text + "\nOptions of a command: gpu-advisor COMMAND --help\n" + std::string(kExitCodes);
}

std::string command_help(const Command& command) {
  std::string text = fmt::format("gpu-advisor {}: {}\n\nUsage: gpu-advisor {} {}\n", command.name,
                                 command.summary, command.name, command.usage);
  if (!command.options.empty())
    text += "\nOptions:\n";
  for (const Option& option : command.options)
    text += option_line(option);
  text += "\nOptions of every command:\n";
  for (const Option& option : global_options())
    text += option_line(option);
  if (!command.examples.empty())
    text += "\nExamples:\n" + std::string(command.examples);
  return text + "\n" + std::string(kExitCodes);
}

}  // namespace gpu_advisor::commands
