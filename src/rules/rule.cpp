#include "gpu_advisor/rules/rule.hpp"

#include <algorithm>

#include "gpu_advisor/rules/standard_facts.hpp"

namespace gpu_advisor::rules {
namespace {

constexpr std::size_t kStages = 4;

std::size_t slot(Stage stage) {
  return static_cast<std::size_t>(stage);
}

}  // namespace

std::string_view name(Stage stage) {
  switch (stage) {
    case Stage::reject:
      return "reject";
    case Stage::warn:
      return "warn";
    case Stage::advise:
      return "advise";
    case Stage::score:
      return "score";
  }
  return "";
}

RuleSet::RuleSet() : RuleSet(standard_fact_table(), {}) {}

RuleSet::RuleSet(FactTable table, std::vector<Rule> rules)
    : table_(std::move(table)), rules_(std::move(rules)), by_stage_(kStages) {
  std::ranges::sort(rules_, {}, &Rule::id);
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    by_stage_[slot(rules_[i].stage)].push_back(i);
  }
}

const Rule* RuleSet::find(std::string_view id) const {
  const auto found = std::ranges::lower_bound(rules_, id, {}, &Rule::id);
  return found != rules_.end() && found->id == id ? &*found : nullptr;
}

std::vector<Fired> RuleSet::fire(Stage stage, const Facts& facts) const {
  std::vector<Fired> fired;
  for (const std::size_t index : by_stage_[slot(stage)]) {
    const Rule& rule = rules_[index];
    if (rule.when.judge(facts) == Truth::yes) {
      fired.push_back({.rule = &rule, .en = rule.en.render(facts), .zh = rule.zh.render(facts)});
    }
  }
  return fired;
}

const Rule* RuleSet::first(Stage stage, const Facts& facts) const {
  for (const std::size_t index : by_stage_[slot(stage)]) {
    if (rules_[index].when.judge(facts) == Truth::yes) {
      return &rules_[index];
    }
  }
  return nullptr;
}

std::vector<std::size_t> RuleSet::reads(std::span<const Stage> stages) const {
  std::vector<std::size_t> indices;
  for (const Stage stage : stages) {
    for (const std::size_t index : by_stage_[slot(stage)]) {
      const std::vector<std::size_t>& read = rules_[index].when.reads();
      indices.insert(indices.end(), read.begin(), read.end());
    }
  }
  std::ranges::sort(indices);
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  return indices;
}

double RuleSet::penalty(const Facts& facts) const {
  double sum = 0;
  for (const std::size_t index : by_stage_[slot(Stage::score)]) {
    sum += rules_[index].when.judge(facts) == Truth::yes ? rules_[index].weight : 0;
  }
  return std::min(sum, 1.0);
}

std::vector<FactReading> RuleSet::readings(const Rule& rule, const Facts& facts) const {
  std::vector<std::size_t> read = rule.when.reads();
  for (const Message* message : {&rule.en, &rule.zh}) {
    read.insert(read.end(), message->reads().begin(), message->reads().end());
  }
  std::ranges::sort(read);
  read.erase(std::unique(read.begin(), read.end()), read.end());
  std::vector<FactReading> readings;
  for (const std::size_t index : read) {
    const Value& value = facts[index];
    readings.push_back({.fact = &table_.definitions()[index],
                        .value = value.is_null() ? "?" : to_text(value),
                        .known = !value.is_null()});
  }
  return readings;
}

}  // namespace gpu_advisor::rules
