#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpu_advisor::fuzz {

/// A reader that takes bytes which anyone may have written. `run` must end, use bounded memory and
/// never fail in another way than by an Error.
struct Target {
  std::string_view name;  // of its program (fuzz_<name>) and its folder of inputs (corpus/<name>)
  void (*run)(std::string_view input);
};
[[nodiscard]] const std::vector<Target>& targets();

}  // namespace gpu_advisor::fuzz
