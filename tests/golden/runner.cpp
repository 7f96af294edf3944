// golden_runner PROGRAM FOLDER [--accept [WORD]]: compares, or writes, the approved output.

#include <cstdio>
#include <exception>
#include <filesystem>
#include <set>

#include "golden/golden_case.hpp"
#include "program/json_check.hpp"
#include "program/program.hpp"
#include "program/text.hpp"

namespace gpu_advisor::test {
namespace {

struct Run {
  std::string program;
  bool accept = false;
  std::string word;  // only cases whose path contains it are accepted
  int outputs = 0;
  int failed = 0;
  std::set<std::string> approved = {};  // every path that belongs to a case
};

Outcome run_case(const std::string& program, const GoldenCase& one, const Format& format) {
  Invocation invocation = {
      .words = {program}, .folder = GPU_ADVISOR_SOURCE_DIR, .environment = one.environment};
  invocation.environment["GPU_ADVISOR_EMBEDDED"] = "off";
  invocation.words.insert(invocation.words.end(), one.words.begin(), one.words.end());
  invocation.words.insert(invocation.words.end(),
                          {"--catalog", "tests/fixtures/catalog", "--format", format.name});
  Outcome outcome = run_program(invocation);
  outcome.output = normalised(outcome.output);
  return outcome;
}

// The approved bytes must be those of the run, and JSON must be valid by the schema that it names.
std::string fault_of(const GoldenCase& one, const Format& format, const Outcome& outcome) {
  if (outcome.status != one.exit_code) {
    return "exit code " + std::to_string(outcome.status) + " instead of " +
           std::to_string(one.exit_code) + "\n" + outcome.error;
  }
  if (format.name == "json") {
    const std::string schema = published_schema(outcome.output);
    const std::string problem =
        schema.empty() ? "it names no schema\n" : check_schema(outcome.output, schema);
    if (!problem.empty()) {
      return problem;
    }
  }
  const std::string path = approved_path(one, format);
  const std::string approved = std::filesystem::exists(path) ? read_file(path) : "";
  return approved == outcome.output ? "" : difference(approved, outcome.output);
}

void run_format(const GoldenCase& one, const Format& format, Run& run) {
  ++run.outputs;
  const std::string path = approved_path(one, format);
  run.approved.insert(path);
  const Outcome outcome = run_case(run.program, one, format);
  if (run.accept) {
    if (path.find(run.word) != std::string::npos) {
      write_file(path, outcome.output);
    }
    return;
  }
  const std::string fault = fault_of(one, format, outcome);
  if (!fault.empty()) {
    ++run.failed;
    std::printf("%s: %s\n", path.c_str(), fault.c_str());
  }
}

int run_all(const std::vector<std::string>& arguments) {
  Run run = {.program = arguments.at(0),
             .accept = arguments.size() > 2 && arguments.at(2) == "--accept",
             .word = arguments.size() > 3 ? arguments.at(3) : ""};
  for (const std::string& path : files_below(arguments.at(1), ".args")) {
    const GoldenCase one = read_golden_case(path, read_file(path));
    for (const Format& format : one.formats) {
      run_format(one, format, run);
    }
  }
  for (const Format& format : all_formats()) {
    for (const std::string& path :
         files_below(arguments.at(1), "." + format.name + ".approved" + format.ending)) {
      if (!run.approved.contains(path)) {
        ++run.failed;
        std::printf("%s: belongs to no case\n", path.c_str());
      }
    }
  }
  std::printf("%d outputs, %d failed\n", run.outputs, run.failed);
  return run.failed == 0 && run.outputs > 0 ? 0 : 1;
}

}  // namespace
}  // namespace gpu_advisor::test

int main(int argc, char** argv) {
  try {
    return gpu_advisor::test::run_all({argv + 1, argv + argc});
  } catch (const std::exception& fault) {
    std::printf("%s\n", fault.what());
    return 1;
  }
}
