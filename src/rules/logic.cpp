#include "gpu_advisor/rules/logic.hpp"

#include <cmath>

#include "compile_internal.hpp"
#include "gpu_advisor/support/json.hpp"

namespace gpu_advisor::rules {

support::Result<Logic> Logic::compile(const nlohmann::ordered_json& json, const std::string& file,
                                      const std::string& pointer) {
  GPU_ADVISOR_TRY(Compiled compiled, compile_node(json, nullptr, file, pointer));
  Logic logic;
  logic.root_ = std::make_shared<const Node>(std::move(compiled.root));
  return logic;
}

support::Result<Logic> Logic::compile(const nlohmann::ordered_json& json, const FactTable& table,
                                      const std::string& file, const std::string& pointer) {
  GPU_ADVISOR_TRY(Compiled compiled, compile_node(json, &table, file, pointer));
  Logic logic;
  logic.root_ = std::make_shared<const Node>(std::move(compiled.root));
  logic.reads_ = std::move(compiled.reads);
  return logic;
}

support::Result<Logic> Logic::parse(std::string_view text) {
  GPU_ADVISOR_TRY(const support::Json json, support::parse_json(text, ""));
  return compile(json);
}

support::Result<Logic> Logic::parse(std::string_view text, const FactTable& table) {
  GPU_ADVISOR_TRY(const support::Json json, support::parse_json(text, ""));
  return compile(json, table);
}

Value Logic::evaluate(const Value& data) const {
  return root_ == nullptr ? Value() : rules::evaluate(*root_, {.data = &data});
}

Value Logic::evaluate(const Facts& facts) const {
  return root_ == nullptr ? Value()
                          : rules::evaluate(*root_, {.facts = &facts, .three_valued = true});
}

Truth Logic::judge(const Facts& facts) const {
  const Value value = evaluate(facts);
  if (value.is_null()) {
    return Truth::unknown;
  }
  return truthy(value) ? Truth::yes : Truth::no;
}

Value from_json(const nlohmann::ordered_json& json) {
  if (json.is_boolean()) {
    return json.get<bool>();
  }
  if (json.is_number()) {
    return json.get<double>();
  }
  if (json.is_string()) {
    return json.get<std::string>();
  }
  if (json.is_array()) {
    Value::List list;
    for (const auto& item : json) {
      list.push_back(from_json(item));
    }
    return list;
  }
  if (json.is_object()) {
    Value::Object object;
    for (const auto& [key, item] : json.items()) {
      object.emplace_back(key, from_json(item));
    }
    return object;
  }
  return {};
}

nlohmann::ordered_json to_json(const Value& value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (const bool* boolean = value.boolean()) {
    return *boolean;
  }
  if (const double* number = value.number()) {
    if (!std::isfinite(*number)) {
      return nullptr;
    }
    const bool whole = std::floor(*number) == *number && std::abs(*number) < kExact;
    return whole ? nlohmann::ordered_json(static_cast<std::int64_t>(*number))
                 : nlohmann::ordered_json(*number);
  }
  if (const std::string* text = value.text()) {
    return *text;
  }
  if (const Value::List* list = value.list()) {
    auto array = nlohmann::ordered_json::array();
    for (const Value& item : *list) {
      array.push_back(to_json(item));
    }
    return array;
  }
  if (const Value::Object* members = value.object()) {
    auto object = nlohmann::ordered_json::object();
    for (const auto& [key, item] : *members) {
      object[key] = to_json(item);
    }
    return object;
  }
  return nullptr;
}

}  // namespace gpu_advisor::rules
