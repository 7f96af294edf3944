#include "gpu_advisor/support/json.hpp"

#include "catch2.hpp"

using gpu_advisor::support::Error;
using gpu_advisor::support::ErrorCode;
using gpu_advisor::support::Json;
using gpu_advisor::support::JsonCursor;
using gpu_advisor::support::parse_json;
using gpu_advisor::support::Result;

namespace {

const Json& sample() {
  static const Json json = parse_json(
                               R"({"name": "x", "count": 8.0, "half": 0.5, "on": true, "none": null,
          "rows": [{"a/b": 1}, {"a/b": "text"}]})",
                               "sample.json")
                               .value();
  return json;
}

JsonCursor root() {
  return JsonCursor(sample(), "sample.json");
}

}  // namespace

TEST_CASE("one JSON document is read, in the order of its keys") {
  const Result<Json> json = parse_json(R"({"z": 1, "a": [true, null, "\u00e9"]})", "f");
  REQUIRE(json);
  CHECK(json->dump() == R"({"z":1,"a":[true,null,"é"]})");
}

TEST_CASE("what is not one JSON document is refused with file and offset") {
  for (const char* text : {"", "{", "{} {}", "[1,]", "{\"a\":NaN}", "nul", "[1] x", "{'a':1}",
                           "[\"\xff\"]", "// c\n1", "[1e999]"}) {
    CAPTURE(text);
    const Result<Json> json = parse_json(text, "f.json");
    REQUIRE_FALSE(json);
    CHECK(json.error().code == ErrorCode::malformed_json);
    CHECK(json.error().location.file == "f.json");
    CHECK(json.error().location.offset.has_value());
  }
}

TEST_CASE("a key that stands twice is refused") {
  const Result<Json> json = parse_json(R"({"a": 1, "b": {"a": 2}, "a": 3})", "f");
  REQUIRE_FALSE(json);
  CHECK(json.error().message.find("\"a\"") != std::string::npos);
  CHECK(parse_json(R"({"a": 1, "b": {"a": 2}})", "f"));
}

TEST_CASE("nesting has a bound") {
  CHECK(parse_json(std::string(256, '[') + std::string(256, ']'), "f"));
  CHECK_FALSE(parse_json(std::string(257, '[') + std::string(257, ']'), "f"));
  CHECK_FALSE(parse_json(std::string(1000000, '['), "f"));
  CHECK(parse_json("\"" + std::string(1000, '[') + "\"", "f"));
}

TEST_CASE("a cursor reads values of their type") {
  CHECK(root().at("name")->text().value() == "x");
  CHECK(root().at("count")->integer().value() == 8);
  CHECK(root().at("half")->number().value() == 0.5);
  CHECK(root().at("on")->boolean().value());
  CHECK(root().has("name"));
  CHECK_FALSE(root().has("none"));
  CHECK_FALSE(root().has("other"));
}

TEST_CASE("a cursor names the place of a fault") {
  const auto rows = root().at("rows")->elements();
  REQUIRE(rows);
  const Error error = rows->at(1).at("a/b")->number().error();
  CHECK(error.code == ErrorCode::wrong_type);
  CHECK(error.location.file == "sample.json");
  CHECK(error.location.pointer == "/rows/1/a~1b");
  CHECK(error.message == "expected a number, found a string");
  CHECK(root().at("absent").error().code == ErrorCode::missing_key);
  CHECK(root().at("name")->at("x").error().code == ErrorCode::wrong_type);
  CHECK(root().at("half")->integer().error().code == ErrorCode::out_of_range);
}

TEST_CASE("an optional value may be absent or null, but not of another type") {
  CHECK(root().optional_text("name").value() == "x");
  CHECK(root().optional_text("none").value() == std::nullopt);
  CHECK(root().optional_number("absent").value() == std::nullopt);
  CHECK(root().optional_integer("count").value() == 8);
  CHECK(root().optional_boolean("on").value() == true);
  CHECK_FALSE(root().optional_number("name"));
}

TEST_CASE("an unknown key is refused with the nearest spelling") {
  CHECK(root().only({"name", "count", "half", "on", "none", "rows"}));
  const auto status = root().only({"names", "count", "half", "on", "none", "rows"});
  REQUIRE_FALSE(status);
  CHECK(status.error().code == ErrorCode::unknown_key);
  CHECK(status.error().location.pointer == "/name");
  CHECK(status.error().hint == "did you mean names?");
}
