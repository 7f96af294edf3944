#pragma once

#include <string_view>

#include "gpu_advisor/support/result.hpp"
#include "gpu_advisor/workload/workload.hpp"

namespace gpu_advisor::workload {

/// Reads one workload object (a line of NDJSON, a file, a plan's entry). Strict: unknown keys and
/// wrong types are errors with a JSON pointer. On error the id, if it could be
/// read, is the first context line: "id: …".
[[nodiscard]] support::Result<Request> parse_request(std::string_view json, std::string_view file);

}  // namespace gpu_advisor::workload
