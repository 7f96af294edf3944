#include "cli/case_file.hpp"

#include <stdexcept>

#include "catch2.hpp"

using gpu_advisor::test::Case;
using gpu_advisor::test::Expectation;
using gpu_advisor::test::read_cases;

TEST_CASE("a case has title, command, exit code and expectations") {
  const std::vector<Case> cases = read_cases("x.test", R"(# says no (issue 2)
$ gpu-advisor recommend --gpu 'RTX 3090'
exit 2
env NO_COLOR=1
stdin a
stdin b
catalog fixed
file folder/one.json
| {
|
| }
stdout empty
stderr contains --params 7X
stderr lines
| first
| ...

$ gpu-advisor version
exit 0
)");
  REQUIRE(cases.size() == 2);
  const Case& one = cases.front();
  CHECK(one.title == "says no (issue 2)");
  CHECK(one.line == 2);
  CHECK(one.words == std::vector<std::string>{"recommend", "--gpu", "RTX 3090"});
  CHECK(one.exit_code == 2);
  CHECK(one.environment.at("NO_COLOR") == "1");
  CHECK(one.input == "a\nb\n");
  CHECK(one.fixed_catalog);
  CHECK(one.files.at("folder/one.json") == "{\n\n}\n");
  REQUIRE(one.expectations.size() == 3);
  CHECK(one.expectations.at(1).text == "--params 7X");
  CHECK(one.expectations.at(1).stream == Expectation::Stream::error);
  CHECK(one.expectations.at(2).lines == std::vector<std::string>{"first", "..."});
  CHECK(cases.back().title.empty());
}

TEST_CASE("a file whose form is wrong is refused") {
  CHECK_THROWS_WITH(read_cases("x.test", "exit 2\n"), "x.test:1: a file begins with a command");
  CHECK_THROWS_WITH(read_cases("x.test", "$ ls\n"), "x.test:1: a command begins with gpu-advisor");
  CHECK_THROWS_WITH(read_cases("x.test", "$ gpu-advisor\n"),
                    "x.test:1: the case states no exit code");
  CHECK_THROWS_AS(read_cases("x.test", "$ gpu-advisor\nexit 1x\n"), std::runtime_error);
  CHECK_THROWS_AS(read_cases("x.test", "$ gpu-advisor\nexit 1\nstdout has x\n"),
                  std::runtime_error);
  CHECK_THROWS_AS(read_cases("x.test", "$ gpu-advisor\nexit 1\n| x\n"), std::runtime_error);
}
