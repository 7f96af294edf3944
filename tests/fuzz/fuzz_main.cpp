// The entry of libFuzzer for the target that GPU_ADVISOR_FUZZ_TARGET names.

#include <cstddef>
#include <cstdint>

#include "targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const gpu_advisor::fuzz::Target kTarget = [] {
    for (const auto& target : gpu_advisor::fuzz::targets())
      if (target.name == GPU_ADVISOR_FUZZ_TARGET)
        return target;
    __builtin_trap();
  }();
  kTarget.run({reinterpret_cast<const char*>(data), size});
  return 0;
}
