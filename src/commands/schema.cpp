#include <ostream>

#include "command_internal.hpp"
#include "gpu_advisor/catalog/embedded.hpp"
#include "gpu_advisor/support/text.hpp"

namespace gpu_advisor::commands {

support::Result<ExitCode> run_schema(const Call& call) {
  constexpr std::string_view kFolder = "schema/", kEnd = ".schema.json";
  std::vector<std::string> names;
  const std::string wanted = call.values.operands().empty() ? "" : call.values.operands().front();
  for (const catalog::EmbeddedFile& file : catalog::embedded_files()) {
    if (!file.path.starts_with(kFolder) || !file.path.ends_with(kEnd))
      continue;
    const std::string name(
        file.path.substr(kFolder.size(), file.path.size() - kFolder.size() - kEnd.size()));
    if (name == wanted) {
      call.world.out << file.content;
      return 0;
    }
    names.push_back(name);
  }
  if (!wanted.empty())
    return usage_error("", "unknown schema \"" + wanted + "\"",
                       support::did_you_mean(support::nearest(wanted, names)));
  for (const std::string& name : names)
    call.world.out << name << '\n';
  return 0;
}

}  // namespace gpu_advisor::commands
