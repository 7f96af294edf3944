#include <stdexcept>

#include "catch2.hpp"
#include "program/program.hpp"
#include "program/text.hpp"

// Runs the examples of README.md: each block of code that follows a line `<!-- run -->` or
// `<!-- run exit 1 -->`. In it, `$ ./gpu-advisor …` is a command and what follows its output, in
// which a line `...` stands for any lines and `...` within a line for any characters.

using gpu_advisor::test::difference;
using gpu_advisor::test::join_lines;
using gpu_advisor::test::lines_match;
using gpu_advisor::test::normalised;
using gpu_advisor::test::Outcome;
using gpu_advisor::test::read_file;
using gpu_advisor::test::run_program;
using gpu_advisor::test::split_lines;
using gpu_advisor::test::split_words;

namespace {

const std::string kTop = GPU_ADVISOR_SOURCE_DIR;

struct Example {
  std::string command;
  int exit_code = 0;
  std::vector<std::string> output;
};

std::vector<Example> examples_of(const std::vector<std::string>& lines) {
  enum class State { text, marked, block };
  State state = State::text;
  int exit_code = 0;
  std::vector<Example> examples;
  for (const std::string& line : lines) {
    constexpr std::string_view kMark = "<!-- run";
    if (line.starts_with(kMark)) {
      const std::vector<std::string> words = split_words(line);
      exit_code = words.size() == 5 ? std::stoi(words.at(3)) : 0;
      state = State::marked;
    } else if (line.starts_with("```")) {
      state = state == State::marked ? State::block : State::text;
    } else if (state == State::block && line.starts_with("$ ")) {
      examples.push_back({line.substr(2), exit_code, {}});
    } else if (state == State::block && !examples.empty()) {
      examples.back().output.push_back(line);
    }
  }
  return examples;
}

Outcome run_example(const Example& example) {
  std::vector<std::string> words = split_words(example.command);
  if (words.front() != "./gpu-advisor" && words.front() != "gpu-advisor") {
    throw std::runtime_error("not a command of this program: " + example.command);
  }
  words.front() = GPU_ADVISOR_PROGRAM;
  return run_program({.words = words, .folder = kTop});
}

}  // namespace

TEST_CASE("the examples of the README do what it says") {
  const std::vector<Example> examples = examples_of(split_lines(read_file(kTop + "/README.md")));
  CHECK(examples.size() >= 3);
  for (const Example& example : examples) {
    INFO(example.command);
    const Outcome outcome = run_example(example);
    const std::string output = normalised(outcome.output);
    INFO(outcome.error);
    CHECK(outcome.status == example.exit_code);
    INFO(difference(join_lines(example.output), output));
    CHECK(lines_match(example.output, split_lines(output)));
  }
}

TEST_CASE("only marked blocks are examples") {
  const std::vector<Example> examples =
      examples_of({"```", "$ gpu-advisor a", "```", "<!-- run exit 1 -->", "```console",
                   "$ gpu-advisor b", "out", "$ gpu-advisor c", "```", "$ gpu-advisor d"});
  REQUIRE(examples.size() == 2);
  CHECK(examples.at(0).command == "gpu-advisor b");
  CHECK(examples.at(0).exit_code == 1);
  CHECK(examples.at(0).output == std::vector<std::string>{"out"});
}
