#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gpu_advisor::test {

/// How to run a program: words as they are, no shell. The environment is only what is given here
/// and `clean_environment()`.
struct Invocation {
  std::vector<std::string> words;                  // the first is the path of the program
  std::string folder;                              // working folder
  std::map<std::string, std::string> environment;  // over the clean one
  std::string input;                               // standard input
};

/// What a run left behind. `status` is the exit code, or 128 + the signal that ended it.
struct Outcome {
  int status = 0;
  std::string output;
  std::string error;
};

/// What every run sees: no home, no user's catalog, a fixed locale, a fixed day, no terminal.
[[nodiscard]] std::map<std::string, std::string> clean_environment();

/// Runs to the end. Throws std::runtime_error when the program cannot be started.
[[nodiscard]] Outcome run_program(const Invocation& invocation);

/// Splits as a shell does, with '…', "…" and backslash, but expands nothing. Throws
/// std::runtime_error when a quote is left open.
[[nodiscard]] std::vector<std::string> split_words(std::string_view line);

}  // namespace gpu_advisor::test
