#include "gpu_advisor/units/parse.hpp"

#include "catch2.hpp"

using namespace gpu_advisor;
using namespace gpu_advisor::units;

TEST_CASE("reads numbers of parameters") {
  CHECK(parse_parameters("7B").value() == 7'000'000'000);
  CHECK(parse_parameters("350m").value() == 350'000'000);
  CHECK(parse_parameters("1.5T").value() == 1'500'000'000'000);
  CHECK(parse_parameters("6738415616").value() == 6'738'415'616);
  CHECK(parse_parameters(" 13 B ").value() == 13'000'000'000);
  CHECK(parse_parameters("6.74e9").value() == 6'740'000'000);
}

TEST_CASE("refuses numbers of parameters that make no sense") {
  for (const char* text : {"7X", "", "B", "-7B", "0B", "nan", "1e300B", "7B7", "seven"}) {
    CAPTURE(text);
    const auto parsed = parse_parameters(text);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().code == support::ErrorCode::usage);
  }
}

TEST_CASE("a small bare number of parameters asks for its unit") {
  const auto parsed = parse_parameters("7");
  REQUIRE_FALSE(parsed);
  CHECK(parsed.error().hint == "write 7B for billions or 7M for millions");
}

TEST_CASE("reads counts") {
  CHECK(parse_count("1T").value() == 1e12);
  CHECK(parse_count("2e9").value() == 2e9);
  CHECK(parse_count("1281167").value() == 1281167);
  CHECK_FALSE(parse_count("0"));
  CHECK_FALSE(parse_count("many"));
}

TEST_CASE("decimal and binary sizes are never mixed up") {
  CHECK(parse_memory("24").value() == gib(24));
  CHECK(parse_memory("80GB").value() == gb(80));
  CHECK(parse_memory("80 GiB").value() == gib(80));
  CHECK(parse_memory("512MiB").value() == mib(512));
  CHECK(parse_memory("1.5TB").value() == gb(1500));
  CHECK_FALSE(parse_memory("-1"));
  CHECK_FALSE(parse_memory("80 bananas"));
}

TEST_CASE("reads durations") {
  CHECK(parse_duration("72h").value() == hours(72));
  CHECK(parse_duration("72").value() == hours(72));
  CHECK(parse_duration("90d").value() == hours(90 * 24));
  CHECK(parse_duration("30m").value() == seconds(1800));
  CHECK(parse_duration("45s").value() == seconds(45));
  CHECK(parse_duration("2w").value() == hours(336));
  CHECK_FALSE(parse_duration("0h"));
  CHECK_FALSE(parse_duration("3 moons"));
}

TEST_CASE("reads shares") {
  CHECK(parse_share("10%").value() == Catch::Approx(0.1));
  CHECK(parse_share("0.1").value() == 0.1);
  CHECK(parse_share("0").value() == 0);
  CHECK_FALSE(parse_share("101%"));
  CHECK_FALSE(parse_share("-0.1"));
  const auto bare = parse_share("10");
  REQUIRE_FALSE(bare);
  CHECK(bare.error().hint == "write 10% for percent");
}

TEST_CASE("reads budgets") {
  CHECK(parse_budget("2").value().amount == 2);
  CHECK(parse_budget("2").value().period == BudgetPeriod::hour);
  CHECK(parse_budget("2.5/h").value().amount == 2.5);
  CHECK(parse_budget("1500/month").value().period == BudgetPeriod::month);
  CHECK(parse_budget("20000/total").value().period == BudgetPeriod::total);
  CHECK(parse_budget("$3").value().amount == 3);
  for (const char* text : {"-1", "0", "two", "2/fortnight", "2h", ""}) {
    CAPTURE(text);
    CHECK_FALSE(parse_budget(text));
  }
}

TEST_CASE("prints sizes, counts and durations with about three digits") {
  CHECK(print_memory(gib(79.3)) == "79.3 GiB");
  CHECK(print_memory(gib(1234.5)) == "1 234 GiB");
  CHECK(print_memory(gib(0.5)) == "512 MiB");
  CHECK(print_memory(gib(1)) == "1.00 GiB");
  CHECK(print_memory(bytes(2048)) == "2.00 KiB");
  CHECK(print_count(7e9) == "7B");
  CHECK(print_count(6.738e9) == "6.74B");
  CHECK(print_count(1.2e12) == "1.2T");
  CHECK(print_count(350e6) == "350M");
  CHECK(print_count(12) == "12");
  CHECK(print_duration(hours(76)) == "3 d 4 h");
  CHECK(print_duration(seconds(720)) == "12 min");
  CHECK(print_duration(milliseconds(850)) == "850 ms");
  CHECK(print_duration(hours(2.5)) == "2 h 30 min");
  CHECK(print_duration(hours(24 * 30)) == "30 d");
}
