#include <algorithm>
#include <cmath>
#include <string_view>

#include "memory_internal.hpp"

namespace gpu_advisor::estimate {
namespace {

using units::gib;
using units::mib;

/// CUDA context with lazily loaded kernels (CUDA 11.7 and later), as nvidia-smi shows it for a
/// process that has only run matrix products; ROCm and Apple from their tools.
Bytes context_bytes(const catalog::Accelerator& gpu) {
  switch (gpu.vendor) {
    case catalog::Vendor::nvidia:
      break;
    case catalog::Vendor::apple:
      return mib(100);
    default:
      return mib(512);
  }
  const double capability = gpu.compute_capability.value_or(8.0);
  return capability >= 9 ? mib(520) : capability >= 8 ? mib(420) : mib(320);
}

// NCCL keeps channel buffers for each communicator, outside the framework's allocator
// (NCCL documentation, NCCL_BUFFSIZE 4 MiB times channels and protocols).
constexpr double kCommunicatorMib = 150;

bool is_eager_library(std::string_view engine) {
  return engine.find("llama.cpp") != std::string_view::npos || engine == "ollama" ||
         engine.find("exllama") != std::string_view::npos || engine == "koboldcpp";
}

}  // namespace

Bytes runtime_bytes(const Question& question) {
  Bytes size = question.machine.gpu != nullptr ? context_bytes(*question.machine.gpu) : mib(420);
  const workload::Layout& layout = question.layout;
  const bool training = workload::is_training(question.workload.task);
  const bool collective = layout.tp > 1 || layout.cp > 1 || layout.ep > 1 ||
                          (training && (layout.dp > 1 || layout.pp > 1));
  if (collective && !(!training && is_eager_library(question.workload.engine))) {
    size += mib(kCommunicatorMib);
  }
  return size;
}

}  // namespace gpu_advisor::estimate
