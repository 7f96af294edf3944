#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "compile_internal.hpp"
#include "gpu_advisor/support/text.hpp"

namespace gpu_advisor::rules {
namespace {

using support::Error;
using support::ErrorCode;
using support::Result;

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

/// One operator: how it is written and how many arguments it takes.
struct Operator {
  std::string_view name;
  Op op;
  std::size_t least, most;
};

/// All operators of the public specification, sorted by name.
constexpr std::array kOperators{Operator{"!", Op::negation, 0, 1},
                                Operator{"!!", Op::truth, 0, 1},
                                Operator{"!=", Op::not_equal, 2, 2},
                                Operator{"!==", Op::not_same, 2, 2},
                                Operator{"%", Op::remainder, 2, 2},
                                Operator{"*", Op::multiply, 1, kAny},
                                Operator{"+", Op::add, 0, kAny},
                                Operator{"-", Op::subtract, 1, 2},
                                Operator{"/", Op::divide, 2, 2},
                                Operator{"<", Op::less, 2, 3},
                                Operator{"<=", Op::less_equal, 2, 3},
                                Operator{"==", Op::equal, 2, 2},
                                Operator{"===", Op::same, 2, 2},
                                Operator{">", Op::greater, 2, 2},
                                Operator{">=", Op::greater_equal, 2, 2},
                                Operator{"?:", Op::choose, 0, kAny},
                                Operator{"all", Op::all, 2, 2},
                                Operator{"and", Op::conjunction, 0, kAny},
                                Operator{"cat", Op::concatenate, 0, kAny},
                                Operator{"filter", Op::filter, 2, 2},
                                Operator{"if", Op::choose, 0, kAny},
                                Operator{"in", Op::contains, 2, 2},
                                Operator{"log", Op::log, 0, 1},
                                Operator{"map", Op::map, 2, 2},
                                Operator{"max", Op::maximum, 0, kAny},
                                Operator{"merge", Op::merge, 0, kAny},
                                Operator{"min", Op::minimum, 0, kAny},
                                Operator{"missing", Op::missing, 0, kAny},
                                Operator{"missing_some", Op::missing_some, 2, 2},
                                Operator{"none", Op::none, 2, 2},
                                Operator{"or", Op::disjunction, 0, kAny},
                                Operator{"reduce", Op::reduce, 2, 3},
                                Operator{"some", Op::some, 2, 2},
                                Operator{"substr", Op::substring, 2, 3},
                                Operator{"var", Op::path, 0, 2}};

bool is_operation(const nlohmann::ordered_json& json) {
  return json.is_object() && json.size() == 1;
}

bool has_item_scope(Op op) {
  return op == Op::map || op == Op::filter || op == Op::reduce || op == Op::all || op == Op::none ||
         op == Op::some;
}

/// Where a part of the document stands, as a chain to the root: made into a JSON pointer only for
/// an error.
struct Place {
  const Place* parent = nullptr;
  std::string_view key;              // of an object; empty for an element of an array
  std::optional<std::size_t> index;  // of an array

  [[nodiscard]] std::string pointer(const std::string& root) const {
    if (parent == nullptr) {
      return root;
    }
    std::string text = parent->pointer(root) + "/";
    for (const char c : key) {
      text += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    }
    return index ? text + std::to_string(*index) : text;
  }
};

class Compiler {
 public:
  Compiler(const FactTable* table, std::string file, std::string root)
      : table_(table), file_(std::move(file)), root_(std::move(root)) {}

  Result<Node> compile(const nlohmann::ordered_json& json, const Place& place, bool in_item) {
    if (is_operation(json)) {
      return operation(json, place, in_item);
    }
    if (!json.is_array() ||
        std::ranges::none_of(json, [](const auto& item) { return item.is_structured(); })) {
      return Node{.op = Op::literal, .literal = from_json(json)};
    }
    Node node{.op = Op::list};
    for (std::size_t i = 0; i < json.size(); ++i) {
      GPU_ADVISOR_TRY(Node item, compile(json[i], {.parent = &place, .index = i}, in_item));
      node.arguments.push_back(std::move(item));
    }
    return node;
  }

  std::vector<std::size_t> reads() && {
    std::ranges::sort(reads_);
    reads_.erase(std::unique(reads_.begin(), reads_.end()), reads_.end());
    return std::move(reads_);
  }

 private:
  Error fail(ErrorCode code, std::string message, const Place& place, std::string hint = "") const {
    return {.code = code,
            .message = std::move(message),
            .location = {.file = file_, .pointer = place.pointer(root_)},
            .hint = std::move(hint)};
  }

  Result<Node> operation(const nlohmann::ordered_json& json, const Place& place, bool in_item) {
    const std::string& name = json.begin().key();
    const auto& body = json.begin().value();
    const Place inner{.parent = &place, .key = name};
    const auto found = std::ranges::find(kOperators, name, &Operator::name);
    if (found == kOperators.end()) {
      return fail(ErrorCode::unknown_key, "there is no operator \"" + name + "\"", place,
                  support::did_you_mean(support::nearest(name, operators())));
    }
    Node node{.op = found->op};
    const std::size_t count = body.is_array() ? body.size() : 1;
    if (count < found->least || count > found->most) {
      return fail(
          ErrorCode::out_of_range,
          "the operator \"" + name + "\" does not take " + std::to_string(count) + " arguments",
          inner);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const auto& argument = body.is_array() ? body[i] : body;
      const Place element{.parent = &inner, .index = i};
      const bool item = in_item || (has_item_scope(node.op) && i == 1);
      GPU_ADVISOR_TRY(Node compiled, compile(argument, body.is_array() ? element : inner, item));
      node.arguments.push_back(std::move(compiled));
    }
    if (node.op == Op::path) {
      return variable(std::move(node), inner, in_item);
    }
    if (node.op == Op::missing || node.op == Op::missing_some) {
      GPU_ADVISOR_CHECKED(resolve_names(node, inner, in_item));
    }
    return node;
  }

  /// A `var`: of facts by index, of data by a path, or computed.
  Result<Node> variable(Node node, const Place& place, bool in_item) {
    const bool over_facts = table_ != nullptr && !in_item;
    const bool constant = node.arguments.empty() || node.arguments[0].op == Op::literal;
    if (!constant) {
      if (over_facts) {
        return fail(ErrorCode::wrong_type, "the name of a fact must be a constant", place);
      }
      node.op = Op::variable;
      return node;
    }
    const Value name = node.arguments.empty() ? Value() : node.arguments[0].literal;
    if (!node.arguments.empty()) {
      node.arguments.erase(node.arguments.begin());
    }
    if (over_facts) {
      GPU_ADVISOR_TRY(node.fact, fact(to_text(name), place));
      node.op = Op::fact;
    } else if (!name.is_null() && !(name == Value(""))) {
      node.path = split_path(to_text(name));
    }
    return node;
  }

  Result<std::size_t> fact(const std::string& name, const Place& place) {
    auto index = table_->require(name);
    if (!index) {
      Error error = std::move(index).error();
      error.location = {.file = file_, .pointer = place.pointer(root_)};
      return error;
    }
    reads_.push_back(*index);
    return *index;
  }

  /// Over facts, the names of `missing` and `missing_some` are constants and must exist.
  support::Status resolve_names(Node& node, const Place& place, bool in_item) {
    if (table_ == nullptr || in_item) {
      return support::ok();
    }
    const std::size_t first = node.op == Op::missing_some ? 1 : 0;
    for (std::size_t i = first; i < node.arguments.size(); ++i) {
      const Node& argument = node.arguments[i];
      if (argument.op != Op::literal) {
        return fail(ErrorCode::wrong_type, "the names of facts must be constants", place);
      }
      const Value::List one{argument.literal};
      const Value::List* names = argument.literal.list();
      for (const Value& name : names == nullptr ? one : *names) {
        GPU_ADVISOR_TRY(const std::size_t index, fact(to_text(name), place));
        node.facts.push_back(index);
      }
    }
    return support::ok();
  }

  const FactTable* table_;
  std::string file_, root_;
  std::vector<std::size_t> reads_;
};

}  // namespace

const std::vector<std::string>& operators() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    names.reserve(kOperators.size());
    for (const Operator& entry : kOperators) {
      names.emplace_back(entry.name);
    }
    return names;
  }();
  return kNames;
}

Result<Compiled> compile_node(const nlohmann::ordered_json& json, const FactTable* table,
                              const std::string& file, const std::string& pointer) {
  Compiler compiler(table, file, pointer);
  GPU_ADVISOR_TRY(Node root, compiler.compile(json, Place{}, false));
  return Compiled{std::move(root), std::move(compiler).reads()};
}

}  // namespace gpu_advisor::rules
