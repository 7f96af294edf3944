#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpu_advisor/model/model_spec.hpp"
#include "gpu_advisor/support/result.hpp"

namespace gpu_advisor::model {

// Far beyond any real file, and small enough that sums over all shards fit into 64 bits.
inline constexpr std::uint64_t kMostFileBytes = std::uint64_t{1} << 48;
inline constexpr std::size_t kMostTensors = std::size_t{1} << 20;
inline constexpr std::size_t kMostShards = 2048;
inline constexpr std::size_t kMostDimensions = 16;

/// A tensor as a header describes it.
struct Tensor {
  std::string name;
  std::string type;                 // "BF16", "Q4_K"
  std::vector<std::int64_t> shape;  // outermost first: a matrix is out x in
  std::int64_t elements = 1;
  std::uint64_t bytes = 0;
};

/// What the headers of a file, or of all its shards, say.
struct WeightHeader {
  std::vector<Tensor> tensors;
  std::vector<std::pair<std::string, std::string>> metadata;  // safetensors
  std::vector<std::string> warnings;
};

/// Product of a shape; empty when it is negative anywhere or leaves the range of real files.
[[nodiscard]] std::optional<std::int64_t> element_count(const std::vector<std::int64_t>& shape);
/// Sums; bytes by type from the most to the least.
[[nodiscard]] StoredWeights summarise(const std::vector<Tensor>& tensors);
/// malformed_weights when a name stands twice.
[[nodiscard]] support::Status check_unique(const std::vector<Tensor>& tensors,
                                           const std::string& file);

}  // namespace gpu_advisor::model
