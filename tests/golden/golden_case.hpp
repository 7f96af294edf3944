#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gpu_advisor::test {

/// An output format and how its approved files end.
struct Format {
  std::string name;    // as --format takes it
  std::string ending;  // ".txt"
};

[[nodiscard]] const std::vector<Format>& all_formats();

/// One .args file; README.md gives the form.
struct GoldenCase {
  std::string path;                // of the .args file
  std::vector<std::string> words;  // the command line, without the program
  int exit_code = 0;
  std::vector<Format> formats;
  std::map<std::string, std::string> environment;
};

/// Throws std::runtime_error when the form is wrong.
[[nodiscard]] GoldenCase read_golden_case(const std::string& path, std::string_view text);
[[nodiscard]] std::string approved_path(const GoldenCase& one, const Format& format);

}  // namespace gpu_advisor::test
