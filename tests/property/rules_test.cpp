#include <array>
#include <random>

#include "catch2.hpp"
#include "gpu_advisor/rules/rule.hpp"
#include "gpu_advisor/rules/standard_facts.hpp"
#include "gpu_advisor/support/file_source.hpp"
#include "gpu_advisor/support/json.hpp"

using namespace gpu_advisor;
using namespace gpu_advisor::rules;

namespace {

const std::string kRoot = GPU_ADVISOR_SOURCE_DIR;

RuleSet data_rules() {
  std::vector<RuleFile> files;
  const auto names = support::disk_files()->list(kRoot + "/data/rules");
  REQUIRE(names);
  for (const std::string& name : *names) {
    auto text = support::disk_files()->read(kRoot + "/data/rules/" + name, 1 << 22);
    REQUIRE(text);
    files.push_back({name, std::move(text).value()});
  }
  LoadedRules loaded = load_rules(standard_fact_table(), files);
  REQUIRE(loaded.faults.empty());
  return std::move(loaded.rules);
}

Value random_value(FactType type, std::mt19937& random) {
  constexpr std::array kNumbers{0.0, 0.05, 0.5, 1.0, 2.0, 7.0, 7.5, 8.9, 16.0, 80.0, 1000.0, 2e5};
  constexpr std::array kTexts{"nvidia", "amd",  "inference",   "finetune", "vision-train", "full",
                              "lora",   "none", "pcie",        "spot",     "aws",          "dense",
                              "bf16",   "vllm", "geforce-rtx", "fp8",      "laptop",       "tpu"};
  switch (type) {
    case FactType::number:
      return kNumbers[random() % kNumbers.size()];
    case FactType::boolean:
      return random() % 2 == 0;
    default:
      return kTexts[random() % kTexts.size()];
  }
}

/// A rule that asks whether something is known may change its mind when it becomes known.
bool asks_for_knowledge(const Rule& rule) {
  return rule.when_text.find("null") != std::string::npos ||
         rule.when_text.find("substr") != std::string::npos;
}

/// A random expression over numbers, texts and lists.
support::Json random_logic(std::mt19937& random, int depth) {
  if (depth == 0 || random() % 4 == 0) {
    switch (random() % 6) {
      case 0:
        return static_cast<int>(random() % 5) - 2;
      case 1:
        return random() % 2 == 0 ? "1" : "text";
      case 2:
        return support::Json{{"var", random() % 2 == 0 ? "a" : "b.0"}};
      case 3:
        return nullptr;
      case 4:
        return support::Json::array({1, "x", nullptr});
      default:
        return random() % 2 == 0;
    }
  }
  const std::string& name = operators()[random() % operators().size()];
  const std::size_t count = 1 + random() % 3;
  support::Json arguments = support::Json::array();
  for (std::size_t i = 0; i < count; ++i) {
    arguments.push_back(random_logic(random, depth - 1));
  }
  return support::Json{{name, std::move(arguments)}};
}

}  // namespace

TEST_CASE("knowing more never turns the verdict of a rule around") {
  const RuleSet set = data_rules();
  const auto& definitions = set.table().definitions();
  std::mt19937 random(11);
  for (int round = 0; round < 60; ++round) {
    Facts some(set.table()), all(set.table());
    for (std::size_t i = 0; i < definitions.size(); ++i) {
      const Value value = random_value(definitions[i].type, random);
      all.set(i, value);
      if (random() % 2 == 0) {
        some.set(i, value);
      }
    }
    for (const Rule& rule : set.rules()) {
      const Truth before = rule.when.judge(some);
      if (before != Truth::unknown && !asks_for_knowledge(rule)) {
        CAPTURE(rule.id);
        CHECK(rule.when.judge(all) == before);
      }
    }
  }
}

TEST_CASE("every expression that compiles has a value, and the same one each time") {
  std::mt19937 random(12);
  const Value data(Value::Object{{"a", 3.0}, {"b", Value::List{"x", 2.0}}});
  int compiled = 0;
  for (int i = 0; i < 5000; ++i) {
    const support::Json json = random_logic(random, 4);
    const auto logic = Logic::compile(json);
    if (!logic) {
      continue;
    }
    ++compiled;
    CHECK(to_json(logic->evaluate(data)).dump() == to_json(logic->evaluate(data)).dump());
  }
  CHECK(compiled > 200);
}

TEST_CASE("no damaged rule file does more than give faults") {
  const auto path = kRoot + "/data/rules/price.json";
  const auto text = support::disk_files()->read(path, 1 << 22);
  REQUIRE(text);
  const std::string bytes = "{}[]\":,0-9.etfn\\ \x80";
  std::mt19937 random(13);
  for (int i = 0; i < 400; ++i) {
    std::string damaged = *text;
    for (std::size_t n = 1 + random() % 4; n > 0; --n) {
      damaged[random() % damaged.size()] = bytes[random() % bytes.size()];
    }
    const std::vector<RuleFile> files{{"price.json", damaged}};
    const LoadedRules loaded = load_rules(standard_fact_table(), files);
    CHECK(loaded.rules.rules().size() <= 20);
    for (const support::Error& fault : loaded.faults) {
      CHECK_FALSE(fault.to_text().empty());
    }
  }
}

TEST_CASE("values survive the way through JSON") {
  const Value value(Value::Object{{"list", Value::List{1.5, "x", true, Value()}}, {"n", -3.0}});
  CHECK(from_json(to_json(value)) == value);
}
