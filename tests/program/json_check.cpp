#include "program/json_check.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>
#include <vector>

#include "program/program.hpp"
#include "program/text.hpp"

namespace gpu_advisor::test {
namespace {

using nlohmann::json;

// The values that a pointer leads to; a step '*' goes to every member.
std::vector<json> values_at(const json& root, std::string_view pointer) {
  std::vector<json> values = {root};
  while (!pointer.empty()) {
    if (pointer.front() != '/') {
      throw std::runtime_error("a JSON pointer begins with '/': " + std::string(pointer));
    }
    const std::size_t end = pointer.find('/', 1);
    const std::string step(pointer.substr(0, end));
    pointer.remove_prefix(end == std::string_view::npos ? pointer.size() : end);
    std::vector<json> next;
    for (const json& value : values) {
      if (step == "/*") {
        next.insert(next.end(), value.begin(), value.end());
      } else if (const json::json_pointer at(step); value.contains(at)) {
        next.push_back(value.at(at));
      }
    }
    values = std::move(next);
  }
  return values;
}

bool compares(const json& left, const std::string& comparison, const json& right) {
  static const std::map<std::string, std::function<bool(const json&, const json&)>> kTable = {
      {"==", [](const json& a, const json& b) { return a == b; }},
      {"!=", [](const json& a, const json& b) { return a != b; }},
      {"<", [](const json& a, const json& b) { return a < b; }},
      {"<=", [](const json& a, const json& b) { return a <= b; }},
      {">", [](const json& a, const json& b) { return a > b; }},
      {">=", [](const json& a, const json& b) { return a >= b; }},
  };
  const auto found = kTable.find(comparison);
  if (found == kTable.end()) {
    throw std::runtime_error("no such comparison: " + comparison);
  }
  // Values of two kinds have an order in this library, but not for a reader.
  const bool same_kind = left.type() == right.type() || (left.is_number() && right.is_number());
  return (same_kind || comparison == "==" || comparison == "!=") && found->second(left, right);
}

struct Statement {
  std::string pointer;
  bool counts = false;
  std::string verb;  // a comparison, "present" or "absent"
  std::string right;
};

Statement parse_statement(std::string_view text) {
  const auto next_word = [&text] {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const std::string word(text.substr(0, text.find(' ')));
    text.remove_prefix(word.size());
    return word;
  };
  Statement statement;
  statement.pointer = next_word();
  statement.verb = next_word();
  if (statement.verb == "count") {
    statement.counts = true;
    statement.verb = next_word();
  }
  statement.right = text;
  return statement;
}

}  // namespace

std::string check_json(std::string_view text, std::string_view statement_text) {
  const json root = json::parse(text, nullptr, false);
  if (root.is_discarded()) {
    return "the output is not one JSON document";
  }
  const Statement statement = parse_statement(statement_text);
  const std::vector<json> values = values_at(root, statement.pointer);
  if (statement.verb == "absent") {
    return values.empty() ? "" : "it is there: " + values.front().dump();
  }
  if (values.empty()) {
    return "nothing is there";
  }
  if (statement.verb == "present") {
    return "";
  }
  const json right = json::parse(statement.right);
  for (const json& value : values) {
    const json left = statement.counts ? json(value.size()) : value;
    if (!compares(left, statement.verb, right)) {
      return "it is " + left.dump();
    }
  }
  return "";
}

std::string check_schema(std::string_view text, const std::string& schema_path) {
  const json document = json::parse(text, nullptr, false);
  if (document.is_discarded()) {
    return "the output is not one JSON document";
  }
  const json schema_document = json::parse(read_file(schema_path));
  using Adapter = valijson::adapters::NlohmannJsonAdapter;
  valijson::Schema schema;
  valijson::SchemaParser().populateSchema(Adapter(schema_document), schema);
  valijson::ValidationResults results;
  if (valijson::Validator().validate(schema, Adapter(document), &results)) {
    return "";
  }
  std::string faults;
  valijson::ValidationResults::Error fault;
  while (results.popError(fault)) {
    std::string place;
    for (const std::string& step : fault.context) {
      place += step;
    }
    faults += place + ": " + fault.description + "\n";
  }
  return faults;
}

std::string published_schema(std::string_view text) {
  const json document = json::parse(text, nullptr, false);
  if (!document.is_object() || !document.contains("schema")) {
    return "";
  }
  std::string kind = document.at("schema").get<std::string>();
  kind = kind.substr(kind.find('/') + 1);
  kind = kind.substr(0, kind.find('@'));
  return std::string(GPU_ADVISOR_SOURCE_DIR) + "/data/schema/" + kind + ".schema.json";
}

}  // namespace gpu_advisor::test
