#include "program/text.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "gpu_advisor/support/version.hpp"
#include "program/program.hpp"

namespace gpu_advisor::test {
namespace {

constexpr std::string_view kAnything = "...";

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// Pieces between the wildcards must follow one another.
bool line_matches(std::string_view expected, std::string_view actual) {
  const std::size_t wildcard = expected.find(kAnything);
  if (wildcard == std::string_view::npos) {
    return expected == actual;
  }
  if (!actual.starts_with(expected.substr(0, wildcard))) {
    return false;
  }
  expected.remove_prefix(wildcard + kAnything.size());
  for (std::size_t begin = wildcard; begin <= actual.size(); ++begin) {
    if (line_matches(expected, actual.substr(begin))) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::string join_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

bool lines_match(const std::vector<std::string>& expected, const std::vector<std::string>& actual) {
  // fits[j]: the expected lines so far can stand for the first j actual lines.
  std::vector<bool> fits(actual.size() + 1, false);
  fits.at(0) = true;
  for (const std::string& line : expected) {
    std::vector<bool> next(actual.size() + 1, false);
    for (std::size_t j = 0; j <= actual.size(); ++j) {
      if (line == kAnything) {
        next.at(j) = fits.at(j) || (j > 0 && next.at(j - 1));
      } else if (j > 0) {
        next.at(j) = fits.at(j - 1) && line_matches(line, actual.at(j - 1));
      }
    }
    fits = std::move(next);
  }
  return fits.back();
}

std::string normalised(std::string text) {
  replace_all(text, GPU_ADVISOR_SOURCE_DIR, "<source>");
  replace_all(text, support::kVersion, "<version>");
  return text;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  if (!file) {
    throw std::runtime_error("cannot read " + path);
  }
  return content.str();
}

void write_file(const std::string& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  if (!file.flush()) {
    throw std::runtime_error("cannot write " + path);
  }
}

std::vector<std::string> files_below(const std::string& folder, std::string_view ending) {
  std::vector<std::string> paths;
  if (!std::filesystem::is_directory(folder)) {
    return paths;
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().string().ends_with(ending)) {
      paths.push_back(entry.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string difference(std::string_view expected, std::string_view actual) {
  std::string folder = (std::filesystem::temp_directory_path() / "difference-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    throw std::runtime_error("cannot make a temporary folder");
  }
  write_file(folder + "/expected", expected);
  write_file(folder + "/actual", actual);
  const Outcome outcome =
      run_program({.words = {"/usr/bin/diff", "-u", "expected", "actual"}, .folder = folder});
  std::filesystem::remove_all(folder);
  // The first two lines hold file names and times.
  const std::vector<std::string> lines = split_lines(outcome.output);
  return join_lines({lines.begin() + std::min<std::ptrdiff_t>(2, std::ssize(lines)), lines.end()});
}

}  // namespace gpu_advisor::test
