#include "gpu_advisor/catalog/date.hpp"

#include "catch2.hpp"

using gpu_advisor::catalog::Date;
using gpu_advisor::catalog::days_between;
using gpu_advisor::catalog::parse_date;

TEST_CASE("dates are read as days, months and years") {
  CHECK(*parse_date("2026-07-20") == Date{2026, 7, 20});
  CHECK(*parse_date("2026-07") == Date{2026, 7, 1});
  CHECK(*parse_date("2026") == Date{2026, 1, 1});
  CHECK(parse_date("2024-02-29").has_value());
}

TEST_CASE("what is no day is refused") {
  for (const char* text : {"", "yesterday", "2026-13-01", "2026-00-10", "2026-01-32", "20260101",
                           "2026-1-1x", "2026-07-20T00:00"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_date(text).has_value());
  }
}

TEST_CASE("days are counted over months and leap years") {
  CHECK(days_between({2026, 2, 28}, {2026, 3, 1}) == 1);
  CHECK(days_between({2024, 2, 28}, {2024, 3, 1}) == 2);
  CHECK(days_between({2025, 1, 1}, {2026, 1, 1}) == 365);
  CHECK(days_between({2026, 1, 2}, {2026, 1, 1}) == -1);
}

TEST_CASE("a date prints as it is read and knows whether it is known") {
  CHECK(Date{2026, 7, 5}.text() == "2026-07-05");
  CHECK(Date{}.text() == "unknown");
  CHECK_FALSE(Date{}.known());
}
