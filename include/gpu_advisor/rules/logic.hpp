#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_advisor/rules/facts.hpp"
#include "gpu_advisor/rules/value.hpp"
#include "gpu_advisor/support/result.hpp"

namespace gpu_advisor::rules {

struct Node;  // of the compiled tree; see src/rules

/// What a condition over facts comes to. Unknown: a fact that decides it has no value.
enum class Truth { no, yes, unknown };

/// A JsonLogic expression (jsonlogic.com), compiled once. Total: every evaluation ends with a
/// value.
///
/// Two dialects. Over plain data it answers as the public specification does. Over facts, `var` at
/// the top names a fact, resolved when compiled, and null means "unknown": it spreads through
/// comparison, arithmetic and `!` as in three-valued logic instead of counting as 0, unless it is
/// compared with a literal null. So a rule never fires because something is not known.
class Logic {
 public:
  /// Over plain data. Unknown operators and wrong arities are errors with their JSON pointer.
  [[nodiscard]] static support::Result<Logic> compile(const nlohmann::ordered_json& json,
                                                      const std::string& file = "",
                                                      const std::string& pointer = "");
  /// Over facts. Unknown facts and operators are errors with the nearest spellings.
  [[nodiscard]] static support::Result<Logic> compile(const nlohmann::ordered_json& json,
                                                      const FactTable& table,
                                                      const std::string& file = "",
                                                      const std::string& pointer = "");
  [[nodiscard]] static support::Result<Logic> parse(std::string_view text);
  [[nodiscard]] static support::Result<Logic> parse(std::string_view text, const FactTable& table);

  /// Of logic over plain data.
  [[nodiscard]] Value evaluate(const Value& data) const;
  /// Of logic over facts.
  [[nodiscard]] Value evaluate(const Facts& facts) const;
  [[nodiscard]] Truth judge(const Facts& facts) const;
  /// Indices of the facts it reads, ascending.
  [[nodiscard]] const std::vector<std::size_t>& reads() const { return reads_; }

 private:
  std::shared_ptr<const Node> root_;
  std::vector<std::size_t> reads_;
};

/// Names of all operators, sorted.
[[nodiscard]] const std::vector<std::string>& operators();
/// Truthiness of JsonLogic: empty lists are false, "0" is true.
[[nodiscard]] bool truthy(const Value& value);
/// As the rule language prints a value: 1 and not 1.0, lists joined by commas.
[[nodiscard]] std::string to_text(const Value& value);
[[nodiscard]] Value from_json(const nlohmann::ordered_json& json);
[[nodiscard]] nlohmann::ordered_json to_json(const Value& value);

}  // namespace gpu_advisor::rules
