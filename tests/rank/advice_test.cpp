#include "gpu_advisor/rank/advice.hpp"

#include <algorithm>
#include <set>

#include "catch2.hpp"
#include "gpu_advisor/rules/rule.hpp"
#include "gpu_advisor/rules/standard_facts.hpp"
#include "gpu_advisor/support/file_source.hpp"
#include "rank/facts_internal.hpp"

using namespace gpu_advisor;

namespace {

rules::RuleSet data_rules() {
  const std::string folder = std::string(GPU_ADVISOR_SOURCE_DIR) + "/data/rules";
  const auto files = support::disk_files();
  const auto names = files->list(folder);
  REQUIRE(names);
  std::vector<rules::RuleFile> texts;
  for (const std::string& name : *names) {
    auto text = files->read(folder + "/" + name, 1 << 22);
    REQUIRE(text);
    texts.push_back({name, std::move(text).value()});
  }
  rules::LoadedRules loaded = rules::load_rules(rules::standard_fact_table(), texts);
  REQUIRE(loaded.faults.empty());
  return std::move(loaded.rules);
}

catalog::Accelerator card(double compute_capability, std::string name) {
  catalog::Accelerator gpu;
  gpu.id = "test";
  gpu.name = std::move(name);
  gpu.vendor = catalog::Vendor::nvidia;
  gpu.family = "datacenter";
  gpu.compute_capability = compute_capability;
  gpu.memory = units::gib(16);
  gpu.fp16_matrix = units::tflops_per_second(65);
  return gpu;
}

workload::Workload serving() {
  workload::Workload work;
  model::Stack stack;
  stack.layers.push_back(
      {.name = "dense", .count = 32, .attention = {.heads = 52, .kv_heads = 52}});
  work.model.stacks.push_back(std::move(stack));
  work.model.arch = model::Arch::dense;
  work.quant = *units::find_quantisation("bf16");
  return work;
}

estimate::Estimate fitting() {
  estimate::Estimate answer;
  answer.memory.capacity = units::gib(15);
  answer.memory.per_gpu = units::Interval<units::Bytes>::exact(units::gib(14.5));
  answer.memory.fits = true;
  answer.memory.fit_probability = 0.9;
  return answer;
}

bool has(const std::vector<rank::Finding>& findings, std::string_view rule) {
  return std::ranges::find(findings, rule, &rank::Finding::rule) != findings.end();
}

}  // namespace

TEST_CASE("every standard fact has one row that reads it, and no other has") {
  std::multiset<std::string> rows, facts;
  for (const rank::FactRow& row : rank::fact_rows()) {
    rows.emplace(row.name);
  }
  for (const rules::StandardFact& fact : rules::standard_facts()) {
    facts.emplace(fact.name);
  }
  CHECK(rows == facts);
  for (const rank::FactRow& row : rank::machine_fact_rows()) {
    CAPTURE(row.name);
    CHECK(facts.count(std::string(row.name)) == 1);
  }
}

TEST_CASE("an estimate on a Turing card is warned about bf16 and little headroom") {
  const catalog::Accelerator gpu = card(7.5, "Tesla T4");
  const workload::Machine machine{.gpu = &gpu};
  const rank::Advice advice =
      rank::advise(catalog::Catalog{}, data_rules(), serving(), machine, fitting());
  CHECK(advice.against.empty());
  CHECK(has(advice.warnings, "bf16-before-ampere"));
  CHECK(has(advice.warnings, "low-headroom"));
  CHECK_FALSE(has(advice.warnings, "geforce-in-data-centres"));
}

TEST_CASE("rules that reject speak against an estimate") {
  const catalog::Accelerator gpu = card(3.7, "Tesla K80");
  const workload::Machine machine{.gpu = &gpu, .count = 3};
  estimate::Estimate answer = fitting();
  answer.layout.tp = 3;
  const rank::Advice advice =
      rank::advise(catalog::Catalog{}, data_rules(), serving(), machine, answer);
  CHECK(has(advice.against, "kepler-end-of-life"));
  CHECK(has(advice.against, "tp-divides-heads"));
  CHECK(std::ranges::all_of(advice.against, [](const rank::Finding& finding) {
    return !finding.message_en.empty() && !finding.message_zh.empty();
  }));
}

TEST_CASE("what is known of a machine counts without an offer") {
  catalog::Accelerator gpu = card(8.0, "A100");
  gpu.link = catalog::LinkKind::nvlink;
  const workload::Machine machine{.gpu = &gpu, .count = 2, .link = catalog::NodeLink::pcie};
  estimate::Estimate answer = fitting();
  answer.layout.tp = 2;
  const rank::Advice advice =
      rank::advise(catalog::Catalog{}, data_rules(), serving(), machine, answer);
  CHECK(has(advice.warnings, "tp-without-nvlink"));
}
