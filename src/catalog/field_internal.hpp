#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gpu_advisor/support/result.hpp"

namespace gpu_advisor::catalog {

/// A JSON scalar or list of strings on its way out of a row.
using TextList = std::vector<std::string>;
using FieldValue = std::variant<std::string, double, bool, TextList>;
/// The same on its way in: text still lies in the file's buffer.
using FieldInput = std::variant<std::string_view, double, bool, std::vector<std::string_view>>;

enum class FieldKind { text, number, integer, boolean, date, texts };

/// One key of a row, declared once: from this come reading, writing, the JSON Schema and the
/// reference page. `set` stores a value whose kind and bounds are already checked, and may still
/// refuse it (an unknown word) by returning what it expected; `get` gives nothing for "unknown".
template <typename Row>
struct Field {
  std::string_view key;
  FieldKind kind = FieldKind::text;
  bool required = false;
  double least = std::numeric_limits<double>::lowest();
  double most = std::numeric_limits<double>::max();
  std::string_view unit;
  std::string_view doc;
  std::string_view (*set)(Row&, const FieldInput&) = nullptr;  // empty: stored
  std::optional<FieldValue> (*get)(const Row&) = nullptr;
};

[[nodiscard]] std::string_view kind_name(FieldKind kind);  // for messages: "a number"

}  // namespace gpu_advisor::catalog
