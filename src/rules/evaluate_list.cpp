#include <algorithm>
#include <cmath>

#include "gpu_advisor/rules/logic.hpp"
#include "node_internal.hpp"

namespace gpu_advisor::rules {
namespace {

// Results beyond these sizes become null, so that no rule can exhaust the memory.
constexpr std::size_t kLongestText = 1 << 20;
constexpr std::size_t kLongestList = 1 << 20;

Scope of_item(const Scope& scope, const Value& item) {
  return {.data = &item, .facts = nullptr, .three_valued = scope.three_valued};
}

Value::List filtered(const Node& body, const Scope& scope, const Value::List& items) {
  Value::List kept;
  for (const Value& item : items) {
    if (truthy(evaluate(body, of_item(scope, item)))) {
      kept.push_back(item);
    }
  }
  return kept;
}

Value map_items(const Node& body, const Scope& scope, const Value::List& items) {
  Value::List mapped;
  mapped.reserve(items.size());
  for (const Value& item : items) {
    mapped.push_back(evaluate(body, of_item(scope, item)));
  }
  return mapped;
}

Value reduce(const Node& node, const Scope& scope) {
  const Value items = evaluate(node.arguments[0], scope);
  Value accumulator = node.arguments.size() > 2 ? evaluate(node.arguments[2], scope) : Value();
  if (items.list() == nullptr) {
    return accumulator;
  }
  for (const Value& item : *items.list()) {
    const Value data(Value::Object{{"current", item}, {"accumulator", std::move(accumulator)}});
    accumulator = evaluate(node.arguments[1], of_item(scope, data));
  }
  return accumulator;
}

Value for_items(const Node& node, const Scope& scope) {
  static const Value::List kNothing;
  const Value items = evaluate(node.arguments[0], scope);
  if (scope.three_valued && items.is_null()) {
    return {};
  }
  const Value::List& list = items.list() == nullptr ? kNothing : *items.list();
  const Node& body = node.arguments[1];
  switch (node.op) {
    case Op::map:
      return map_items(body, scope, list);
    case Op::filter:
      return filtered(body, scope, list);
    case Op::all:
      return !list.empty() && filtered(body, scope, list).size() == list.size();
    case Op::none:
      return filtered(body, scope, list).empty();
    default:
      return !filtered(body, scope, list).empty();
  }
}

Value merge(const Node& node, const Scope& scope) {
  Value::List merged;
  for (const Node& argument : node.arguments) {
    Value value = evaluate(argument, scope);
    if (const Value::List* list = value.list()) {
      merged.insert(merged.end(), list->begin(), list->end());
    } else {
      merged.push_back(std::move(value));
    }
  }
  return merged.size() > kLongestList ? Value() : Value(std::move(merged));
}

Value contains(const Node& node, const Scope& scope) {
  Value needle_scratch, hay_scratch;
  const Value& needle = peek(node.arguments[0], scope, needle_scratch);
  const Value& hay = peek(node.arguments[1], scope, hay_scratch);
  if (scope.three_valued && (needle.is_null() || hay.is_null())) {
    return {};
  }
  if (const Value::List* list = hay.list()) {
    return std::ranges::any_of(
        *list, [&needle](const Value& item) { return strictly_equal(item, needle); });
  }
  const std::string* text = hay.text();
  if (text == nullptr || text->empty()) {
    return false;
  }
  return needle.text() != nullptr ? text->find(*needle.text()) != std::string::npos
                                  : text->find(to_text(needle)) != std::string::npos;
}

Value make_list(const Node& node, const Scope& scope) {
  Value::List values;
  values.reserve(node.arguments.size());
  for (const Node& argument : node.arguments) {
    values.push_back(evaluate(argument, scope));
  }
  return values;
}

/// Byte offsets at which characters of UTF-8 text begin, and its end.
std::vector<std::size_t> character_starts(const std::string& text) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) {
      starts.push_back(i);
    }
  }
  starts.push_back(text.size());
  return starts;
}

/// A position counted from the end when negative, held within the text.
std::size_t position(double wanted, std::size_t length) {
  const double size = static_cast<double>(length);
  const double from_start = wanted < 0 ? size + std::trunc(wanted) : std::trunc(wanted);
  return static_cast<std::size_t>(std::clamp(std::isnan(from_start) ? 0 : from_start, 0.0, size));
}

}  // namespace

Value concatenate(const Node& node, const Scope& scope) {
  std::string text;
  for (const Node& argument : node.arguments) {
    const Value value = evaluate(argument, scope);
    text += value.is_null() ? "" : to_text(value);
  }
  return text.size() > kLongestText ? Value() : Value(std::move(text));
}

Value substring(const Node& node, const Scope& scope) {
  const std::string text = to_text(evaluate(node.arguments[0], scope));
  const std::vector<std::size_t> starts = character_starts(text);
  const std::size_t length = starts.size() - 1;
  const std::size_t begin = position(to_number(evaluate(node.arguments[1], scope)), length);
  std::size_t end = length;
  if (node.arguments.size() > 2) {
    const double count = to_number(evaluate(node.arguments[2], scope));
    end = count < 0 ? std::max(position(count, length), begin)
                    : begin + position(count, length - begin);
  }
  return text.substr(starts[begin], starts[end] - starts[begin]);
}

Value evaluate_list(const Node& node, const Scope& scope) {
  switch (node.op) {
    case Op::list:
      return make_list(node, scope);
    case Op::merge:
      return merge(node, scope);
    case Op::contains:
      return contains(node, scope);
    case Op::reduce:
      return reduce(node, scope);
    default:
      return for_items(node, scope);
  }
}

}  // namespace gpu_advisor::rules
