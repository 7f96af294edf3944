#pragma once

#include <cstdint>
#include <string_view>

namespace gpu_advisor::estimate {

/// How an inference engine lays out memory.
struct Engine {
  std::string_view mark;
  std::int64_t chunk = 2048;    // tokens of one prefill step, all requests
  double reserved_share = 0;    // of the card, taken at start whatever the need; 0: on demand
  double page = 1;              // tokens of a cache page
  double graphs_mib = 0;        // captured CUDA graphs
  bool fp32_work = false;       // intermediate results in fp32 (ggml)
  bool static_cache = true;     // the whole context is set aside; false: grows token by token
  bool score_matrices = false;  // attention without a fused kernel
  std::string_view source;
};

/// The engine of this name; a paged server's behaviour if unknown.
[[nodiscard]] Engine engine_named(std::string_view name);

}  // namespace gpu_advisor::estimate
