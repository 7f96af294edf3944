// cli_runner PROGRAM FOLDER...: runs the cases of every .test file below the folders.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <stdexcept>

#include "cli/case_file.hpp"
#include "program/json_check.hpp"
#include "program/program.hpp"
#include "program/text.hpp"

namespace gpu_advisor::test {
namespace {

const std::string kTop = GPU_ADVISOR_SOURCE_DIR;

// A folder of the case's own, gone with the case.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::map<std::string, std::string>& files)
      : path_((std::filesystem::temp_directory_path() / "gpu-advisor-test-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) {
      throw std::runtime_error("cannot make a temporary folder");
    }
    for (const auto& [name, content] : files) {
      const std::filesystem::path file = std::filesystem::path(path_) / name;
      std::filesystem::create_directories(file.parent_path());
      write_file(file.string(), content);
    }
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string with_folder(std::string text, const std::string& folder) {
  constexpr std::string_view kName = "{tmp}";
  for (std::size_t at = text.find(kName); at != std::string::npos; at = text.find(kName)) {
    text.replace(at, kName.size(), folder);
  }
  return text;
}

std::string without_folder(std::string text, const std::string& folder) {
  for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder)) {
    text.replace(at, folder.size(), "{tmp}");
  }
  return text;
}

Outcome run_case(const std::string& program, const Case& one, const std::string& folder) {
  Invocation invocation = {
      .words = {program}, .folder = kTop, .environment = one.environment, .input = one.input};
  for (const std::string& word : one.words) {
    invocation.words.push_back(with_folder(word, folder));
  }
  for (auto& [name, value] : invocation.environment) {
    value = with_folder(value, folder);
  }
  if (one.fixed_catalog) {
    invocation.words.insert(invocation.words.end(), {"--catalog", "tests/fixtures/catalog"});
    invocation.environment["GPU_ADVISOR_EMBEDDED"] = "off";
  }
  Outcome outcome = run_program(invocation);
  outcome.output = without_folder(normalised(outcome.output), folder);
  outcome.error = without_folder(normalised(outcome.error), folder);
  return outcome;
}

// What is wrong with one stream, or empty.
std::string fault(const Expectation& expectation, const std::string& text) {
  using Kind = Expectation::Kind;
  switch (expectation.kind) {
    case Kind::empty:
      return text.empty() ? "" : "it is not empty:\n" + text;
    case Kind::contains:
      return text.find(expectation.text) != std::string::npos
                 ? ""
                 : "it lacks \"" + expectation.text + "\":\n" + text;
    case Kind::lacks:
      return text.find(expectation.text) == std::string::npos
                 ? ""
                 : "it contains \"" + expectation.text + "\":\n" + text;
    case Kind::lines:
      return lines_match(expectation.lines, split_lines(text))
                 ? ""
                 : "it differs:\n" + difference(join_lines(expectation.lines), text);
    case Kind::json: {
      const std::string problem = check_json(text, expectation.text);
      return problem.empty() ? "" : expectation.text + ": " + problem;
    }
    case Kind::schema:
      return check_schema(text, kTop + "/data/schema/" + expectation.text + ".schema.json");
  }
  return "";
}

std::vector<std::string> faults_of(const Case& one, const Outcome& outcome) {
  std::vector<std::string> faults;
  if (outcome.status != one.exit_code) {
    faults.push_back("exit code " + std::to_string(outcome.status) + " instead of " +
                     std::to_string(one.exit_code) + "\n" + outcome.error);
  }
  for (const Expectation& expectation : one.expectations) {
    const bool is_output = expectation.stream == Expectation::Stream::output;
    const std::string problem = fault(expectation, is_output ? outcome.output : outcome.error);
    if (!problem.empty()) {
      faults.push_back("line " + std::to_string(expectation.line) + ", " +
                       (is_output ? "stdout: " : "stderr: ") + problem);
    }
  }
  return faults;
}

struct Tally {
  int cases = 0;
  int failed = 0;
};

void run_file(const std::string& program, const std::string& path, Tally& tally) {
  for (const Case& one : read_cases(path, read_file(path))) {
    ++tally.cases;
    const TemporaryFolder folder(one.files);
    const std::vector<std::string> faults = faults_of(one, run_case(program, one, folder.path()));
    if (faults.empty()) {
      continue;
    }
    ++tally.failed;
    std::printf("%s:%d: %s\n", path.c_str(), one.line, one.title.c_str());
    for (const std::string& text : faults) {
      std::printf("  %s\n", text.c_str());
    }
  }
}

int run_all(const std::vector<std::string>& arguments) {
  Tally tally;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    for (const std::string& path : files_below(arguments.at(i), ".test")) {
      run_file(arguments.at(0), path, tally);
    }
  }
  std::printf("%d cases, %d failed\n", tally.cases, tally.failed);
  return tally.failed == 0 && tally.cases > 0 ? 0 : 1;
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
