// Prints what each name on standard input (one a line) is understood as. A developer's tool.
#include <fmt/format.h>
#include <iostream>
#include <string>

#include "gpu_advisor/model/presets.hpp"

using namespace gpu_advisor;

int main() {
  const auto files = support::disk_files();
  const auto presets = model::PresetLibrary::load(*files, {});
  if (!presets) {
    fmt::print(stderr, "{}\n", presets.error().to_text());
    return 1;
  }
  std::string name;
  while (std::getline(std::cin, name)) {
    const auto found = presets->resolve(name);
    if (found) {
      fmt::print("{}\t{}\t{}\t{}\n", name, found->id, found->quantisation, found->note);
    } else {
      fmt::print("{}\t-\t\t{}\n", name, found.error().to_text());
    }
  }
  return 0;
}
