#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpu_advisor::support {

/// What went wrong, as a published and stable name. The table in `src/support/error.cpp` gives each
/// code its name, exit code and explanation; a code keeps its meaning for ever.
enum class ErrorCode {
  usage,                 // a flag is unknown, malformed or contradicts another
  unknown_name,          // a GPU, model, provider, region … that the catalog does not know
  ambiguous_name,        // a name that means several things
  file_not_found,        // no such file or folder
  file_unreadable,       // permission, not a regular file, read error
  file_too_large,        // larger than the reader's bound
  malformed_json,        // not JSON, or two documents glued together
  malformed_yaml,        // not YAML
  malformed_csv,         // a broken CSV or a missing column
  malformed_weights,     // a broken safetensors, GGUF or index file
  unknown_key,           // a key that the schema does not have
  missing_key,           // a required key is absent
  wrong_type,            // a value of another JSON type
  out_of_range,          // a value beyond its bounds
  broken_reference,      // an id that resolves to nothing
  duplicate_id,          // an id given twice
  unsupported_version,   // a schema version that this program does not read
  unsupported_model,     // a file that is understood but is not a model we can size
  unsupported_workload,  // a workload that the tool cannot judge
  stale_prices,          // prices older than the user allows
  internal,              // a bug
};

/// One row of the error table.
struct ErrorRow {
  ErrorCode code;
  std::string_view name;         // as printed and in JSON, e.g. "unknown_name"
  int exit_code;                 // INTERFACE.md "Exit codes"
  std::string_view explanation;  // one sentence for the reference page
};

/// Every error code, in the order of the enum.
[[nodiscard]] const std::vector<ErrorRow>& error_table();
[[nodiscard]] const ErrorRow& error_row(ErrorCode code);

/// Where in an input something is. Empty members are unknown.
struct Location {
  std::string file;                     // path, or "--flag", or "stdin"
  std::string pointer;                  // JSON pointer
  std::optional<std::uint64_t> offset;  // bytes from the start
  std::optional<std::uint64_t> line;    // from 1
  bool operator==(const Location&) const = default;
};

/// An input that is wrong, written for a person: what, where, what was expected, how to mend it.
struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string message;  // one sentence, no final newline
  Location location = {};
  std::vector<std::string> context = {};  // outermost last: "while reading offer aws/p5.48xlarge"
  std::string hint = {};                  // how to mend it; may be empty

  [[nodiscard]] int exit_code() const { return error_row(code).exit_code; }
  /// "file:line: message (while …). Hint."
  [[nodiscard]] std::string to_text() const;
};

/// The same error with one more line of context around it.
[[nodiscard]] Error with_context(Error error, std::string context);
/// The same error in a named file, if it names none yet.
[[nodiscard]] Error in_file(Error error, std::string_view file);

}  // namespace gpu_advisor::support
