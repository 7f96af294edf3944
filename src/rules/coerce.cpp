#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "gpu_advisor/rules/logic.hpp"
#include "gpu_advisor/support/text.hpp"
#include "node_internal.hpp"

namespace gpu_advisor::rules {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string number_text(double number) {
  constexpr double kPlainFrom = 1e-6, kPlainTo = 1e21;  // ECMAScript Number::toString
  if (std::isnan(number)) {
    return "NaN";
  }
  if (std::isinf(number)) {
    return number > 0 ? "Infinity" : "-Infinity";
  }
  if (number == 0) {
    return "0";
  }
  const double size = std::abs(number);
  if (size >= kPlainFrom && size < kPlainTo) {
    std::array<char, 64> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                   std::chars_format::fixed);
    return {buffer.data(), end.ptr};
  }
  return fmt::format("{}", number);
}

/// Lists and objects become text before they are compared with something else.
Value primitive(const Value& value) {
  return value.list() != nullptr || value.object() != nullptr ? Value(to_text(value)) : value;
}

bool is_composite(const Value& value) {
  return value.list() != nullptr || value.object() != nullptr;
}

}  // namespace

bool truthy(const Value& value) {
  if (const bool* boolean = value.boolean()) {
    return *boolean;
  }
  if (const double* number = value.number()) {
    return *number != 0 && !std::isnan(*number);
  }
  if (const std::string* text = value.text()) {
    return !text->empty();
  }
  if (const Value::List* list = value.list()) {
    return !list->empty();
  }
  return value.object() != nullptr;
}

std::string to_text(const Value& value) {
  if (const bool* boolean = value.boolean()) {
    return *boolean ? "true" : "false";
  }
  if (const double* number = value.number()) {
    return number_text(*number);
  }
  if (const std::string* text = value.text()) {
    return *text;
  }
  if (const Value::List* list = value.list()) {
    std::string text;
    for (std::size_t i = 0; i < list->size(); ++i) {
      text += i > 0 ? "," : "";
      text += (*list)[i].is_null() ? "" : to_text((*list)[i]);
    }
    return text;
  }
  return value.is_null() ? "null" : "[object Object]";
}

double to_number(const Value& value) {
  if (const double* number = value.number()) {
    return *number;
  }
  if (const bool* boolean = value.boolean()) {
    return *boolean ? 1 : 0;
  }
  if (value.is_null()) {
    return 0;
  }
  if (value.object() != nullptr) {
    return kNan;
  }
  const std::string text = to_text(value);
  std::string_view trimmed = support::trim(text);
  if (trimmed.empty()) {
    return 0;
  }
  if (trimmed.front() == '+') {
    trimmed.remove_prefix(1);
  }
  return support::parse_number(trimmed).value_or(kNan);
}

double leading_number(const Value& value) {
  if (const double* number = value.number()) {
    return *number;
  }
  const std::string text = to_text(value);
  std::string_view trimmed = support::trim(text);
  if (!trimmed.empty() && trimmed.front() == '+') {
    trimmed.remove_prefix(1);
  }
  double number = 0;
  const auto [end, error] =
      std::from_chars(trimmed.data(), trimmed.data() + trimmed.size(), number);
  return error == std::errc{} && std::isfinite(number) ? number : kNan;
}

bool strictly_equal(const Value& a, const Value& b) {
  return !is_composite(a) && !is_composite(b) &&
         a == b;  // two lists are two things, as in the specification
}

bool loosely_equal(const Value& a, const Value& b) {
  if (a.is_null() || b.is_null()) {
    return a.is_null() && b.is_null();
  }
  if (is_composite(a) && is_composite(b)) {
    return false;
  }
  const Value left = primitive(a), right = primitive(b);
  if (left.text() != nullptr && right.text() != nullptr) {
    return *left.text() == *right.text();
  }
  return to_number(left) == to_number(right);
}

bool less_than(const Value& a, const Value& b) {
  if (a.number() != nullptr && b.number() != nullptr) {
    return *a.number() < *b.number();
  }
  const Value left = primitive(a), right = primitive(b);
  if (left.text() != nullptr && right.text() != nullptr) {
    return *left.text() < *right.text();
  }
  return to_number(left) < to_number(right);
}

bool at_most(const Value& a, const Value& b) {
  if (a.number() != nullptr && b.number() != nullptr) {
    return *a.number() <= *b.number();
  }
  const Value left = primitive(a), right = primitive(b);
  if (left.text() != nullptr && right.text() != nullptr) {
    return *left.text() <= *right.text();
  }
  return to_number(left) <= to_number(right);
}

std::vector<std::string> split_path(std::string_view name) {
  std::vector<std::string> path;
  for (const std::string_view part : support::split(name, '.')) {
    path.emplace_back(part);
  }
  return path;
}

const Value* descend(const Value& data, const std::vector<std::string>& path) {
  const Value* value = &data;
  for (const std::string& part : path) {
    const Value* next = nullptr;
    if (const Value::Object* object = value->object()) {
      for (const auto& [key, member] : *object) {
        next = key == part ? &member : next;
      }
    } else if (const Value::List* list = value->list()) {
      const auto index = support::parse_number(part);
      const bool inside = index && *index >= 0 && *index < static_cast<double>(list->size()) &&
                          std::floor(*index) == *index;
      next = inside ? &(*list)[static_cast<std::size_t>(*index)] : nullptr;
    }
    if (next == nullptr) {
      return nullptr;
    }
    value = next;
  }
  return value;
}

}  // namespace gpu_advisor::rules
