#include "gpu_advisor/support/text.hpp"

#include "catch2.hpp"

using gpu_advisor::support::did_you_mean;
using gpu_advisor::support::display_width;
using gpu_advisor::support::fold;
using gpu_advisor::support::glob_match;
using gpu_advisor::support::nearest;
using gpu_advisor::support::parse_number;
using gpu_advisor::support::split;
using gpu_advisor::support::to_lower;
using gpu_advisor::support::trim;

using Names = std::vector<std::string>;

TEST_CASE("names fold to letters and digits in lower case") {
  CHECK(fold("RTX 3090") == "rtx3090");
  CHECK(fold("rtx-3090") == "rtx3090");
  CHECK(fold("A100-SXM_80GB") == "a100sxm80gb");
  CHECK(fold(" -/").empty());
  CHECK(to_lower("A100 Ä") == "a100 Ä");
}

TEST_CASE("blanks are trimmed at both ends alone") {
  CHECK(trim("  a b\t\r\n") == "a b");
  CHECK(trim(" \n").empty());
  CHECK(trim("").empty());
}

TEST_CASE("splitting keeps empty parts") {
  CHECK(split("a,,b,", ',') == std::vector<std::string_view>{"a", "", "b", ""});
  CHECK(split("", ',') == std::vector<std::string_view>{""});
}

TEST_CASE("globs match whole names whatever their case") {
  CHECK(glob_match("a100*", "A100-SXM-80GB"));
  CHECK(glob_match("*80gb", "A100-SXM-80GB"));
  CHECK(glob_match("*-*-*", "A100-SXM-80GB"));
  CHECK(glob_match("rtx ?0?0", "RTX 3090"));
  CHECK(glob_match("*", ""));
  CHECK_FALSE(glob_match("a100", "A100-SXM-80GB"));
  CHECK_FALSE(glob_match("?", ""));
  CHECK_FALSE(glob_match("a*b", "abc"));
}

TEST_CASE("a pattern of many stars takes no time") {
  CHECK_FALSE(glob_match("*a*a*a*a*a*a*a*a*a*a*b", std::string(2000, 'a')));
}

TEST_CASE("a number fills its text and is finite") {
  CHECK(parse_number("1.5") == 1.5);
  CHECK(parse_number("-2e3") == -2000.0);
  for (const char* text : {"", " 1", "1 ", "7X", "1,5", "nan", "inf", "1e999", "0x10"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_number(text));
  }
}

TEST_CASE("the nearest spellings come best first") {
  const Names names = {"h100", "a100", "a10", "v100", "rtx-3090"};
  CHECK(nearest("a1000", names).front() == "a100");
  CHECK(nearest("RTX-309", names) == Names{"rtx-3090"});
  CHECK(nearest("completely-else", names).empty());
  CHECK(nearest("h100", names, 1) == Names{"h100"});
}

TEST_CASE("a question names what could have been meant") {
  CHECK(did_you_mean({}).empty());
  CHECK(did_you_mean(Names{"a"}) == "did you mean a?");
  CHECK(did_you_mean(Names{"a", "b", "c"}) == "did you mean a, b or c?");
}

TEST_CASE("the width of text is counted in terminal columns") {
  CHECK(display_width("abc") == 3);
  CHECK(display_width("≥ 2 USD") == 7);
  CHECK(display_width("显存不足") == 8);
  CHECK(display_width("e\u0301") == 1);
  CHECK(display_width("\xE6") == 1);
}
