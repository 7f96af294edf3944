#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_advisor/catalog/date.hpp"
#include "gpu_advisor/support/file_source.hpp"

namespace gpu_advisor::commands {

/// The outside: what `main` hands to the program, and tests replace.
struct World {
  const support::FileSource& files;
  std::istream& in;
  std::ostream& out;  // the answer, nothing else
  std::ostream& err;  // reasons, warnings, progress
  std::function<std::optional<std::string>(std::string_view)> environment;
  catalog::Date today;
  bool terminal = false;  // `out` is a terminal
  int width = 80;
};

/// Runs one command line (without the program's name); the exit code of INTERFACE.md.
[[nodiscard]] int run_program(const std::vector<std::string>& arguments, const World& world);

}  // namespace gpu_advisor::commands
