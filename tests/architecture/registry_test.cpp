#include <filesystem>
#include <set>

#include "architecture/source_tree.hpp"
#include "catch2.hpp"
#include "gpu_advisor/support/error.hpp"
#include "gpu_advisor/support/version.hpp"
#include "program/program.hpp"
#include "program/text.hpp"

// Walks what the program says that it has: whatever is registered must be documented and tested.

using gpu_advisor::support::error_table;
using gpu_advisor::support::ErrorRow;
using gpu_advisor::support::kVersion;
using gpu_advisor::test::files_below;
using gpu_advisor::test::Outcome;
using gpu_advisor::test::read_file;
using gpu_advisor::test::repository_text;
using gpu_advisor::test::run_program;
using gpu_advisor::test::split_lines;
using gpu_advisor::test::split_words;

namespace {

const std::string kTop = GPU_ADVISOR_SOURCE_DIR;

// Commands that print text of another kind than the four formats, or figures of the user's own.
const std::set<std::string> kWithoutFormats = {"calibrate", "completion", "schema"};

Outcome gpu_advisor_says(const std::string& arguments) {
  std::vector<std::string> words = {GPU_ADVISOR_PROGRAM};
  for (const std::string& word : split_words(arguments)) {
    words.push_back(word);
  }
  return run_program({.words = words, .folder = kTop});
}

// The lines "  name  what it does" below the line "...ommands:" of the help.
std::vector<std::string> commands() {
  std::vector<std::string> names;
  bool in_list = false;
  for (const std::string& line : split_lines(gpu_advisor_says("--help").output)) {
    if (line.find("ommands:") != std::string::npos) {
      in_list = true;
    } else if (in_list && line.starts_with("  ") && line.size() > 2 && line.at(2) != ' ') {
      names.push_back(split_words(line.substr(0, line.find(' ', 2))).front());
    } else if (in_list && !line.empty() && line.front() != ' ') {
      in_list = false;
    }
  }
  return names;
}

}  // namespace

TEST_CASE("the help lists the commands") {
  const std::vector<std::string> names = commands();
  CHECK(names.size() >= 7);
  CHECK(std::set<std::string>(names.begin(), names.end()).contains("recommend"));
}

TEST_CASE("every command has help, documentation and tests") {
  const std::string readme = repository_text("README.md");
  for (const std::string& name : commands()) {
    CAPTURE(name);
    const Outcome help = gpu_advisor_says(name + " --help");
    CHECK(help.status == 0);
    CHECK_FALSE(help.output.empty());
    CHECK(help.error.empty());
    CHECK(readme.find("`" + name) != std::string::npos);
    CHECK_FALSE(files_below(kTop + "/tests/cli/" + name, ".test").empty());
  }
}

TEST_CASE("every command that prints results has approved output") {
  for (const std::string& name : commands()) {
    CAPTURE(name);
    CHECK((kWithoutFormats.contains(name) ||
           !files_below(kTop + "/tests/golden/" + name, ".args").empty()));
  }
}

TEST_CASE("the program's version is the project's") {
  for (const std::string arguments : {"version", "--version"}) {
    const Outcome outcome = gpu_advisor_says(arguments);
    CHECK(outcome.status == 0);
    const std::vector<std::string> words = split_words(outcome.output);
    REQUIRE(words.size() >= 2);
    CHECK(words.at(0) == "gpu-advisor");
    CHECK(words.at(1) == kVersion);
  }
}

TEST_CASE("every schema of the data folder can be asked for") {
  constexpr std::string_view kEnding = ".schema.json";
  for (const std::string& path : files_below(kTop + "/data/schema", kEnding)) {
    std::string name = std::filesystem::path(path).filename().string();
    name.resize(name.size() - kEnding.size());
    CAPTURE(name);
    const Outcome outcome = gpu_advisor_says("schema " + name);
    CHECK(outcome.status == 0);
    CHECK(outcome.output == read_file(path));
  }
}

TEST_CASE("every error code has a name, an explanation and a documented exit code") {
  const std::string readme = repository_text("README.md");
  std::set<std::string_view> names;
  for (const ErrorRow& row : error_table()) {
    CAPTURE(row.name);
    CHECK(names.insert(row.name).second);
    CHECK_FALSE(row.explanation.empty());
    CHECK(readme.find("| " + std::to_string(row.exit_code) + " |") != std::string::npos);
  }
}

TEST_CASE("every module has a page of its own") {
  for (const auto& entry : std::filesystem::directory_iterator(kTop + "/src")) {
    const std::string folder = entry.path().string();
    if (entry.is_directory() && !files_below(folder, ".cpp").empty()) {
      CAPTURE(folder);
      CHECK(std::filesystem::exists(folder + "/README.md"));
    }
  }
}
