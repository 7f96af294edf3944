#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_advisor/support/csv.hpp"
#include "gpu_advisor/workload/workload.hpp"

namespace gpu_advisor::commands {

/// A published run: what ran, and the speeds that were measured.
struct Measurement {
  workload::Request request;
  std::string source;
  // Rates as the columns name them; empty: not measured.
  std::optional<double> tokens_per_s_per_gpu, samples_per_s_per_gpu;
  std::optional<double> prefill_tok_s, decode_tok_s, output_tok_s, total_tok_s, requests_s, ttft_ms,
      tpot_ms, samples_s;
};

/// Rows of a CSV of training or inference measurements (its columns tell which). Rows that their
/// own notes mark as contradicting a physical bound, or as speculative decoding, are left out.
[[nodiscard]] support::Result<std::vector<Measurement>> read_measurements(std::string_view text,
                                                                          std::string_view file);

}  // namespace gpu_advisor::commands
