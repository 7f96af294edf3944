#include <algorithm>
#include <fstream>
#include <set>

#include "catch2.hpp"
#include "gpu_advisor/rules/rule.hpp"
#include "gpu_advisor/rules/standard_facts.hpp"
#include "gpu_advisor/support/file_source.hpp"
#include "gpu_advisor/support/json.hpp"

using namespace gpu_advisor;
using namespace gpu_advisor::rules;

namespace {

const std::string kRoot = GPU_ADVISOR_SOURCE_DIR;
const std::string kSchemaFile = kRoot + "/data/schema/rules.schema.json";

std::string read(const std::string& path) {
  auto text = support::disk_files()->read(path, 1 << 22);
  REQUIRE(text);
  return std::move(text).value();
}

std::vector<RuleFile> rule_files() {
  const auto names = support::disk_files()->list(kRoot + "/data/rules");
  REQUIRE(names);
  std::vector<RuleFile> files;
  for (const std::string& name : *names) {
    files.push_back({"data/rules/" + name, read(kRoot + "/data/rules/" + name)});
  }
  return files;
}

LoadedRules load() {
  const std::vector<RuleFile> files = rule_files();
  return load_rules(standard_fact_table(), files);
}

Facts facts_of(const support::Json& json, const FactTable& table) {
  Facts facts(table);
  for (const auto& [name, value] : json.items()) {
    const auto index = table.require(name);
    REQUIRE(index);
    facts.set(*index, from_json(value));
  }
  return facts;
}

support::Json parse(const std::string& path) {
  auto json = support::parse_json(read(path), path);
  REQUIRE(json);
  return std::move(json).value();
}

}  // namespace

TEST_CASE("every rule of the data loads") {
  const LoadedRules loaded = load();
  for (const support::Error& fault : loaded.faults) {
    FAIL_CHECK(fault.to_text());
  }
  CHECK(loaded.rules.rules().size() >= 100);
}

TEST_CASE("every rule fires on its crafted facts and not on the others") {
  const LoadedRules loaded = load();
  const support::Json cases = parse(kRoot + "/tests/rules/rule_cases.json");
  std::set<std::string> covered;
  for (const auto& row : cases["cases"]) {
    const auto id = row["rule"].get<std::string>();
    CAPTURE(id);
    const Rule* rule = loaded.rules.find(id);
    REQUIRE(rule != nullptr);
    covered.insert(id);
    CHECK(rule->when.judge(facts_of(row["fires"], loaded.rules.table())) == Truth::yes);
    CHECK(rule->when.judge(facts_of(row["stays"], loaded.rules.table())) != Truth::yes);
  }
  for (const Rule& rule : loaded.rules.rules()) {
    CAPTURE(rule.id);
    CHECK(covered.count(rule.id) == 1);
  }
}

TEST_CASE("no rule fires when nothing is known") {
  const LoadedRules loaded = load();
  const Facts nothing(loaded.rules.table());
  for (const Rule& rule : loaded.rules.rules()) {
    CAPTURE(rule.id);
    CHECK(rule.when.judge(nothing) != Truth::yes);
  }
}

TEST_CASE("both languages of a rule read the same facts and differ in words") {
  const LoadedRules loaded = load();
  for (const Rule& rule : loaded.rules.rules()) {
    CAPTURE(rule.id);
    CHECK(rule.en.text() != rule.zh.text());
    const std::set<std::size_t> en(rule.en.reads().begin(), rule.en.reads().end());
    const std::set<std::size_t> zh(rule.zh.reads().begin(), rule.zh.reads().end());
    CHECK(en == zh);
    const bool has_cjk = std::ranges::any_of(
        rule.zh.text(), [](char c) { return static_cast<unsigned char>(c) >= 0xE4; });
    CHECK(has_cjk);
  }
}

TEST_CASE("rule files hold one topic each, sorted by id") {
  for (const RuleFile& file : rule_files()) {
    CAPTURE(file.name);
    const auto json = support::parse_json(file.text, file.name);
    REQUIRE(json);
    std::string before;
    for (const auto& row : (*json)["rows"]) {
      const auto id = row["id"].get<std::string>();
      CHECK(before < id);
      CHECK("data/rules/" + row["topic"].get<std::string>() + ".json" == file.name);
      before = id;
    }
  }
}

TEST_CASE("the committed schema of rules is the one that the program makes") {
  CHECK(read(kSchemaFile) == rules_schema());
}

// Run by hand after a change of the field list: test_rules "[write-schema]".
TEST_CASE("write the schema of rules", "[.][write-schema]") {
  std::ofstream(kSchemaFile) << rules_schema();
}
