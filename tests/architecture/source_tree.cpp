#include "architecture/source_tree.hpp"

#include <algorithm>
#include <array>

#include "program/text.hpp"

namespace gpu_advisor::test {
namespace {

const std::string kTop = GPU_ADVISOR_SOURCE_DIR;

std::string module_of(std::string_view path) {
  for (const std::string_view prefix : {"include/gpu_advisor/", "src/"}) {
    if (path.starts_with(prefix)) {
      path.remove_prefix(prefix.size());
      const std::size_t slash = path.find('/');
      return slash == std::string_view::npos ? "main" : std::string(path.substr(0, slash));
    }
  }
  return {};
}

// What begins at the margin and may go on over several lines.
struct Statement {
  enum class Kind { function, type, scope };
  Kind kind = Kind::function;
  int first_line = 0;  // 0: nothing is open
  bool has_body = false;
};

Statement::Kind kind_of(std::string_view line) {
  const auto begins = [line](std::string_view word) { return line.starts_with(word); };
  constexpr std::array<std::string_view, 3> kScopes = {"namespace", "inline namespace",
                                                       "extern \"C\""};
  constexpr std::array<std::string_view, 4> kTypes = {"struct ", "class ", "enum ", "union "};
  if (std::ranges::any_of(kScopes, begins)) {
    return Statement::Kind::scope;
  }
  return std::ranges::any_of(kTypes, begins) ? Statement::Kind::type : Statement::Kind::function;
}

std::string_view without_comment(std::string_view line) {
  const std::size_t comment = line.starts_with("//") ? 0 : line.find("  //");
  line = line.substr(0, comment);
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

}  // namespace

std::vector<SourceFile> source_files(const std::vector<std::string>& folders) {
  std::vector<SourceFile> files;
  for (const std::string& folder : folders) {
    for (const std::string_view ending : {".cpp", ".hpp"}) {
      for (const std::string& path : files_below(kTop + "/" + folder, ending)) {
        const std::string name = path.substr(kTop.size() + 1);
        files.push_back({name, module_of(name), split_lines(read_file(path))});
      }
    }
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

std::vector<Include> includes_of(const SourceFile& file) {
  std::vector<Include> includes;
  int number = 0;
  for (const std::string& line : file.lines) {
    ++number;
    constexpr std::string_view kWord = "#include ";
    if (!line.starts_with(kWord) || line.size() < kWord.size() + 3) {
      continue;
    }
    const bool quoted = line.at(kWord.size()) == '"';
    const std::size_t begin = kWord.size() + 1;
    const std::size_t end = line.find(quoted ? '"' : '>', begin);
    includes.push_back({line.substr(begin, end - begin), quoted, number});
  }
  return includes;
}

std::vector<FunctionSpan> functions_of(const SourceFile& file) {
  std::vector<FunctionSpan> functions;
  Statement open;
  int number = 0;
  for (const std::string& line : file.lines) {
    ++number;
    const std::string_view code = without_comment(line);
    if (open.has_body) {
      if (code == "}" && open.kind == Statement::Kind::function) {
        functions.push_back({open.first_line, number - open.first_line + 1});
      }
      if (code.starts_with('}')) {
        open = {};
      }
      continue;
    }
    if (code.empty() || code.starts_with('#') || code.starts_with('}')) {
      open = {};
      continue;
    }
    if (open.first_line == 0) {
      open = {kind_of(code), number};
    }
    if (code.ends_with('{') && open.kind != Statement::Kind::scope) {
      open.has_body = true;
    } else if (code.ends_with('{') || code.ends_with(';') || code.ends_with('}')) {
      open = {};
    }
  }
  return functions;
}

std::string place(const SourceFile& file, int line) {
  return file.path + ":" + std::to_string(line);
}

std::string repository_text(const std::string& path) {
  return read_file(kTop + "/" + path);
}

}  // namespace gpu_advisor::test
