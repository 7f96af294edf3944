#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "gpu_advisor/estimate/estimate.hpp"
#include "gpu_advisor/support/error.hpp"

namespace gpu_advisor::render {

/// `gpu-advisor/estimate@1` of INTERFACE.md, on one line.
[[nodiscard]] std::string estimate_line(std::string_view id, const estimate::Estimate& estimate);
/// `{"id", "supported": false, "reason"}` for a workload that the tool cannot judge.
[[nodiscard]] std::string unsupported_line(std::string_view id, const support::Error& error);
/// `{"id", "error": {"code", "message", "pointer"}}` for a malformed row.
[[nodiscard]] std::string error_line(std::string_view id, const support::Error& error);

/// `{"error": {…}}`: what a command prints under --json when it cannot answer.
[[nodiscard]] std::string error_document(const support::Error& error);

// Parts that `recommend` shows too.
[[nodiscard]] nlohmann::ordered_json memory_json(const estimate::Memory& memory);
[[nodiscard]] nlohmann::ordered_json training_json(const estimate::TrainingSpeed& speed);
[[nodiscard]] nlohmann::ordered_json inference_json(const estimate::InferenceSpeed& speed);
[[nodiscard]] nlohmann::ordered_json layout_json(const workload::Layout& layout, int nodes);

}  // namespace gpu_advisor::render
