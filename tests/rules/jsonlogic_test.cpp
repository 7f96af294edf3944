#include "catch2.hpp"
#include "gpu_advisor/rules/logic.hpp"
#include "gpu_advisor/support/file_source.hpp"
#include "gpu_advisor/support/json.hpp"

using namespace gpu_advisor;
using namespace gpu_advisor::rules;

namespace {

support::Json read_cases() {
  const std::string path =
      std::string(GPU_ADVISOR_SOURCE_DIR) + "/tests/rules/jsonlogic_cases.json";
  const auto text = support::disk_files()->read(path, 1 << 20);
  REQUIRE(text);
  auto json = support::parse_json(*text, path);
  REQUIRE(json);
  return std::move(json).value();
}

}  // namespace

TEST_CASE("answers every case of the JsonLogic table") {
  const support::Json cases = read_cases();
  int count = 0;
  for (const auto& row : cases["cases"]) {
    if (row.size() != 3) {
      continue;  // the name of a group
    }
    ++count;
    CAPTURE(row.dump());
    const auto logic = Logic::compile(row[0]);
    REQUIRE(logic);
    CHECK(to_json(logic->evaluate(from_json(row[1]))) == row[2]);
  }
  CHECK(count >= 300);
}

TEST_CASE("an unknown operator is refused with the nearest spelling") {
  const auto logic = Logic::parse(R"({"and": [{"filtr": [[1], true]}]})");
  REQUIRE_FALSE(logic);
  CHECK(logic.error().code == support::ErrorCode::unknown_key);
  CHECK(logic.error().message == "there is no operator \"filtr\"");
  CHECK(logic.error().location.pointer == "/and/0");
  CHECK(logic.error().hint == "did you mean filter?");
}

TEST_CASE("a wrong number of arguments is refused") {
  for (const char* text :
       {R"({"==": [1]})", R"({"<": [1, 2, 3, 4]})", R"({"map": [[1]]})", R"({"in": "a"})",
        R"({"missing_some": [1]})", R"({"/": [1]})", R"({"!": [1, 2]})"}) {
    CAPTURE(text);
    const auto logic = Logic::parse(text);
    REQUIRE_FALSE(logic);
    CHECK(logic.error().code == support::ErrorCode::out_of_range);
  }
}

TEST_CASE("pointers escape what JSON pointers must") {
  const auto logic = Logic::parse(R"({"/": [1, {"oops": 1}]})");
  REQUIRE_FALSE(logic);
  CHECK(logic.error().location.pointer == "/~1/1");
}

TEST_CASE("no expression can grow without bound") {
  const auto doubling = Logic::parse(
      R"({"reduce": [{"var": "n"},
                     {"cat": [{"var": "accumulator"}, {"var": "accumulator"}]}, "xxxxxxxx"]})");
  REQUIRE(doubling);
  const Value data(Value::Object{{"n", Value::List(60, Value(1))}});
  const Value result = doubling->evaluate(data);
  CHECK((result.text() == nullptr || result.text()->size() <= (1U << 20)));
}

TEST_CASE("results without a number become null in JSON") {
  const auto logic = Logic::parse(R"({"/": [1, 0]})");
  REQUIRE(logic);
  CHECK(to_json(logic->evaluate(Value())).is_null());
}

TEST_CASE("every operator is listed once") {
  CHECK(operators().size() == 35);
}
