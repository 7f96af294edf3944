#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpu_advisor::test {

/// The lines of a text without their ends; a final newline makes no further line.
[[nodiscard]] std::vector<std::string> split_lines(std::string_view text);
[[nodiscard]] std::string join_lines(const std::vector<std::string>& lines);

/// Whether the lines are as expected, where an expected line "..." stands for any number of lines,
/// none included, and "..." within a line for any characters.
[[nodiscard]] bool lines_match(const std::vector<std::string>& expected,
                               const std::vector<std::string>& actual);

/// The text with what differs between checkouts and releases named instead: the program's version
/// becomes <version>, the folder of the sources <source>.
[[nodiscard]] std::string normalised(std::string text);

/// Whole content of a file. Throws std::runtime_error when it cannot be read.
[[nodiscard]] std::string read_file(const std::string& path);
void write_file(const std::string& path, std::string_view content);

/// Paths of the files below a folder whose names end so, sorted; none if the folder is missing.
[[nodiscard]] std::vector<std::string> files_below(const std::string& folder,
                                                   std::string_view ending);

/// What `diff -u` says about two texts.
[[nodiscard]] std::string difference(std::string_view expected, std::string_view actual);

}  // namespace gpu_advisor::test
