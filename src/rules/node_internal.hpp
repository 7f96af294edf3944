#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_advisor/rules/facts.hpp"
#include "gpu_advisor/rules/value.hpp"

namespace gpu_advisor::rules {

enum class Op {
  // what a document can hold beside operations
  literal,
  list,
  // reading
  fact,      // by index, at the top of logic over facts
  path,      // var with a constant name
  variable,  // var with a computed name
  missing,
  missing_some,
  // choice
  choose,
  conjunction,
  disjunction,
  negation,
  truth,
  // comparison
  equal,
  not_equal,
  same,
  not_same,
  less,
  less_equal,
  greater,
  greater_equal,
  // arithmetic
  maximum,
  minimum,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  // lists
  map,
  filter,
  reduce,
  all,
  none,
  some,
  merge,
  contains,
  // text
  concatenate,
  substring,
  log,
};

/// One operation or value of a compiled expression.
struct Node {
  Op op = Op::literal;
  Value literal;
  std::size_t fact = 0;
  std::vector<std::size_t> facts;  // of missing and missing_some over facts, one for each name
  std::vector<std::string> path;   // of Op::path
  std::vector<Node> arguments;
};

/// What an expression is evaluated in. Within map, filter and the like `data` is the item and
/// `facts` is null.
struct Scope {
  const Value* data = nullptr;
  const Facts* facts = nullptr;
  bool three_valued = false;  // null is "unknown" and spreads
};

[[nodiscard]] Value evaluate(const Node& node, const Scope& scope);
/// The value, copied only if it must be made.
[[nodiscard]] const Value& peek(const Node& node, const Scope& scope, Value& scratch);

/// Operations on lists with an expression for each item, and text operations.
[[nodiscard]] Value evaluate_list(const Node& node, const Scope& scope);
[[nodiscard]] Value concatenate(const Node& node, const Scope& scope);
[[nodiscard]] Value substring(const Node& node, const Scope& scope);

/// Operations with a fixed number of values.
[[nodiscard]] Value compare(const Node& node, const Scope& scope);
[[nodiscard]] Value calculate(const Node& node, const Scope& scope);

/// Walks into data as `var` does: "a.b.1".
[[nodiscard]] const Value* descend(const Value& data, const std::vector<std::string>& path);
[[nodiscard]] std::vector<std::string> split_path(std::string_view name);

// Conversions of ECMAScript, which the public specification inherits.
[[nodiscard]] double to_number(const Value& value);
/// parseFloat: the number that the text begins with.
[[nodiscard]] double leading_number(const Value& value);
[[nodiscard]] bool loosely_equal(const Value& a, const Value& b);
[[nodiscard]] bool strictly_equal(const Value& a, const Value& b);
/// `<` when both are text, else of numbers; false when either is no number.
[[nodiscard]] bool less_than(const Value& a, const Value& b);
[[nodiscard]] bool at_most(const Value& a, const Value& b);

}  // namespace gpu_advisor::rules
