#include "gpu_advisor/rules/rule.hpp"

#include <algorithm>

#include "catch2.hpp"
#include "gpu_advisor/rules/standard_facts.hpp"
#include "gpu_advisor/support/json.hpp"

using namespace gpu_advisor;
using namespace gpu_advisor::rules;

namespace {

const FactTable& table() {
  static const FactTable kTable = standard_fact_table();
  return kTable;
}

Facts facts(std::initializer_list<std::pair<const char*, Value>> values) {
  Facts result(table());
  for (const auto& [name, value] : values) {
    result.set(table().find(name).value(), value);
  }
  return result;
}

std::string row(const std::string& id, const std::string& stage, const std::string& rest) {
  return R"({"id": ")" + id + R"(", "stage": ")" + stage + R"(", "topic": "memory", )" + rest +
         R"("message": {"en": "{gpu.name} has {gpu.memory_gib:0} GiB",
                        "zh": "{gpu.name} 有 {gpu.memory_gib:0} GiB"},
            "source": "a data sheet", "as_of": "2026-01-31"})";
}

const std::string kSmall = R"("when": {"<": [{"var": "gpu.memory_gib"}, 24]}, )";

std::string file(const std::string& rows) {
  return R"({"schema": "gpu-advisor/rules@1", "rows": [)" + rows + "]}";
}

LoadedRules load(const std::string& text) {
  const std::vector<RuleFile> files{{"rules.json", text}};
  return load_rules(table(), files);
}

}  // namespace

TEST_CASE("a rule fires with its message in both languages") {
  const LoadedRules loaded = load(file(row("small-memory", "warn", kSmall)));
  REQUIRE(loaded.faults.empty());
  const auto fired =
      loaded.rules.fire(Stage::warn, facts({{"gpu.memory_gib", 16.0}, {"gpu.name", "T4"}}));
  REQUIRE(fired.size() == 1);
  CHECK(fired[0].rule->id == "small-memory");
  CHECK(fired[0].en == "T4 has 16 GiB");
  CHECK(fired[0].zh == "T4 有 16 GiB");
  CHECK(loaded.rules.fire(Stage::warn, facts({{"gpu.memory_gib", 80.0}})).empty());
  CHECK(loaded.rules.fire(Stage::warn, facts({})).empty());
  CHECK(loaded.rules.fire(Stage::reject, facts({{"gpu.memory_gib", 16.0}})).empty());
}

TEST_CASE("score rules take their weights, together at most one") {
  const std::string rows = row("a", "score", kSmall + R"("weight": 0.3, )") + "," +
                           row("b", "score", kSmall + R"("weight": 0.9, )");
  const LoadedRules loaded = load(file(rows));
  REQUIRE(loaded.faults.empty());
  CHECK(loaded.rules.penalty(facts({{"gpu.memory_gib", 16.0}})) == 1);
  CHECK(loaded.rules.penalty(facts({{"gpu.memory_gib", 80.0}})) == 0);
}

TEST_CASE("a set tells which facts the conditions of its stages read") {
  const std::string other = R"("when": {"==": [{"var": "gpu.vendor"}, "amd"]}, )";
  const LoadedRules loaded = load(file(row("a", "warn", kSmall) + "," + row("b", "reject", other)));
  const std::vector<Stage> reject{Stage::reject}, both{Stage::reject, Stage::warn};
  CHECK(loaded.rules.reads(reject) == std::vector<std::size_t>{table().find("gpu.vendor").value()});
  CHECK(loaded.rules.reads(both).size() == 2);
  CHECK(loaded.rules.reads({}).empty());
}

TEST_CASE("all faults of a file are found, each with its place") {
  const std::string rows = row("Bad Id", "warn", kSmall) + "," + row("b", "wern", kSmall) + "," +
                           row("c", "warn", R"("when": {"<": [{"var": "gpu.memory"}, 24]}, )") +
                           "," + row("d", "score", kSmall) + "," +
                           row("e", "warn", kSmall + R"("wait": 1, )") + "," +
                           row("good", "warn", kSmall) + "," + row("good", "warn", kSmall);
  const LoadedRules loaded = load(file(rows));
  REQUIRE(loaded.faults.size() == 6);
  CHECK(loaded.faults[0].location.pointer == "/rows/0/id");
  CHECK(loaded.faults[1].hint == "did you mean warn?");
  CHECK(loaded.faults[2].location.pointer == "/rows/2/when/</0/var");
  CHECK(loaded.faults[3].location.pointer == "/rows/3");
  CHECK(loaded.faults[4].code == support::ErrorCode::unknown_key);
  CHECK(loaded.faults[5].code == support::ErrorCode::duplicate_id);
  CHECK(loaded.rules.find("good") != nullptr);
}

TEST_CASE("a later file replaces rules of an earlier one") {
  const std::vector<RuleFile> files{{"a.json", file(row("same", "warn", kSmall))},
                                    {"b.json", file(row("same", "reject", kSmall))}};
  const LoadedRules loaded = load_rules(table(), files);
  REQUIRE(loaded.faults.empty());
  REQUIRE(loaded.rules.rules().size() == 1);
  CHECK(loaded.rules.find("same")->stage == Stage::reject);
  CHECK(loaded.rules.find("same")->origin == "b.json");
  CHECK(loaded.rules.find("other") == nullptr);
}

TEST_CASE("a broken document is one fault") {
  CHECK(load("{").faults.size() == 1);
  CHECK(load(R"({"schema": "gpu-advisor/rules@9", "rows": []})").faults.at(0).code ==
        support::ErrorCode::unsupported_version);
  CHECK(load(R"({"schema": "gpu-advisor/rules@1"})").faults.size() == 1);
  CHECK(load(R"([])").faults.size() == 1);
}

TEST_CASE("messages print numbers as they are told") {
  const Facts some =
      facts({{"gpu.memory_gib", 79.26}, {"memory.headroom", 0.123}, {"offer.rdma", true}});
  const auto text = [&some](std::string_view message) {
    const auto compiled = Message::compile(message, table());
    REQUIRE(compiled);
    return compiled->render(some);
  };
  CHECK(text("{gpu.memory_gib}") == "79.3");
  CHECK(text("{gpu.memory_gib:0} GiB") == "79 GiB");
  CHECK(text("{gpu.memory_gib:2}") == "79.26");
  CHECK(text("{memory.headroom:%} free") == "12% free");
  CHECK(text("{offer.rdma} {gpu.name}") == "true ?");
  CHECK(text("no facts") == "no facts");
}

TEST_CASE("a message with an unknown fact or format is refused") {
  CHECK_FALSE(Message::compile("{gpu.nam}", table()));
  CHECK_FALSE(Message::compile("{gpu.name:x}", table()));
  CHECK_FALSE(Message::compile("{gpu.name", table()));
}

TEST_CASE("an explanation lists what a rule reads") {
  const LoadedRules loaded = load(file(row("small-memory", "warn", kSmall)));
  const Rule* rule = loaded.rules.find("small-memory");
  REQUIRE(rule != nullptr);
  const auto readings = loaded.rules.readings(*rule, facts({{"gpu.memory_gib", 16.0}}));
  REQUIRE(readings.size() == 2);
  CHECK(readings[0].fact->name == "gpu.name");
  CHECK_FALSE(readings[0].known);
  CHECK(readings[1].value == "16");
  CHECK(rule->when_text == R"({"<":[{"var":"gpu.memory_gib"},24]})");
}

TEST_CASE("the schema of rule files is a JSON Schema with every key") {
  const auto schema = support::parse_json(rules_schema(), "schema");
  REQUIRE(schema);
  const auto& row_schema = (*schema)["properties"]["rows"]["items"];
  CHECK(row_schema["required"].size() == 7);
  CHECK(row_schema["properties"].contains("weight"));
  CHECK(row_schema["properties"]["message"]["required"] == support::Json::array({"en", "zh"}));
}
