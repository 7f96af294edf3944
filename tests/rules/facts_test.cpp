#include <fstream>

#include "catch2.hpp"
#include "gpu_advisor/rules/logic.hpp"
#include "gpu_advisor/rules/standard_facts.hpp"
#include "gpu_advisor/support/file_source.hpp"

using namespace gpu_advisor;
using namespace gpu_advisor::rules;

namespace {

FactTable small_table() {
  return FactTable({{"gpu.memory_gib", FactType::number, "GiB"},
                    {"gpu.vendor", FactType::text, "vendor"},
                    {"gpu.nvlink", FactType::boolean, "link"},
                    {"gpu.tags", FactType::list, "tags"}});
}

const std::string kFactsPage = std::string(GPU_ADVISOR_SOURCE_DIR) + "/docs/facts.md";

/// The reference page of the standard facts.
std::string facts_page() {
  std::string page =
      "# Facts\n\n"
      "What rules may read about a candidate (`data/rules`, `--rules FILE`). The unit of a number "
      "ends its\n"
      "name. A fact that is not known is null, and no rule fires because of it. This page is made "
      "from\n"
      "`src/rules/standard_facts.cpp` by `test_rules \"[write-facts]\"`.\n";
  std::string group;
  for (const StandardFact& fact : standard_facts()) {
    const std::string prefix(fact.name.substr(0, fact.name.find('.')));
    if (prefix != group) {
      group = prefix;
      page += "\n## " + group + "\n\n| fact | type | meaning |\n| --- | --- | --- |\n";
    }
    page += "| `" + std::string(fact.name) + "` | " + std::string(name(fact.type)) + " | " +
            std::string(fact.doc) + " |\n";
  }
  return page;
}

Truth judge(std::string_view text, const Facts& facts) {
  static const FactTable kTable = small_table();
  const auto logic = Logic::parse(text, kTable);
  REQUIRE(logic);
  return logic->judge(facts);
}

Facts known() {
  Facts facts(4);
  facts.set(0, 24.0);
  facts.set(1, "nvidia");
  facts.set(2, false);
  facts.set(3, Value::List{"a", "b"});
  return facts;
}

}  // namespace

TEST_CASE("conditions read facts by name") {
  const Facts facts = known();
  CHECK(judge(R"({">=": [{"var": "gpu.memory_gib"}, 24]})", facts) == Truth::yes);
  CHECK(judge(R"({"<": [16, {"var": "gpu.memory_gib"}, 48]})", facts) == Truth::yes);
  CHECK(judge(R"({"==": [{"var": "gpu.vendor"}, "amd"]})", facts) == Truth::no);
  CHECK(judge(R"({"!": [{"var": "gpu.nvlink"}]})", facts) == Truth::yes);
  CHECK(judge(R"({"in": ["b", {"var": "gpu.tags"}]})", facts) == Truth::yes);
  CHECK(judge(R"({"some": [{"var": "gpu.tags"}, {"==": [{"var": ""}, "b"]}]})", facts) ==
        Truth::yes);
}

TEST_CASE("an unknown fact makes a condition unknown, never true") {
  const Facts nothing(4);
  for (const char* text :
       {R"({"<": [{"var": "gpu.memory_gib"}, 24]})", R"({"!=": [{"var": "gpu.vendor"}, "amd"]})",
        R"({"!": [{"var": "gpu.nvlink"}]})", R"({"!": [{"<": [{"var": "gpu.memory_gib"}, 24]}]})",
        R"({">": [{"+": [{"var": "gpu.memory_gib"}, 100]}, 1]})",
        R"({"in": [{"var": "gpu.vendor"}, ["amd"]]})",
        R"({"!": [{"in": ["a", {"var": "gpu.tags"}]}]})",
        R"({"<": [1, {"var": "gpu.memory_gib"}, 3]})",
        R"({"<": [1, 2, {"var": "gpu.memory_gib"}]})",
        R"({"if": [{"var": "gpu.nvlink"}, false, true]})",
        R"({"none": [{"var": "gpu.tags"}, {"==": [{"var": ""}, "a"]}]})",
        R"({"max": [{"var": "gpu.memory_gib"}, 5]})"}) {
    CAPTURE(text);
    CHECK(judge(text, nothing) == Truth::unknown);
  }
}

TEST_CASE("what is known decides where it can") {
  Facts facts(4);
  facts.set(1, "nvidia");
  CHECK(judge(R"({"or": [{"var": "gpu.nvlink"}, {"==": [{"var": "gpu.vendor"}, "nvidia"]}]})",
              facts) == Truth::yes);
  CHECK(judge(R"({"and": [{"var": "gpu.nvlink"}, {"==": [{"var": "gpu.vendor"}, "amd"]}]})",
              facts) == Truth::no);
  CHECK(judge(R"({"and": [{"var": "gpu.nvlink"}, {"==": [{"var": "gpu.vendor"}, "nvidia"]}]})",
              facts) == Truth::unknown);
}

TEST_CASE("a rule can ask whether a fact is known") {
  Facts facts(4);
  CHECK(judge(R"({"==": [{"var": "gpu.vendor"}, null]})", facts) == Truth::yes);
  CHECK(judge(R"({"!=": [{"var": "gpu.vendor"}, null]})", facts) == Truth::no);
  CHECK(judge(R"({"missing": ["gpu.vendor", "gpu.tags"]})", facts) == Truth::yes);
  CHECK(judge(R"({">": [{"var": ["gpu.memory_gib", 80]}, 48]})", facts) == Truth::yes);
  facts.set(1, "amd");
  CHECK(judge(R"({"!=": [{"var": "gpu.vendor"}, null]})", facts) == Truth::yes);
  CHECK(judge(R"({"missing_some": [1, ["gpu.vendor", "gpu.tags"]]})", facts) == Truth::no);
  CHECK(judge(R"({"missing_some": [2, ["gpu.vendor", "gpu.tags"]]})", facts) == Truth::yes);
}

TEST_CASE("an unknown fact is refused with its place and the nearest spelling") {
  const FactTable table = small_table();
  const auto logic =
      Logic::parse(R"({"and": [true, {"<": [{"var": "gpu.memory_gb"}, 24]}]})", table);
  REQUIRE_FALSE(logic);
  CHECK(logic.error().code == support::ErrorCode::broken_reference);
  CHECK(logic.error().location.pointer == "/and/1/</0/var");
  CHECK(logic.error().hint == "did you mean gpu.memory_gib?");
  CHECK_FALSE(Logic::parse(R"({"missing": ["gpu.vendr"]})", table));
  CHECK_FALSE(Logic::parse(R"({"var": {"cat": ["gpu.", "vendor"]}})", table));
  CHECK_FALSE(Logic::parse(R"({"var": ""})", table));
}

TEST_CASE("a condition tells which facts it reads") {
  const FactTable table = small_table();
  const auto logic = Logic::parse(
      R"({"and": [{"var": "gpu.nvlink"}, {"<": [{"var": "gpu.memory_gib"}, 24]},
                  {"var": "gpu.nvlink"}]})",
      table);
  REQUIRE(logic);
  CHECK(logic->reads() == std::vector<std::size_t>{0, 2});
}

TEST_CASE("the standard facts are named once, grouped and documented") {
  const FactTable table = standard_fact_table();
  CHECK(table.size() >= 120);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const FactDefinition& fact = table.definitions()[i];
    CAPTURE(fact.name);
    CHECK(table.find(fact.name) == i);
    CHECK(fact.doc.size() > 5);
    CHECK(fact.name.find('.') != std::string::npos);
  }
}

TEST_CASE("the reference page of facts is the one that the table makes") {
  const auto page = support::disk_files()->read(kFactsPage, 1 << 20);
  REQUIRE(page);
  CHECK(*page == facts_page());
}

// Run by hand after a change of the table: test_rules "[write-facts]".
TEST_CASE("write the reference page of facts", "[.][write-facts]") {
  std::ofstream(kFactsPage) << facts_page();
}
