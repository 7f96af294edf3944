// The loader of rule files: any bytes give rules that can be judged, or faults with words.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "gpu_advisor/rules/rule.hpp"
#include "gpu_advisor/rules/standard_facts.hpp"

using namespace gpu_advisor::rules;

namespace {

/// Facts of every type, so that conditions reach deep.
Facts sample(const FactTable& table) {
  Facts facts(table);
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table.definitions()[i].type == FactType::number) {
      facts.set(i, 7.5);
    } else if (table.definitions()[i].type == FactType::boolean) {
      facts.set(i, i % 2 == 0);
    } else {
      facts.set(i, "nvidia");
    }
  }
  return facts;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<RuleFile> files{
      {"rules.json", std::string(reinterpret_cast<const char*>(data), size)}};
  const LoadedRules loaded = load_rules(standard_fact_table(), files);
  for (const auto& fault : loaded.faults) {
    if (fault.to_text().empty()) {
      std::abort();
    }
  }
  const Facts facts = sample(loaded.rules.table());
  for (const Stage stage : {Stage::reject, Stage::warn, Stage::advise, Stage::score}) {
    for (const Fired& fired : loaded.rules.fire(stage, facts)) {
      if (fired.en.empty() || fired.zh.empty()) {
        std::abort();
      }
    }
  }
  const double penalty = loaded.rules.penalty(facts);
  if (!(penalty >= 0 && penalty <= 1)) {
    std::abort();
  }
  return 0;
}
