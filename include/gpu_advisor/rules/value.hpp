#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gpu_advisor::rules {

/// A value of the rule language: what JSON can hold. Null means "not known" for facts.
class Value {
 public:
  using List = std::vector<Value>;
  /// Keys in the order of the document; looked up from front to back.
  using Object = std::vector<std::pair<std::string, Value>>;

  Value() = default;
  Value(bool value) : data_(value) {}                      // NOLINT(google-explicit-constructor)
  Value(double value) : data_(value) {}                    // NOLINT(google-explicit-constructor)
  Value(int value) : data_(static_cast<double>(value)) {}  // NOLINT(google-explicit-constructor)
  Value(std::string value) : data_(std::move(value)) {}    // NOLINT(google-explicit-constructor)
  Value(const char* value) : data_(std::string(value)) {}  // NOLINT(google-explicit-constructor)
  Value(List value) : data_(std::move(value)) {}           // NOLINT(google-explicit-constructor)
  Value(Object value) : data_(std::move(value)) {}         // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool is_null() const { return data_.index() == 0; }
  [[nodiscard]] const bool* boolean() const { return std::get_if<bool>(&data_); }
  [[nodiscard]] const double* number() const { return std::get_if<double>(&data_); }
  [[nodiscard]] const std::string* text() const { return std::get_if<std::string>(&data_); }
  [[nodiscard]] const List* list() const { return std::get_if<List>(&data_); }
  [[nodiscard]] const Object* object() const { return std::get_if<Object>(&data_); }

  friend bool operator==(const Value&, const Value&) = default;

 private:
  std::variant<std::monostate, bool, double, std::string, List, Object> data_;
};

}  // namespace gpu_advisor::rules
