#include "golden/golden_case.hpp"

#include <algorithm>
#include <stdexcept>

#include "program/program.hpp"
#include "program/text.hpp"

namespace gpu_advisor::test {
namespace {

constexpr std::string_view kEnding = ".args";

std::vector<Format> formats_named(const std::vector<std::string>& names, const std::string& path) {
  std::vector<Format> formats;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(all_formats(), name, &Format::name);
    if (found == all_formats().end()) {
      throw std::runtime_error(path + ": no such format: " + name);
    }
    formats.push_back(*found);
  }
  return formats;
}

}  // namespace

const std::vector<Format>& all_formats() {
  static const std::vector<Format> formats = {
      {"table", ".txt"}, {"json", ".json"}, {"csv", ".csv"}, {"markdown", ".md"}};
  return formats;
}

GoldenCase read_golden_case(const std::string& path, std::string_view text) {
  GoldenCase one = {.path = path, .words = {}, .formats = all_formats(), .environment = {}};
  for (const std::string& line : split_lines(text)) {
    if (line.empty() || line.starts_with('#')) {
      continue;
    }
    std::vector<std::string> words = split_words(line);
    if (words.front() == "exit" && words.size() == 2) {
      one.exit_code = std::stoi(words.at(1));
    } else if (words.front() == "formats") {
      words.erase(words.begin());
      one.formats = formats_named(words, path);
    } else if (words.front() == "env" && words.size() == 2) {
      const std::size_t equals = words.at(1).find('=');
      one.environment[words.at(1).substr(0, equals)] = words.at(1).substr(equals + 1);
    } else if (one.words.empty()) {
      one.words = std::move(words);
    } else {
      throw std::runtime_error(path + ": a case has one command line");
    }
  }
  if (one.words.empty()) {
    throw std::runtime_error(path + ": a case has a command line");
  }
  return one;
}

std::string approved_path(const GoldenCase& one, const Format& format) {
  return one.path.substr(0, one.path.size() - kEnding.size()) + "." + format.name + ".approved" +
         format.ending;
}

}  // namespace gpu_advisor::test
