#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_advisor/support/result.hpp"

namespace gpu_advisor::commands {

enum class Arity { flag, one, many };

/// One option of a command: help, completion, parsing and tests loop over these rows.
struct Option {
  std::string_view name;     // "--budget", or "--isl" among the aliases
  std::string_view aliases;  // further spellings, separated by ','
  Arity arity = Arity::one;
  std::string_view value;  // what stands after it, for help: "AMOUNT"; choices as "a|b|c"
  std::string_view help;
};

/// Options as typed: name to values, in order. A flag holds one empty value.
class Values {
 public:
  [[nodiscard]] bool has(std::string_view name) const { return values_.contains(name); }
  /// The last value given.
  [[nodiscard]] std::optional<std::string> get(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> all(std::string_view name) const;
  [[nodiscard]] const std::vector<std::string>& operands() const { return operands_; }
  void add(std::string name, std::string value) {
    values_[std::move(name)].push_back(std::move(value));
  }
  void add_operand(std::string operand) { operands_.push_back(std::move(operand)); }

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
  std::vector<std::string> operands_;
};

/// Syntax only: every option known, values where they belong, choices among those of `value`.
[[nodiscard]] support::Result<Values> parse_options(std::span<const Option> options,
                                                    const std::vector<std::string>& arguments);

/// The words of a `value` that is a choice; empty for a free value.
[[nodiscard]] std::vector<std::string> choices_of(std::string_view value);

// Each reads an option if it is there; the error names the option and what was expected.
template <typename T>
using Parser = support::Result<T> (*)(std::string_view);
template <typename T>
[[nodiscard]] support::Result<std::optional<T>> read_option(const Values& values,
                                                            std::string_view name,
                                                            Parser<T> parse) {
  const auto text = values.get(name);
  if (!text)
    return std::optional<T>{};
  auto parsed = parse(*text);
  if (parsed)
    return std::optional<T>(std::move(*parsed));
  support::Error error = std::move(parsed).error();
  error.code = support::ErrorCode::usage;
  error.location = {.file = std::string(name)};
  return error;
}
[[nodiscard]] support::Result<std::int64_t> parse_whole(std::string_view text);  // at least 1
[[nodiscard]] support::Result<double> parse_positive(std::string_view text);
[[nodiscard]] support::Error usage_error(std::string_view option, std::string message,
                                         std::string hint = "");

}  // namespace gpu_advisor::commands
