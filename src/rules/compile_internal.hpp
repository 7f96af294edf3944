#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "gpu_advisor/rules/logic.hpp"
#include "node_internal.hpp"

namespace gpu_advisor::rules {

struct Compiled {
  Node root;
  std::vector<std::size_t> reads;
};

/// A document as a tree. With a table, `var` outside of list operations names facts.
[[nodiscard]] support::Result<Compiled> compile_node(const nlohmann::ordered_json& json,
                                                     const FactTable* table,
                                                     const std::string& file,
                                                     const std::string& pointer);

}  // namespace gpu_advisor::rules
