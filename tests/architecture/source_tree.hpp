#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpu_advisor::test {

/// A C++ file of the repository.
struct SourceFile {
  std::string path;                // from the top: "src/catalog/date.cpp"
  std::string module;              // "catalog"; "main" for src/main.cpp; empty for tests
  std::vector<std::string> lines;  // without their ends
};

/// An #include line.
struct Include {
  std::string header;  // as written between the quotes or angle brackets
  bool quoted = false;
  int line = 0;  // from 1
};

/// A function whose body is written at namespace level.
struct FunctionSpan {
  int first_line = 0;  // from 1, of its signature
  int lines = 0;       // from there to its closing brace
};

/// All .hpp and .cpp files below the given top-level folders, sorted by path.
[[nodiscard]] std::vector<SourceFile> source_files(const std::vector<std::string>& folders);
[[nodiscard]] std::vector<Include> includes_of(const SourceFile& file);
/// Relies on .clang-format: at namespace level a definition begins in the first column and its
/// closing brace stands alone there. Types, tables and inline members are left out.
[[nodiscard]] std::vector<FunctionSpan> functions_of(const SourceFile& file);

/// "path:line"
[[nodiscard]] std::string place(const SourceFile& file, int line);
/// The whole content of a file of the repository, named from its top.
[[nodiscard]] std::string repository_text(const std::string& path);

}  // namespace gpu_advisor::test
