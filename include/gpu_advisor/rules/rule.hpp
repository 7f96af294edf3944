#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_advisor/rules/facts.hpp"
#include "gpu_advisor/rules/logic.hpp"
#include "gpu_advisor/support/result.hpp"

namespace gpu_advisor::rules {

/// reject: the candidate is out. warn: shown as a warning. advise: shown as a reason or advice.
/// score: takes `weight` off the maturity criterion, and is shown as a warning.
enum class Stage { reject, warn, advise, score };
[[nodiscard]] std::string_view name(Stage stage);

/// A sentence with facts in it: "{gpu.name} shows {gpu.usable_memory_gib:1} GiB". After the colon:
/// digits after the point, or "%" for a share in percent; without it about three digits.
class Message {
 public:
  [[nodiscard]] static support::Result<Message> compile(std::string_view text,
                                                        const FactTable& table);
  /// Facts without value read "?".
  [[nodiscard]] std::string render(const Facts& facts) const;
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::vector<std::size_t>& reads() const { return reads_; }

 private:
  struct Part {
    std::string literal;  // before the fact
    int fact = -1;        // none: the end
    int digits = -1;      // after the point; -1: about three significant
    bool percent = false;
  };
  std::string text_;
  std::vector<Part> parts_;
  std::vector<std::size_t> reads_;
};

struct Rule {
  std::string id;  // lower case, hyphens, stable for ever
  Stage stage = Stage::warn;
  std::string topic;  // "dtype", "memory", "lifecycle", …
  Logic when;
  std::string when_text;  // the condition as JSON, for people
  Message en, zh;
  std::string source;
  std::string as_of;   // YYYY-MM-DD
  double weight = 0;   // of score rules, in (0, 1]
  std::string origin;  // file it came from
};

/// A rule with what it says of one situation.
struct Fired {
  const Rule* rule = nullptr;
  std::string en, zh;
};

/// A fact that a rule reads, with its value, for explanations.
struct FactReading {
  const FactDefinition* fact = nullptr;
  std::string value;  // "?" when unknown
  bool known = false;
};

/// Rules in order of their ids, over one fact table.
class RuleSet {
 public:
  RuleSet();  // no rules over the standard facts
  RuleSet(FactTable table, std::vector<Rule> rules);

  [[nodiscard]] const FactTable& table() const { return table_; }
  [[nodiscard]] const std::vector<Rule>& rules() const { return rules_; }
  [[nodiscard]] const Rule* find(std::string_view id) const;
  /// Rules of a stage whose condition holds, in order of id.
  [[nodiscard]] std::vector<Fired> fire(Stage stage, const Facts& facts) const;
  /// Whether any rule of this stage holds: the first, or null.
  [[nodiscard]] const Rule* first(Stage stage, const Facts& facts) const;
  /// Indices of the facts that the conditions of these stages read, ascending: all that must be
  /// filled before `first`, `penalty` or `fire` of them (messages read more).
  [[nodiscard]] std::vector<std::size_t> reads(std::span<const Stage> stages) const;
  /// Sum of the weights of the score rules that hold, at most 1.
  [[nodiscard]] double penalty(const Facts& facts) const;
  /// The facts that a rule reads (condition and messages), in table order.
  [[nodiscard]] std::vector<FactReading> readings(const Rule& rule, const Facts& facts) const;

 private:
  FactTable table_;
  std::vector<Rule> rules_;
  std::vector<std::vector<std::size_t>> by_stage_;  // indices into rules_
};

/// A rule file: {"schema": "gpu-advisor/rules@1", "rows": [...]}.
struct RuleFile {
  std::string name, text;
};

/// Everything that could be read, and every fault that was found. Later files replace rules of
/// earlier ones by id; twice the same id in one file is a fault.
struct LoadedRules {
  RuleSet rules;
  std::vector<support::Error> faults;
};
[[nodiscard]] LoadedRules load_rules(FactTable table, std::span<const RuleFile> files);

/// The JSON Schema of rule files, from the same field list that reads them.
[[nodiscard]] std::string rules_schema();

}  // namespace gpu_advisor::rules
