#include <algorithm>
#include <array>
#include <set>

#include "architecture/source_tree.hpp"
#include "catch2.hpp"
#include "program/program.hpp"
#include "program/text.hpp"

// The sizes and the words that the house style sets.

using gpu_advisor::test::functions_of;
using gpu_advisor::test::FunctionSpan;
using gpu_advisor::test::place;
using gpu_advisor::test::repository_text;
using gpu_advisor::test::source_files;
using gpu_advisor::test::SourceFile;
using gpu_advisor::test::split_words;

namespace {

using Places = std::vector<std::string>;

constexpr int kMostFileLines = 600;
constexpr int kUsualFileLines = 400;
constexpr int kMostFunctionLines = 80;
constexpr int kUsualFunctionLines = 40;
constexpr std::size_t kMostColumns = 100;
constexpr double kUsualShare = 0.95;

// Characters, not bytes: bytes that continue a UTF-8 sequence do not count.
std::size_t columns(const std::string& line) {
  return static_cast<std::size_t>(std::ranges::count_if(
      line, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
}

// The share of the values that are at most `usual`.
double share_within(const std::vector<int>& values, int usual) {
  const auto within = std::ranges::count_if(values, [usual](int v) { return v <= usual; });
  return values.empty() ? 1.0 : static_cast<double>(within) / static_cast<double>(values.size());
}

// The words of a folder's CMakeLists.txt.
std::set<std::string> names_in_build(const std::string& folder) {
  std::string text = repository_text(folder + "CMakeLists.txt");
  std::ranges::replace_if(
      text, [](char c) { return c == '(' || c == ')'; }, ' ');
  const std::vector<std::string> words = split_words(text);
  return {words.begin(), words.end()};
}

template <std::size_t N>
Places lines_with(const std::vector<SourceFile>& files,
                  const std::array<std::string_view, N>& words) {
  Places found;
  for (const SourceFile& file : files) {
    int number = 0;
    for (const std::string& line : file.lines) {
      ++number;
      for (const std::string_view word : words) {
        if (line.find(word) != std::string::npos) {
          found.push_back(place(file, number) + ": " + std::string(word));
        }
      }
    }
  }
  return found;
}

}  // namespace

TEST_CASE("no file is longer than the hard stop, and few are long") {
  std::vector<int> lengths;
  Places too_long;
  for (const SourceFile& file : source_files({"include", "src", "tests"})) {
    lengths.push_back(static_cast<int>(file.lines.size()));
    if (lengths.back() > kMostFileLines) {
      too_long.push_back(file.path + ": " + std::to_string(lengths.back()) + " lines");
    }
  }
  CHECK(too_long == Places{});
  CHECK(share_within(lengths, kUsualFileLines) >= kUsualShare);
}

TEST_CASE("no function is longer than the hard stop, and few are long") {
  std::vector<int> lengths;
  Places too_long;
  for (const SourceFile& file : source_files({"include", "src"})) {
    for (const FunctionSpan& function : functions_of(file)) {
      lengths.push_back(function.lines);
      if (function.lines > kMostFunctionLines) {
        too_long.push_back(place(file, function.first_line) + ": " +
                           std::to_string(function.lines) + " lines");
      }
    }
  }
  CHECK(too_long == Places{});
  CHECK(share_within(lengths, kUsualFunctionLines) >= kUsualShare);
}

TEST_CASE("main is short") {
  for (const SourceFile& file : source_files({"src"})) {
    CHECK((file.module != "main" || file.lines.size() < 60));
  }
}

TEST_CASE("no line is wider than a hundred columns") {
  Places too_wide;
  for (const SourceFile& file : source_files({"include", "src", "tests"})) {
    int number = 0;
    for (const std::string& line : file.lines) {
      ++number;
      if (columns(line) > kMostColumns) {
        too_wide.push_back(place(file, number));
      }
    }
  }
  CHECK(too_wide == Places{});
}

TEST_CASE("the sources hold no unfinished work") {
  constexpr std::array<std::string_view, 5> kWords = {"FIXME", "XXX", "HACK", "for now", "TODO"};
  CHECK(lines_with(source_files({"include", "src"}), kWords) == Places{});
}

TEST_CASE("the library does not print, exit, or read the clock or the environment") {
  constexpr std::array<std::string_view, 11> kCalls = {
      "std::cout",    "std::cerr", "std::exit", "abort()",      "getenv",     "system_clock",
      "steady_clock", "fputs(",    "std::puts", "std::printf(", "std::fwrite"};
  std::vector<SourceFile> library = source_files({"include", "src"});
  std::erase_if(library, [](const SourceFile& file) {
    return file.module == "commands" || file.module == "main";
  });
  CHECK(lines_with(library, kCalls) == Places{});
}

TEST_CASE("every source is named in the build") {
  Places missing;
  for (const SourceFile& file : source_files({"src"})) {
    if (file.module == "main" || !file.path.ends_with(".cpp")) {
      continue;
    }
    const std::string folder = "src/" + file.module + "/";
    const std::string name = file.path.substr(folder.size());
    if (!names_in_build(folder).contains(name)) {
      missing.push_back(file.path);
    }
  }
  CHECK(missing == Places{});
}

TEST_CASE("every test is named in the build") {
  Places missing;
  for (const SourceFile& file : source_files({"tests"})) {
    const std::size_t slash = file.path.rfind('/');
    if (!file.path.ends_with("_test.cpp")) {
      continue;
    }
    // A test in a folder below its module's is named from there.
    const std::string module = file.path.substr(0, file.path.find('/', sizeof("tests/")));
    const std::string build = repository_text(module + "/CMakeLists.txt");
    if (build.find(file.path.substr(slash + 1)) == std::string::npos) {
      missing.push_back(file.path);
    }
  }
  CHECK(missing == Places{});
}

TEST_CASE("headers are guarded by a pragma") {
  Places missing;
  for (const SourceFile& file : source_files({"include", "src", "tests"})) {
    if (file.path.ends_with(".hpp") && std::ranges::count(file.lines, "#pragma once") != 1) {
      missing.push_back(file.path);
    }
  }
  CHECK(missing == Places{});
}

TEST_CASE("the length of a function is counted from signature to brace") {
  const SourceFile file = {"x.cpp",
                           "x",
                           {"namespace x {",
                            "int f(int a,",
                            "      int b) {",
                            "  return a;",
                            "}",
                            "",
                            "struct S {",
                            "  int m() {",
                            "  }",
                            "};",
                            "constexpr T kT[] = {",
                            "  {1},",
                            "};",
                            "int g() { return 1; }",
                            "template <class T>",
                            "T h(T t) {",
                            "",
                            "  return t;",
                            "}  // end",
                            "}  // namespace x"}};
  const std::vector<FunctionSpan> functions = functions_of(file);
  REQUIRE(functions.size() == 2);
  CHECK(functions.at(0).first_line == 2);
  CHECK(functions.at(0).lines == 4);
  CHECK(functions.at(1).first_line == 15);
  CHECK(functions.at(1).lines == 5);
}
