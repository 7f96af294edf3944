#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_advisor/support/result.hpp"

namespace gpu_advisor::support {

using Json = nlohmann::ordered_json;

/// Parses one JSON document. Bounded depth (256); text after the document, NaN, duplicate keys in
/// one object and invalid UTF-8 are errors with a byte offset.
[[nodiscard]] Result<Json> parse_json(std::string_view text, std::string_view file);

/// A value inside a document, with the way to it, for strict reading. Each `read_*` returns an
/// error with file, JSON pointer and what was expected.
class JsonCursor {
 public:
  JsonCursor(const Json& value, std::string file, std::string pointer = "")
      : value_(&value), file_(std::move(file)), pointer_(std::move(pointer)) {}

  [[nodiscard]] const Json& json() const { return *value_; }
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const std::string& pointer() const { return pointer_; }
  /// Present and not null.
  [[nodiscard]] bool has(std::string_view key) const;
  [[nodiscard]] Result<JsonCursor> at(std::string_view key) const;  // missing_key if absent
  [[nodiscard]] Result<std::vector<JsonCursor>> elements() const;   // an array
  [[nodiscard]] Result<std::string> text() const;
  [[nodiscard]] Result<double> number() const;
  [[nodiscard]] Result<std::int64_t> integer() const;  // also 8.0
  [[nodiscard]] Result<bool> boolean() const;
  /// Absent or null gives an empty optional; another type is an error.
  [[nodiscard]] Result<std::optional<std::string>> optional_text(std::string_view key) const;
  [[nodiscard]] Result<std::optional<double>> optional_number(std::string_view key) const;
  [[nodiscard]] Result<std::optional<std::int64_t>> optional_integer(std::string_view key) const;
  [[nodiscard]] Result<std::optional<bool>> optional_boolean(std::string_view key) const;
  /// unknown_key with the nearest spelling unless every key of this object is in `allowed`.
  [[nodiscard]] Status only(const std::vector<std::string>& allowed) const;
  /// An error at this place.
  [[nodiscard]] Error fail(ErrorCode code, std::string message, std::string hint = "") const;

 private:
  const Json* value_;
  std::string file_;
  std::string pointer_;
};

}  // namespace gpu_advisor::support
