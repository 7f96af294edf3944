#include <ostream>

#include "gpu_advisor/render/present/lists.hpp"
#include "list_internal.hpp"
#include "rule_files_internal.hpp"

namespace gpu_advisor::commands {
namespace {

support::Error unknown_rule(const rules::RuleSet& rules, const std::string& id) {
  std::vector<std::string> ids;
  for (const rules::Rule& rule : rules.rules())
    ids.push_back(rule.id);
  return {.code = support::ErrorCode::unknown_name,
          .message = "unknown rule \"" + id + "\"",
          .hint = support::did_you_mean(support::nearest(id, ids))};
}

render::Facts rule_facts(const rules::RuleSet& rules, const rules::Rule& rule) {
  render::Facts facts{.title = rule.id, .rows = {}};
  const auto add = [&facts](std::string label, std::string value) {
    facts.rows.emplace_back(std::move(label), render::Cell{.text = std::move(value)});
  };
  add("stage", std::string(rules::name(rule.stage)));
  add("topic", rule.topic);
  add("when", rule.when_text);
  add("en", rule.en.text());
  add("zh", rule.zh.text());
  if (rule.weight > 0)
    add("weight", std::to_string(rule.weight));
  add("source", rule.source);
  add("as_of", rule.as_of);
  const rules::Facts nothing(rules.table());
  for (const rules::FactReading& reading : rules.readings(rule, nothing))
    add(reading.fact->name, reading.fact->doc);
  return facts;
}

}  // namespace

support::Result<ExitCode> run_rules(const Call& call) {
  GPU_ADVISOR_TRY(const Verb verb, verb_of(call));
  GPU_ADVISOR_TRY(const rules::RuleSet rules, load_rule_files(call));
  if (!verb.show)
    return write_list(call, "gpu-advisor/rule-list@1",
                      render::rule_table(rules, call.globals.language), rules.rules().size());
  const rules::Rule* rule = rules.find(verb.name);
  if (rule == nullptr)
    return unknown_rule(rules, verb.name);
  render::Facts facts = rule_facts(rules, *rule);
  if (call.globals.format == "json") {
    call.world.out << render::facts_json("gpu-advisor/rule@1", facts);
    return 0;
  }
  render::Document document;
  document.sections.emplace_back(std::move(facts));
  write_document(call, document);
  return 0;
}

}  // namespace gpu_advisor::commands
