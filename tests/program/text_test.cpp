#include "program/text.hpp"

#include <stdexcept>

#include "catch2.hpp"
#include "program/program.hpp"

using gpu_advisor::test::lines_match;
using gpu_advisor::test::Outcome;
using gpu_advisor::test::run_program;
using gpu_advisor::test::split_lines;
using gpu_advisor::test::split_words;

using Words = std::vector<std::string>;

TEST_CASE("words are split as a shell splits them") {
  CHECK(split_words("a  b\tc") == Words{"a", "b", "c"});
  CHECK(split_words("--gpu 'RTX 3090' \"x y\"z") == Words{"--gpu", "RTX 3090", "x yz"});
  CHECK(split_words(R"(a\ b '' "\"")") == Words{"a b", "", "\""});
  CHECK(split_words("  ").empty());
  CHECK_THROWS_AS(split_words("'open"), std::runtime_error);
}

TEST_CASE("a line of three dots stands for any lines") {
  CHECK(lines_match({"a", "...", "c"}, {"a", "c"}));
  CHECK(lines_match({"a", "...", "c"}, {"a", "b", "c", "c"}));
  CHECK(lines_match({"..."}, {}));
  CHECK_FALSE(lines_match({"a", "...", "c"}, {"a", "b"}));
  CHECK_FALSE(lines_match({}, {"a"}));
}

TEST_CASE("three dots within a line stand for any characters") {
  CHECK(lines_match({"took ... s, ... ok"}, {"took 1.2 s, all ok"}));
  CHECK_FALSE(lines_match({"took ... s"}, {"took 1.2 ms, "}));
  CHECK_FALSE(lines_match({"a...b"}, {"xa b"}));
}

TEST_CASE("lines end with or without a newline") {
  CHECK(split_lines("a\n\nb") == Words{"a", "", "b"});
  CHECK(split_lines("a\n") == Words{"a"});
  CHECK(split_lines("").empty());
}

TEST_CASE("a run gives output, error and exit code, and reads its input") {
  const Outcome outcome = run_program({.words = {"/bin/sh", "-c", "cat; echo oops >&2; exit 3"},
                                       .input = std::string(200000, 'x')});
  CHECK(outcome.status == 3);
  CHECK(outcome.output == std::string(200000, 'x'));
  CHECK(outcome.error == "oops\n");
  CHECK_THROWS_AS(run_program({.words = {"/nonexistent/program"}}), std::runtime_error);
}
