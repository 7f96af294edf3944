// The reader of config.json: any bytes give a model with sound sums, or an error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "gpu_advisor/model/reader.hpp"

using gpu_advisor::model::ModelSpec;

namespace {

bool is_sound(const ModelSpec& model) {
  constexpr std::int64_t kMost = 1'000'000'000'000'000;
  return !model.stacks.empty() && model.parameters() >= 0 && model.parameters() <= kMost &&
         model.active_parameters() >= 0 && model.cache_elements_per_token() >= 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const gpu_advisor::support::MemoryFiles files(
      {{"m/config.json", text}, {"p/model_index.json", text}, {"p/unet/config.json", text}});
  for (const char* path : {"m", "p"}) {
    const auto model = gpu_advisor::model::read_model(files, path);
    if (model && !is_sound(*model)) {
      std::abort();
    }
  }
  return 0;
}
