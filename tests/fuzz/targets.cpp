#include "targets.hpp"

#include <cstdlib>

#include "gpu_advisor/model/reader.hpp"
#include "gpu_advisor/model/weight_file.hpp"
#include "gpu_advisor/support/file_source.hpp"

namespace gpu_advisor::fuzz {
namespace {

/// What every description of a model must hold to, whatever it was read from.
void check(const model::ModelSpec& spec) {
  const bool sound = !spec.stacks.empty() && spec.parameters() >= 0 &&
                     spec.active_parameters() >= 0 && spec.cache_elements_per_token() >= 0 &&
                     (!spec.stored || spec.stored->elements >= 0);
  if (!sound)
    std::abort();
  (void)model::check_sizable(spec);
}

void read_as(const std::string& name, std::string_view input) {
  const support::MemoryFiles files({{"folder/" + name, std::string(input)}});
  if (const auto spec = model::read_weight_file(files, "folder/" + name))
    check(*spec);
}

void read_safetensors(std::string_view input) {
  read_as("model.safetensors", input);
}

void read_gguf(std::string_view input) {
  read_as("model.gguf", input);
}

void read_index(std::string_view input) {
  read_as("model.safetensors.index.json", input);
}

void read_config(std::string_view input) {
  const support::MemoryFiles files({{"folder/config.json", std::string(input)}});
  if (const auto spec = model::read_model(files, "folder"))
    check(*spec);
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> kTargets{{"config", read_config},
                                            {"gguf", read_gguf},
                                            {"index", read_index},
                                            {"safetensors", read_safetensors}};
  return kTargets;
}

}  // namespace gpu_advisor::fuzz
