#pragma once

#include <fmt/format.h>
#include <string>

#include "field_internal.hpp"

namespace gpu_advisor::catalog {

/// A JSON string with its quotes; control characters escaped, UTF-8 kept.
[[nodiscard]] std::string json_text(std::string_view text);
/// A JSON number: the shortest that reads back to the same at nine digits.
[[nodiscard]] std::string number_text(double value);
[[nodiscard]] std::string value_text(const FieldValue& value);

/// `"key": value, …` of what is known, in the fields' order, without the braces.
template <typename Row>
[[nodiscard]] std::string row_text(std::span<const Field<Row>> fields, const Row& row) {
  std::string text;
  for (const Field<Row>& field : fields) {
    const auto value = field.get(row);
    if (!value)
      continue;
    text += (text.empty() ? "" : ", ") + json_text(field.key) + ": " + value_text(*value);
  }
  return text;
}

}  // namespace gpu_advisor::catalog
