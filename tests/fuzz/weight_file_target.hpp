#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>

#include "gpu_advisor/model/weight_file.hpp"

namespace gpu_advisor::fuzz {

/// Reads bytes as a weight file of this name: they give a model with sound sums, or an error.
inline int read_weight_file_as(const std::string& name, const std::uint8_t* data,
                               std::size_t size) {
  std::map<std::string, std::string> files;
  files.emplace("folder/" + name, std::string(reinterpret_cast<const char*>(data), size));
  const auto spec =
      model::read_weight_file(support::MemoryFiles(std::move(files)), "folder/" + name);
  if (!spec)
    return 0;
  const bool sound = !spec->stacks.empty() && spec->stored && spec->stored->elements >= 0 &&
                     spec->parameters() >= 0 && spec->active_parameters() >= 0 &&
                     spec->cache_elements_per_token() >= 0;
  if (!sound)
    std::abort();
  (void)model::check_sizable(*spec);
  return 0;
}

}  // namespace gpu_advisor::fuzz
