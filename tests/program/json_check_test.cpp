#include "program/json_check.hpp"

#include <stdexcept>

#include "catch2.hpp"

using gpu_advisor::test::check_json;
using gpu_advisor::test::published_schema;

namespace {
constexpr std::string_view kText =
    R"({"rows": [{"cost": 1.5}, {"cost": 2}], "name": "a b", "none": null, "empty": []})";
}

TEST_CASE("a statement about one value") {
  CHECK(check_json(kText, "/name == \"a b\"").empty());
  CHECK(check_json(kText, "/rows/1/cost >= 2.0").empty());
  CHECK(check_json(kText, "/rows/0/cost < 1") == "it is 1.5");
  CHECK(check_json(kText, "/none == null").empty());
  CHECK(check_json(kText, "/name > 3") == "it is \"a b\"");
}

TEST_CASE("a statement about every element") {
  CHECK(check_json(kText, "/rows/*/cost <= 2").empty());
  CHECK(check_json(kText, "/rows/*/cost < 2") == "it is 2");
  CHECK(check_json(kText, "/empty/*/cost < 2") == "nothing is there");
}

TEST_CASE("a statement about presence and count") {
  CHECK(check_json(kText, "/rows count == 2").empty());
  CHECK(check_json(kText, "/rows present").empty());
  CHECK(check_json(kText, "/error absent").empty());
  CHECK(check_json(kText, "/error present") == "nothing is there");
  CHECK(check_json(kText, "/rows/0 absent") == "it is there: {\"cost\":1.5}");
}

TEST_CASE("text that is not JSON, and statements that are none") {
  CHECK(check_json("{} {}", "/a present") == "the output is not one JSON document");
  CHECK_THROWS_AS(check_json(kText, "rows present"), std::runtime_error);
  CHECK_THROWS_AS(check_json(kText, "/rows like 2"), std::exception);
}

TEST_CASE("a result names its schema") {
  CHECK(published_schema(R"({"schema": "gpu-advisor/estimate@1"})")
            .ends_with("/data/schema/estimate.schema.json"));
  CHECK(published_schema("[]").empty());
}
