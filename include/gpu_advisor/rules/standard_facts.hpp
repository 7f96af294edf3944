#pragma once

#include <span>
#include <string_view>

#include "gpu_advisor/rules/facts.hpp"

namespace gpu_advisor::rules {

/// One row of the standard table.
struct StandardFact {
  std::string_view name;
  FactType type;
  std::string_view doc;  // one sentence with the unit and, for text, the words it may hold
};

/// Every fact that rules of data may read about a candidate, grouped by prefix. Whoever judges
/// candidates fills them by name; a fact that is not known stays null.
[[nodiscard]] std::span<const StandardFact> standard_facts();
[[nodiscard]] FactTable standard_fact_table();

}  // namespace gpu_advisor::rules
