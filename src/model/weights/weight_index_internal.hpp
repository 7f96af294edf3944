#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gpu_advisor/support/file_source.hpp"
#include "gpu_advisor/support/result.hpp"

namespace gpu_advisor::model {

/// An index file: which tensor stands in which shard, and sizes as its writer saw them.
struct WeightIndex {
  std::vector<std::string> tensors;  // names, in the file's order
  std::set<std::string> shards;      // file names
  std::optional<double> total_size;  // bytes; may be 0 or wrong
  std::optional<std::int64_t> total_parameters;
  std::vector<std::string> warnings;  // a size of another type, …
};

[[nodiscard]] support::Result<WeightIndex> read_weight_index(const support::FileSource& files,
                                                             const std::string& path);

}  // namespace gpu_advisor::model
