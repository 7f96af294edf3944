#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cmath>

#include "gpu_advisor/support/text.hpp"
#include "options_internal.hpp"

namespace gpu_advisor::commands {
namespace {

using support::Error;
using support::ErrorCode;
using support::Result;

std::vector<std::string> spellings(std::span<const Option> options) {
  std::vector<std::string> names;
  for (const Option& option : options) {
    names.emplace_back(option.name);
    for (const std::string_view alias : support::split(option.aliases, ','))
      if (!alias.empty())
        names.emplace_back(alias);
  }
  return names;
}

std::string syntax(const Option& option) {
  std::string names(option.name);
  if (!option.aliases.empty())
    names += "," + std::string(option.aliases);
  return names;
}

/// What CLI11 objects to, with the option it is about and the nearest spelling.
Error objection(const CLI::ParseError& error, std::span<const Option> options,
                const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (!argument.starts_with("--"))
      continue;
    const std::string name = argument.substr(0, argument.find('='));
    const auto known = spellings(options);
    if (std::ranges::find(known, name) == known.end())
      return usage_error(name, "unknown option",
                         support::did_you_mean(support::nearest(name, known)));
  }
  return usage_error("", error.what());
}

Result<std::string> checked_choice(const Option& option, const std::string& value) {
  const std::vector<std::string> choices = choices_of(option.value);
  if (choices.empty() || std::ranges::find(choices, value) != choices.end())
    return value;
  std::string expected;
  for (const std::string& choice : choices)
    expected += (expected.empty() ? "" : ", ") + choice;
  return usage_error(option.name, "\"" + value + "\" is not one of " + expected,
                     support::did_you_mean(support::nearest(value, choices, 1)));
}

}  // namespace

std::optional<std::string> Values::get(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end() || found->second.empty())
    return std::nullopt;
  return found->second.back();
}

std::vector<std::string> Values::all(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::vector<std::string>{} : found->second;
}

std::vector<std::string> choices_of(std::string_view value) {
  std::vector<std::string> choices;
  if (value.find('|') == std::string_view::npos)
    return choices;
  for (const std::string_view choice : support::split(value, '|'))
    choices.emplace_back(choice);
  return choices;
}

Result<Values> parse_options(std::span<const Option> options,
                             const std::vector<std::string>& arguments) {
  CLI::App app;
  app.set_help_flag();
  std::vector<std::vector<std::string>> texts(options.size());
  std::vector<std::int64_t> counts(options.size(), 0);
  std::vector<std::string> operands;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (options[i].arity == Arity::flag) {
      app.add_flag(syntax(options[i]), counts[i]);
    } else {
      // One value each time; a value such as -1 is a value, for its reader to refuse.
      app.add_option(syntax(options[i]), texts[i])
          ->expected(1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
          ->allow_extra_args(false);
    }
  }
  app.add_option("operands", operands);
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    return objection(error, options, arguments);
  }
  Values values;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (counts[i] > 0)
      values.add(std::string(options[i].name), "");
    for (const std::string& text : texts[i]) {
      GPU_ADVISOR_TRY(std::string value, checked_choice(options[i], text));
      values.add(std::string(options[i].name), std::move(value));
    }
    if (options[i].arity == Arity::one && texts[i].size() > 1)
      return usage_error(options[i].name, "given " + std::to_string(texts[i].size()) + " times");
  }
  for (std::string& operand : operands)
    values.add_operand(std::move(operand));
  return values;
}

Result<std::int64_t> parse_whole(std::string_view text) {
  const auto number = support::parse_number(text);
  constexpr double kMost = 2e9;
  if (!number || *number < 1 || *number > kMost || std::floor(*number) != *number)
    return Error{.code = ErrorCode::usage,
                 .message = "\"" + std::string(text) + "\" is not a whole number above zero"};
  return static_cast<std::int64_t>(*number);
}

Result<double> parse_positive(std::string_view text) {
  const auto number = support::parse_number(text);
  if (!number || *number <= 0)
    return Error{.code = ErrorCode::usage,
                 .message = "\"" + std::string(text) + "\" is not a number above zero"};
  return *number;
}

Error usage_error(std::string_view option, std::string message, std::string hint) {
  return Error{.code = ErrorCode::usage,
               .message = std::move(message),
               .location = {.file = std::string(option)},
               .hint = std::move(hint)};
}

}  // namespace gpu_advisor::commands
