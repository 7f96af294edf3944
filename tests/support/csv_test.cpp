#include "gpu_advisor/support/csv.hpp"

#include "catch2.hpp"

using namespace gpu_advisor::support;

TEST_CASE("reads cells by column name") {
  const auto csv = Csv::parse("id,name\n1,A100\n2, T4 \n", "x.csv");
  REQUIRE(csv);
  CHECK(csv->size() == 2);
  CHECK(csv->cell(0, "name") == "A100");
  CHECK(csv->cell(1, "name") == "T4");
  CHECK(csv->cell(0, "nothing").empty());
  CHECK(csv->number(1, "id").value() == 2.0);
}

TEST_CASE("reads quotes, doubled quotes and line breaks within them") {
  const auto csv = Csv::parse(
      "\xEF\xBB\xBF"
      "a,b\r\n\"x, y\",\"say \"\"hi\"\"\nagain\"\r\n",
      "x.csv");
  REQUIRE(csv);
  REQUIRE(csv->size() == 1);
  CHECK(csv->columns() == std::vector<std::string>{"a", "b"});
  CHECK(csv->cell(0, "a") == "x, y");
  CHECK(csv->cell(0, "b") == "say \"hi\"\nagain");
}

TEST_CASE("an empty cell is no number and no zero") {
  const auto csv = Csv::parse("a,b\n,x\n", "x.csv");
  REQUIRE(csv);
  REQUIRE(csv->number(0, "a"));
  CHECK_FALSE(csv->number(0, "a").value().has_value());
  CHECK_FALSE(csv->number(0, "b"));
}

TEST_CASE("a broken CSV is refused with its line") {
  const auto short_row = Csv::parse("a,b\n1,2\n3\n", "x.csv");
  REQUIRE_FALSE(short_row);
  CHECK(short_row.error().code == ErrorCode::malformed_csv);
  CHECK(short_row.error().location.line == 3);
  CHECK_FALSE(Csv::parse("a,b\n\"open,2\n", "x.csv"));
  CHECK_FALSE(Csv::parse("a,a\n1,2\n", "x.csv"));
}

TEST_CASE("a missing column is named") {
  const auto csv = Csv::parse("a\n1\n", "x.csv");
  REQUIRE(csv);
  CHECK(csv->require({"a"}));
  const auto missing = csv->require({"a", "price"});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message.find("price") != std::string::npos);
}
