#include <fmt/format.h>
#include <ostream>

#include "command_internal.hpp"

namespace gpu_advisor::commands {
namespace {

std::string words(const std::vector<Option>& options) {
  std::string text;
  for (const Option& option : options)
    text += (text.empty() ? "" : " ") + std::string(option.name);
  return text;
}

std::string command_names() {
  std::string names;
  for (const Command& command : command_table())
    names += (names.empty() ? "" : " ") + std::string(command.name);
  return names;
}

std::string bash() {
  std::string text =
      "_gpu_advisor() {\n  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then COMPREPLY=($(compgen -W '" +
      command_names() +
      "' -- \"$cur\")); return; fi\n"
      "  case \"${COMP_WORDS[1]} $prev\" in\n";
  for (const Command& command : command_table())
    for (const Option& option : all_options(command)) {
      std::string choices;
      for (const std::string& choice : choices_of(option.value))
        choices += (choices.empty() ? "" : " ") + choice;
      if (!choices.empty())
        text += fmt::format("    '{} {}') COMPREPLY=($(compgen -W '{}' -- \"$cur\")); return;;\n",
                            command.name, option.name, choices);
    }
  text += "  esac\n  case ${COMP_WORDS[1]} in\n";
  for (const Command& command : command_table())
    text += fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$cur\"));;\n", command.name,
                        words(all_options(command)));
  return text + "  esac\n}\ncomplete -o default -F _gpu_advisor gpu-advisor\n";
}

std::string zsh() {
  return "#compdef gpu-advisor\nautoload -U +X bashcompinit && bashcompinit\n" + bash();
}

std::string fish() {
  std::string text =
      "complete -c gpu-advisor -f -n '__fish_use_subcommand' -a '" + command_names() + "'\n";
  for (const Command& command : command_table())
    for (const Option& option : all_options(command)) {
      std::string choices;
      for (const std::string& choice : choices_of(option.value))
        choices += (choices.empty() ? "" : " ") + choice;
      text += fmt::format("complete -c gpu-advisor -n '__fish_seen_subcommand_from {}' -l {}{}\n",
                          command.name, option.name.substr(2),
                          choices.empty() ? "" : " -x -a '" + choices + "'");
    }
  return text;
}

}  // namespace

support::Result<ExitCode> run_completion(const Call& call) {
  const std::string shell = call.values.operands().empty() ? "" : call.values.operands().front();
  if (shell == "bash")
    call.world.out << bash();
  else if (shell == "zsh")
    call.world.out << zsh();
  else if (shell == "fish")
    call.world.out << fish();
  else
    return usage_error("", "expected a shell: bash, zsh or fish");
  return 0;
}

}  // namespace gpu_advisor::commands
