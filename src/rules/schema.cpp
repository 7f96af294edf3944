#include <array>
#include <nlohmann/json.hpp>

#include "gpu_advisor/rules/rule.hpp"
#include "load_internal.hpp"

namespace gpu_advisor::rules {
namespace {

using Json = nlohmann::ordered_json;

/// One key of a rule. Reading goes through the same list: a key that is not here is refused.
struct Field {
  std::string_view key;
  std::string_view kind;  // a row of `schema_of`
  bool required;
  std::string_view doc;
};

constexpr std::array kFields{
    Field{"id", "id", true, "Stable name, never reused; lower case with hyphens."},
    Field{"stage", "stage", true,
          "reject takes a candidate out, warn and advise speak, score also takes weight off "
          "maturity."},
    Field{"topic", "id", true, "What the rule is about: dtype, memory, lifecycle, …"},
    Field{"when", "logic", true,
          "JsonLogic over facts; a rule fires when it is true, not when unknown."},
    Field{"message", "message", true, "A sentence in each language with facts in braces."},
    Field{"source", "words", true, "Public document that says so."},
    Field{"as_of", "date", true, "Day on which the source was right."},
    Field{"weight", "weight", false,
          "Of score rules: what they take off the maturity, above 0, at most 1."}};

Json text_schema() {
  return {{"type", "string"}, {"pattern", "\\S"}};
}

Json message_schema() {
  return {{"type", "object"},
          {"properties", {{"en", text_schema()}, {"zh", text_schema()}}},
          {"required", {"en", "zh"}},
          {"additionalProperties", false}};
}

Json schema_of(std::string_view kind) {
  if (kind == "id") {
    return {{"type", "string"}, {"pattern", "^[a-z0-9-]+$"}};
  }
  if (kind == "stage") {
    return {{"type", "string"}, {"enum", {"reject", "warn", "advise", "score"}}};
  }
  if (kind == "logic") {
    return {{"type", {"object", "boolean"}}};
  }
  if (kind == "message") {
    return message_schema();
  }
  if (kind == "date") {
    return {{"type", "string"}, {"pattern", "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}};
  }
  if (kind == "weight") {
    return {{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", 1}};
  }
  return text_schema();
}

}  // namespace

const std::vector<std::string>& rule_keys() {
  static const std::vector<std::string> kKeys = [] {
    std::vector<std::string> keys;
    for (const Field& field : kFields) {
      keys.emplace_back(field.key);
    }
    return keys;
  }();
  return kKeys;
}

std::string rules_schema() {
  Json properties = Json::object();
  Json required = Json::array();
  for (const Field& field : kFields) {
    Json property = schema_of(field.kind);
    property["description"] = field.doc;
    properties[std::string(field.key)] = std::move(property);
    if (field.required) {
      required.push_back(field.key);
    }
  }
  const Json row{{"type", "object"},
                 {"properties", std::move(properties)},
                 {"required", std::move(required)},
                 {"additionalProperties", false}};
  const Json schema{
      {"$schema", "http://json-schema.org/draft-07/schema#"},
      {"title", "Rules of gpu-advisor"},
      {"type", "object"},
      {"properties",
       {{"schema", {{"const", kRulesSchema}}}, {"rows", {{"type", "array"}, {"items", row}}}}},
      {"required", {"schema", "rows"}},
      {"additionalProperties", false}};
  return schema.dump(2) + "\n";
}

}  // namespace gpu_advisor::rules
