#include <algorithm>
#include <map>

#include "gpu_advisor/rules/rule.hpp"
#include "gpu_advisor/support/json.hpp"
#include "gpu_advisor/support/text.hpp"
#include "load_internal.hpp"

namespace gpu_advisor::rules {
namespace {

using support::Error;
using support::ErrorCode;
using support::JsonCursor;
using support::Result;

Result<Stage> read_stage(const JsonCursor& cursor) {
  GPU_ADVISOR_TRY(const std::string text, cursor.text());
  for (const Stage stage : {Stage::reject, Stage::warn, Stage::advise, Stage::score}) {
    if (name(stage) == text) {
      return stage;
    }
  }
  const std::vector<std::string> names{"reject", "warn", "advise", "score"};
  return cursor.fail(ErrorCode::out_of_range, "\"" + text + "\" is no stage of rules",
                     support::did_you_mean(support::nearest(text, names)));
}

Result<std::string> read_id(const JsonCursor& cursor) {
  GPU_ADVISOR_TRY(std::string id, cursor.text());
  const bool plain = !id.empty() && std::ranges::all_of(id, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
  if (!plain) {
    return cursor.fail(ErrorCode::out_of_range,
                       "an id has lower-case letters, digits and hyphens, not \"" + id + "\"");
  }
  return id;
}

Result<std::string> read_words(const JsonCursor& cursor) {
  GPU_ADVISOR_TRY(std::string text, cursor.text());
  if (support::trim(text).empty()) {
    return cursor.fail(ErrorCode::out_of_range, "expected some words");
  }
  return text;
}

Result<std::string> read_date(const JsonCursor& cursor) {
  GPU_ADVISOR_TRY(std::string text, cursor.text());
  constexpr std::string_view kForm = "0000-00-00";
  bool well_formed = text.size() == kForm.size();
  for (std::size_t i = 0; well_formed && i < kForm.size(); ++i) {
    well_formed = kForm[i] == '-' ? text[i] == '-' : text[i] >= '0' && text[i] <= '9';
  }
  if (!well_formed) {
    return cursor.fail(ErrorCode::out_of_range,
                       "expected a date such as 2026-12-01, not \"" + text + "\"");
  }
  return text;
}

Result<Message> read_message(const JsonCursor& messages, std::string_view language,
                             const FactTable& table) {
  GPU_ADVISOR_TRY(const JsonCursor cursor, messages.at(language));
  GPU_ADVISOR_TRY(const std::string text, read_words(cursor));
  auto message = Message::compile(text, table);
  if (!message) {
    return cursor.fail(message.error().code, message.error().message, message.error().hint);
  }
  return message;
}

Result<Rule> read_rule(const JsonCursor& row, const FactTable& table) {
  GPU_ADVISOR_CHECKED(row.only(rule_keys()));
  Rule rule;
  rule.origin = row.file();
  GPU_ADVISOR_TRY(const JsonCursor id, row.at("id"));
  GPU_ADVISOR_TRY(rule.id, read_id(id));
  GPU_ADVISOR_TRY(const JsonCursor stage, row.at("stage"));
  GPU_ADVISOR_TRY(rule.stage, read_stage(stage));
  GPU_ADVISOR_TRY(const JsonCursor topic, row.at("topic"));
  GPU_ADVISOR_TRY(rule.topic, read_id(topic));
  GPU_ADVISOR_TRY(const JsonCursor when, row.at("when"));
  GPU_ADVISOR_TRY(rule.when, Logic::compile(when.json(), table, when.file(), when.pointer()));
  rule.when_text = when.json().dump();
  GPU_ADVISOR_TRY(const JsonCursor message, row.at("message"));
  GPU_ADVISOR_CHECKED(message.only({"en", "zh"}));
  GPU_ADVISOR_TRY(rule.en, read_message(message, "en", table));
  GPU_ADVISOR_TRY(rule.zh, read_message(message, "zh", table));
  GPU_ADVISOR_TRY(const JsonCursor source, row.at("source"));
  GPU_ADVISOR_TRY(rule.source, read_words(source));
  GPU_ADVISOR_TRY(const JsonCursor as_of, row.at("as_of"));
  GPU_ADVISOR_TRY(rule.as_of, read_date(as_of));
  GPU_ADVISOR_TRY(const std::optional<double> weight, row.optional_number("weight"));
  if (weight.has_value() != (rule.stage == Stage::score)) {
    return row.fail(ErrorCode::out_of_range, "score rules have a weight, and no others");
  }
  rule.weight = weight.value_or(0);
  if (weight && !(*weight > 0 && *weight <= 1)) {
    return row.fail(ErrorCode::out_of_range, "a weight lies above 0 and at most at 1");
  }
  return rule;
}

support::Status read_head(const JsonCursor& document) {
  GPU_ADVISOR_CHECKED(document.only({"schema", "rows"}));
  GPU_ADVISOR_TRY(const JsonCursor schema, document.at("schema"));
  GPU_ADVISOR_TRY(const std::string version, schema.text());
  if (version != kRulesSchema) {
    return schema.fail(
        ErrorCode::unsupported_version,
        "this program reads " + std::string(kRulesSchema) + ", not \"" + version + "\"");
  }
  return support::ok();
}

/// Reads one file into the rules by id.
void read_file(const RuleFile& file, const FactTable& table, std::map<std::string, Rule>& rules,
               std::vector<Error>& faults) {
  const auto json = support::parse_json(file.text, file.name);
  if (!json) {
    faults.push_back(json.error());
    return;
  }
  const JsonCursor document(*json, file.name);
  if (auto head = read_head(document); !head) {
    faults.push_back(std::move(head).error());
    return;
  }
  const auto rows = document.at("rows");
  const auto elements = rows ? rows->elements() : Result<std::vector<JsonCursor>>(rows.error());
  if (!elements) {
    faults.push_back(elements.error());
    return;
  }
  std::map<std::string, bool> seen;
  for (const JsonCursor& row : *elements) {
    auto rule = read_rule(row, table);
    if (!rule) {
      faults.push_back(std::move(rule).error());
    } else if (!seen.emplace(rule->id, true).second) {
      faults.push_back(
          row.fail(ErrorCode::duplicate_id, "the id \"" + rule->id + "\" stands twice"));
    } else {
      rules.insert_or_assign(rule->id, std::move(*rule));
    }
  }
}

}  // namespace

LoadedRules load_rules(FactTable table, std::span<const RuleFile> files) {
  std::map<std::string, Rule> by_id;
  LoadedRules loaded;
  for (const RuleFile& file : files) {
    read_file(file, table, by_id, loaded.faults);
  }
  std::vector<Rule> rules;
  rules.reserve(by_id.size());
  for (auto& entry : by_id) {
    rules.push_back(std::move(entry.second));
  }
  loaded.rules = RuleSet(std::move(table), std::move(rules));
  return loaded;
}

}  // namespace gpu_advisor::rules
