// Reads workload objects from standard input and answers each with a line: `estimate --batch -`
// without the command line around it, for measuring the library alone.

#include <iostream>

#include "gpu_advisor/commands/batch.hpp"

int main() {
  using namespace gpu_advisor;
  std::ios::sync_with_stdio(false);
  const auto files = support::disk_files();
  const catalog::Loaded loaded = catalog::load_catalog(*files, {}, {.offers = false});
  const auto presets = model::PresetLibrary::load(*files, {});
  if (!loaded.catalog || !presets) {
    for (const catalog::Diagnostic& found : loaded.diagnostics)
      std::cerr << found.error.to_text() << '\n';
    if (!presets)
      std::cerr << presets.error().to_text() << '\n';
    return 3;
  }
  return commands::estimate_batch({*loaded.catalog, *presets, *files}, std::cin, std::cout) ? 0 : 3;
}
