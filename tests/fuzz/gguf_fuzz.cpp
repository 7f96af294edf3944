// The reader of GGUF files.
#include "weight_file_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return gpu_advisor::fuzz::read_weight_file_as("model.gguf", data, size);
}
