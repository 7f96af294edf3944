#include "cli/case_file.hpp"

#include <charconv>
#include <stdexcept>

#include "program/program.hpp"
#include "program/text.hpp"

namespace gpu_advisor::test {
namespace {

// Takes the first word off a text and the blank behind it.
std::string take_word(std::string_view& text) {
  const std::string word(text.substr(0, text.find(' ')));
  text.remove_prefix(std::min(word.size() + 1, text.size()));
  return word;
}

class Reader {
 public:
  explicit Reader(std::string path) : path_(std::move(path)) {}

  void read(int number, std::string_view line) {
    number_ = number;
    if (line.starts_with("# ")) {
      title_ = line.substr(2);
    } else if (line.starts_with("$ ")) {
      begin_case(line.substr(2));
    } else if (line.starts_with('|')) {
      add_content(line.substr(line.starts_with("| ") ? 2 : 1));
    } else if (!line.empty()) {
      read_directive(line);
    }
  }

  std::vector<Case> finish() {
    for (const Case& one : cases_) {
      if (one.exit_code < 0) {
        number_ = one.line;
        fail("the case states no exit code");
      }
    }
    return std::move(cases_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(path_ + ":" + std::to_string(number_) + ": " + what);
  }

  void begin_case(std::string_view command) {
    Case fresh;
    fresh.title = std::move(title_);
    title_.clear();
    fresh.line = number_;
    fresh.words = split_words(command);
    if (fresh.words.empty() || fresh.words.front() != "gpu-advisor") {
      fail("a command begins with gpu-advisor");
    }
    fresh.words.erase(fresh.words.begin());
    cases_.push_back(std::move(fresh));
    content_of_ = Content::nothing;
  }

  void read_directive(std::string_view line) {
    if (cases_.empty()) {
      fail("a file begins with a command");
    }
    Case& one = cases_.back();
    content_of_ = Content::nothing;
    const std::string word = take_word(line);
    if (word == "exit") {
      one.exit_code = number(line);
    } else if (word == "stdout" || word == "stderr") {
      add_expectation(word == "stdout" ? Expectation::Stream::output : Expectation::Stream::error,
                      line);
    } else if (word == "catalog" && line == "fixed") {
      one.fixed_catalog = true;
    } else if (word == "env" && line.find('=') != std::string_view::npos) {
      const std::size_t equals = line.find('=');
      one.environment[std::string(line.substr(0, equals))] = line.substr(equals + 1);
    } else if (word == "stdin") {
      one.input += std::string(line) + "\n";
    } else if (word == "file" && !line.empty()) {
      file_ = line;
      one.files[file_];
      content_of_ = Content::file;
    } else {
      fail("not understood: " + word);
    }
  }

  void add_expectation(Expectation::Stream stream, std::string_view rest) {
    static const std::map<std::string, Expectation::Kind> kKinds = {
        {"empty", Expectation::Kind::empty}, {"contains", Expectation::Kind::contains},
        {"lacks", Expectation::Kind::lacks}, {"lines", Expectation::Kind::lines},
        {"json", Expectation::Kind::json},   {"schema", Expectation::Kind::schema}};
    const auto found = kKinds.find(take_word(rest));
    if (found == kKinds.end()) {
      fail("expected empty, contains, lacks, lines, json or schema");
    }
    cases_.back().expectations.push_back({stream, found->second, std::string(rest), {}, number_});
    if (found->second == Expectation::Kind::lines) {
      content_of_ = Content::lines;
    }
  }

  void add_content(std::string_view line) {
    if (content_of_ == Content::file) {
      cases_.back().files[file_] += std::string(line) + "\n";
    } else if (content_of_ == Content::lines) {
      cases_.back().expectations.back().lines.emplace_back(line);
    } else {
      fail("a '|' line follows 'stdout lines', 'stderr lines' or 'file NAME'");
    }
  }

  int number(std::string_view text) const {
    int value = -1;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc() || result.ptr != text.data() + text.size() || value < 0) {
      fail("expected a number: " + std::string(text));
    }
    return value;
  }

  enum class Content { nothing, file, lines };

  std::string path_;
  int number_ = 0;
  std::string title_;
  std::vector<Case> cases_;
  Content content_of_ = Content::nothing;
  std::string file_;
};

}  // namespace

std::vector<Case> read_cases(const std::string& path, std::string_view text) {
  Reader reader(path);
  int number = 0;
  for (const std::string& line : split_lines(text)) {
    reader.read(++number, line);
  }
  return reader.finish();
}

}  // namespace gpu_advisor::test
