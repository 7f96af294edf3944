#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gpu_advisor::test {

/// Something that must hold of standard output or standard error.
struct Expectation {
  enum class Stream { output, error };
  enum class Kind { empty, contains, lacks, lines, json, schema };
  Stream stream = Stream::output;
  Kind kind = Kind::empty;
  std::string text;                // for contains, lacks, json, schema
  std::vector<std::string> lines;  // for lines
  int line = 0;                    // of the file, from 1
};

/// One case of a .test file; README.md gives the form.
struct Case {
  std::string title;
  int line = 0;                    // of the command
  std::vector<std::string> words;  // after "gpu-advisor"
  int exit_code = -1;              // -1: not stated
  bool fixed_catalog = false;
  std::map<std::string, std::string> environment;
  std::string input;
  std::map<std::string, std::string> files;  // name to content
  std::vector<Expectation> expectations;
};

/// Reads a .test file. Throws std::runtime_error with "path:line: what" when its form is wrong.
[[nodiscard]] std::vector<Case> read_cases(const std::string& path, std::string_view text);

}  // namespace gpu_advisor::test
