#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gpu_advisor/rules/value.hpp"
#include "gpu_advisor/support/result.hpp"

namespace gpu_advisor::rules {

enum class FactType { number, text, boolean, list };
[[nodiscard]] std::string_view name(FactType type);

/// One fact that rules may read. The unit of a number ends its name ("memory.needed_gib").
struct FactDefinition {
  std::string name;
  FactType type = FactType::number;
  std::string doc;
};

/// The facts that exist, in a fixed order; a fact is its index from then on.
class FactTable {
 public:
  explicit FactTable(std::vector<FactDefinition> definitions);
  [[nodiscard]] const std::vector<FactDefinition>& definitions() const { return definitions_; }
  [[nodiscard]] std::size_t size() const { return definitions_.size(); }
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
  /// The index, or unknown_name with the nearest spellings.
  [[nodiscard]] support::Result<std::size_t> require(std::string_view name) const;

 private:
  std::vector<FactDefinition> definitions_;
  std::unordered_map<std::string, std::size_t> index_;
};

/// The values of one situation, by index in the table. All are unknown (null) at first.
class Facts {
 public:
  explicit Facts(std::size_t count) : values_(count) {}
  explicit Facts(const FactTable& table) : Facts(table.size()) {}
  void set(std::size_t index, Value value) { values_[index] = std::move(value); }
  [[nodiscard]] const Value& operator[](std::size_t index) const { return values_[index]; }
  [[nodiscard]] std::size_t size() const { return values_.size(); }

 private:
  std::vector<Value> values_;
};

}  // namespace gpu_advisor::rules
