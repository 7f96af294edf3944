#pragma once

#include <set>
#include <string>
#include <vector>

#include "placed_weight_internal.hpp"

namespace gpu_advisor::model {

/// Describes a checkpoint's layers from their weights alone, and remembers what had to be assumed.
class CheckpointLayers {
 public:
  [[nodiscard]] LayerReading read(const std::vector<Weight>& weights);
  [[nodiscard]] const std::set<std::string>& assumptions() const { return assumptions_; }

 private:
  [[nodiscard]] Attention attention(const std::vector<Weight>& weights);
  [[nodiscard]] Attention latent(const std::vector<Weight>& weights) const;
  [[nodiscard]] std::int64_t head_width(const std::vector<Weight>& weights, std::int64_t queries);

  std::set<std::string> assumptions_;
};

}  // namespace gpu_advisor::model
