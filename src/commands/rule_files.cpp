#include <ostream>

#include "gpu_advisor/catalog/embedded.hpp"
#include "gpu_advisor/rules/standard_facts.hpp"
#include "rule_files_internal.hpp"

namespace gpu_advisor::commands {
namespace {

constexpr std::uint64_t kLargestRuleFile = std::uint64_t{16} << 20;

support::Status add_folder(const Call& call, const std::string& folder,
                           std::vector<rules::RuleFile>& files) {
  const std::string path = folder + "/rules";
  if (!call.world.files.is_folder(path))
    return support::ok();
  GPU_ADVISOR_TRY(const auto names, call.world.files.list(path));
  for (const std::string& name : names) {
    if (!name.ends_with(".json"))
      continue;
    GPU_ADVISOR_TRY(std::string text, call.world.files.read(path + "/" + name, kLargestRuleFile));
    files.push_back({path + "/" + name, std::move(text)});
  }
  return support::ok();
}

}  // namespace

support::Result<rules::RuleSet> load_rule_files(const Call& call) {
  std::vector<rules::RuleFile> files;
  // Rules speak of facts, not of catalog rows: the built-in ones hold for every catalog.
  for (const catalog::EmbeddedFile& file : catalog::embedded_files())
    if (file.path.starts_with("rules/"))
      files.push_back({std::string(file.path), std::string(file.content)});
  for (const std::string& folder : call.globals.folders)
    GPU_ADVISOR_CHECKED(add_folder(call, folder, files));
  for (const std::string& path : call.values.all("--rules")) {
    GPU_ADVISOR_TRY(std::string text, call.world.files.read(path, kLargestRuleFile));
    files.push_back({path, std::move(text)});
  }
  rules::LoadedRules loaded = rules::load_rules(rules::standard_fact_table(), files);
  for (std::size_t i = 1; i < loaded.faults.size(); ++i)
    call.world.err << "gpu-advisor: " << loaded.faults[i].to_text() << '\n';
  if (!loaded.faults.empty())
    return loaded.faults.front();
  return std::move(loaded.rules);
}

}  // namespace gpu_advisor::commands
