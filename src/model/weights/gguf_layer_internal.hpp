#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gguf_header_internal.hpp"
#include "placed_weight_internal.hpp"

namespace gpu_advisor::model {

/// False for encoders: `attention.causal` is false.
[[nodiscard]] bool gguf_is_causal(const GgufHeader& header);

/// Describes the layers of a GGUF model from its metadata and what each layer holds.
class GgufLayers {
 public:
  /// What cannot be read from the file is said in `assumptions`.
  GgufLayers(const GgufHeader& header, std::vector<std::string>& assumptions);
  [[nodiscard]] LayerReading read(std::size_t layer, const std::vector<Weight>& weights) const;

 private:
  [[nodiscard]] Attention attention(std::size_t layer, const std::vector<Weight>& weights) const;
  [[nodiscard]] bool slides(std::size_t layer) const;
  void add_state(Attention& attention) const;

  const GgufHeader* header_;
  std::optional<std::int64_t> window_;
  std::int64_t pattern_ = 0;  // every so many layers one attends to everything; 0: all slide
};

}  // namespace gpu_advisor::model
