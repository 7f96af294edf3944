#include <algorithm>
#include <cmath>
#include <limits>

#include "gpu_advisor/rules/logic.hpp"
#include "node_internal.hpp"

namespace gpu_advisor::rules {
namespace {

const Value kNull;

Value read_fact(const Node& node, const Scope& scope) {
  const Value& value = (*scope.facts)[node.fact];
  return value.is_null() && !node.arguments.empty() ? evaluate(node.arguments[0], scope) : value;
}

Value read_variable(const Node& node, const Scope& scope) {
  const Value name = evaluate(node.arguments[0], scope);
  if (name.is_null() || (name.text() != nullptr && name.text()->empty())) {
    return *scope.data;
  }
  if (const Value* found = descend(*scope.data, split_path(to_text(name)))) {
    return *found;
  }
  return node.arguments.size() > 1 ? evaluate(node.arguments[1], scope) : Value();
}

Value read_path(const Node& node, const Scope& scope) {
  if (node.path.empty()) {
    return *scope.data;
  }
  if (const Value* found = descend(*scope.data, node.path)) {
    return *found;
  }
  return node.arguments.empty() ? Value() : evaluate(node.arguments[0], scope);
}

/// Those of the names that nothing is known of. Over facts the names were resolved when compiled.
Value::List missing_of(const Value::List& names, const Node& node, const Scope& scope) {
  Value::List missing;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Value* found = scope.facts != nullptr
                             ? &(*scope.facts)[node.facts[i]]
                             : descend(*scope.data, split_path(to_text(names[i])));
    if (found == nullptr || found->is_null() || *found == Value("")) {
      missing.push_back(names[i]);
    }
  }
  return missing;
}

Value missing(const Node& node, const Scope& scope) {
  Value::List names;
  for (const Node& argument : node.arguments) {
    names.push_back(evaluate(argument, scope));
  }
  if (!names.empty() && names[0].list() != nullptr) {
    names = Value::List(*names[0].list());
  }
  return missing_of(names, node, scope);
}

Value missing_some(const Node& node, const Scope& scope) {
  const double need = to_number(evaluate(node.arguments[0], scope));
  const Value options = evaluate(node.arguments[1], scope);
  if (options.list() == nullptr) {
    return Value::List{};
  }
  Value::List missing = missing_of(*options.list(), node, scope);
  const bool enough = static_cast<double>(options.list()->size() - missing.size()) >= need;
  return enough ? Value(Value::List{}) : Value(std::move(missing));
}

Value choose(const Node& node, const Scope& scope) {
  const auto& arguments = node.arguments;
  Value scratch;
  for (std::size_t i = 0; i + 1 < arguments.size(); i += 2) {
    const Value& condition = peek(arguments[i], scope, scratch);
    if (scope.three_valued && condition.is_null()) {
      return {};
    }
    if (truthy(condition)) {
      return evaluate(arguments[i + 1], scope);
    }
  }
  return arguments.size() % 2 == 1 ? evaluate(arguments.back(), scope) : Value();
}

/// `and`, `or`: the value that decides, or the last. Three-valued, an unknown one is passed over
/// and is the answer when no other decides.
Value junction(const Node& node, const Scope& scope, bool deciding) {
  Value last;
  bool unknown = false;
  for (const Node& argument : node.arguments) {
    last = evaluate(argument, scope);
    if (scope.three_valued && last.is_null()) {
      unknown = true;
    } else if (truthy(last) == deciding) {
      return last;
    }
  }
  return unknown ? Value() : last;
}

Value negate(const Node& node, const Scope& scope, bool twice) {
  Value scratch;
  const Value& value = node.arguments.empty() ? kNull : peek(node.arguments[0], scope, scratch);
  if (scope.three_valued && value.is_null()) {
    return {};
  }
  return truthy(value) == twice;
}

bool literal_null(const Node& node) {
  return node.op == Op::literal && node.literal.is_null();
}

bool relation(Op op, const Value& a, const Value& b) {
  switch (op) {
    case Op::equal:
      return loosely_equal(a, b);
    case Op::not_equal:
      return !loosely_equal(a, b);
    case Op::same:
      return strictly_equal(a, b);
    case Op::not_same:
      return !strictly_equal(a, b);
    case Op::less:
      return less_than(a, b);
    case Op::less_equal:
      return at_most(a, b);
    case Op::greater:
      return less_than(b, a);
    default:
      return at_most(b, a);
  }
}

double extreme(Op op, const Value::List& values) {
  const double sign = op == Op::maximum ? 1 : -1;
  double best = -std::numeric_limits<double>::infinity();
  for (const Value& value : values) {
    const double number = to_number(value) * sign;
    best = std::isnan(number) || std::isnan(best) ? std::numeric_limits<double>::quiet_NaN()
                                                  : std::max(best, number);
  }
  return best * sign;
}

Value arithmetic(Op op, const Value::List& values) {
  switch (op) {
    case Op::maximum:
    case Op::minimum:
      return extreme(op, values);
    case Op::add: {
      double sum = 0;
      for (const Value& value : values) {
        sum += leading_number(value);
      }
      return sum;
    }
    case Op::multiply: {
      double product = 1;
      for (const Value& value : values) {
        product *= leading_number(value);
      }
      return values.size() == 1 ? values[0] : Value(product);
    }
    case Op::subtract:
      return values.size() == 1 ? -to_number(values[0])
                                : to_number(values[0]) - to_number(values[1]);
    case Op::divide:
      return to_number(values[0]) / to_number(values[1]);
    default:
      return std::fmod(to_number(values[0]), to_number(values[1]));
  }
}

}  // namespace

Value compare(const Node& node, const Scope& scope) {
  const auto& arguments = node.arguments;
  Value first_scratch, second_scratch, third_scratch;
  const Value& first = peek(arguments[0], scope, first_scratch);
  const Value& second = peek(arguments[1], scope, second_scratch);
  if (scope.three_valued && (first.is_null() || second.is_null()) && !literal_null(arguments[0]) &&
      !literal_null(arguments[1])) {
    return {};
  }
  if (arguments.size() == 2) {
    return relation(node.op, first, second);
  }
  const Value& third = peek(arguments[2], scope, third_scratch);
  if (scope.three_valued && third.is_null()) {
    return {};
  }
  return relation(node.op, first, second) && relation(node.op, second, third);
}

Value calculate(const Node& node, const Scope& scope) {
  Value::List values;
  values.reserve(node.arguments.size());
  for (const Node& argument : node.arguments) {
    values.push_back(evaluate(argument, scope));
    if (scope.three_valued && values.back().is_null()) {
      return {};
    }
  }
  return arithmetic(node.op, values);
}

const Value& peek(const Node& node, const Scope& scope, Value& scratch) {
  if (node.op == Op::literal) {
    return node.literal;
  }
  if (node.op == Op::fact && node.arguments.empty()) {
    return (*scope.facts)[node.fact];
  }
  scratch = evaluate(node, scope);
  return scratch;
}

Value evaluate(const Node& node, const Scope& scope) {
  switch (node.op) {
    case Op::literal:
      return node.literal;
    case Op::fact:
      return read_fact(node, scope);
    case Op::path:
      return read_path(node, scope);
    case Op::variable:
      return read_variable(node, scope);
    case Op::missing:
      return missing(node, scope);
    case Op::missing_some:
      return missing_some(node, scope);
    case Op::choose:
      return choose(node, scope);
    case Op::conjunction:
      return junction(node, scope, false);
    case Op::disjunction:
      return junction(node, scope, true);
    case Op::negation:
      return negate(node, scope, false);
    case Op::truth:
      return negate(node, scope, true);
    case Op::equal:
    case Op::not_equal:
    case Op::same:
    case Op::not_same:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
      return compare(node, scope);
    case Op::maximum:
    case Op::minimum:
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::remainder:
      return calculate(node, scope);
    case Op::concatenate:
      return concatenate(node, scope);
    case Op::substring:
      return substring(node, scope);
    case Op::log:
      return node.arguments.empty() ? Value() : evaluate(node.arguments[0], scope);
    default:
      return evaluate_list(node, scope);
  }
}

}  // namespace gpu_advisor::rules
