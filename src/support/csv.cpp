#include "gpu_advisor/support/csv.hpp"

#include <algorithm>

#include "gpu_advisor/support/text.hpp"

namespace gpu_advisor::support {
namespace {

/// Splits text into records; knows the line of each.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text_.starts_with(kByteOrderMark))
      at_ = kByteOrderMark.size();
  }

  [[nodiscard]] bool done() const { return at_ >= text_.size(); }
  [[nodiscard]] std::size_t line() const { return line_; }

  /// The next record, or nothing when a quote is never closed.
  std::optional<std::vector<std::string>> record() {
    std::vector<std::string> cells;
    while (true) {
      std::optional<std::string> cell = this->cell();
      if (!cell)
        return std::nullopt;
      cells.push_back(std::move(*cell));
      if (done())
        return cells;
      const char separator = text_[at_++];
      if (separator == ',')
        continue;
      if (separator == '\r' && at_ < text_.size() && text_[at_] == '\n')
        ++at_;
      ++line_;
      return cells;
    }
  }

 private:
  std::optional<std::string> cell() {
    if (done() || text_[at_] != '"') {
      const std::size_t end = std::min(text_.find_first_of(",\r\n", at_), text_.size());
      const std::string_view plain = text_.substr(at_, end - at_);
      at_ = end;
      return std::string(plain);
    }
    std::string value;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') {
          ++at_;
          at_ = std::min(text_.find_first_of(",\r\n", at_), text_.size());
          return value;
        }
        ++at_;
      }
      if (text_[at_] == '\n')
        ++line_;
      value += text_[at_];
    }
    return std::nullopt;
  }

  std::string_view text_;
  std::size_t at_ = 0, line_ = 1;
};

Error broken(std::string_view file, std::size_t line, std::string message) {
  return Error{.code = ErrorCode::malformed_csv,
               .message = std::move(message),
               .location = {.file = std::string(file), .line = line}};
}

}  // namespace

Result<Csv> Csv::parse(std::string_view text, std::string_view file) {
  Csv csv;
  csv.file_ = file;
  Scanner scanner(text);
  if (scanner.done())
    return broken(file, 1, "empty: expected a header line");
  while (!scanner.done()) {
    const std::size_t line = scanner.line();
    auto cells = scanner.record();
    if (!cells)
      return broken(file, line, "a quote is opened and never closed");
    if (cells->size() == 1 && trim(cells->front()).empty())
      continue;
    if (csv.columns_.empty()) {
      for (std::string& name : *cells)
        csv.columns_.emplace_back(trim(name));
      continue;
    }
    if (cells->size() != csv.columns_.size())
      return broken(file, line,
                    std::to_string(cells->size()) + " cells where the header has " +
                        std::to_string(csv.columns_.size()));
    csv.rows_.push_back(std::move(*cells));
    csv.lines_.push_back(line);
  }
  auto sorted = csv.columns_;
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
    return broken(file, 1, "the column \"" + *twice + "\" stands twice");
  return csv;
}

std::string_view Csv::cell(std::size_t row, std::string_view column) const {
  const auto found = std::ranges::find(columns_, column);
  if (found == columns_.end())
    return {};
  return trim(rows_[row][static_cast<std::size_t>(found - columns_.begin())]);
}

Result<std::optional<double>> Csv::number(std::size_t row, std::string_view column) const {
  const std::string_view text = cell(row, column);
  if (text.empty())
    return std::optional<double>{};
  const auto value = parse_number(text);
  if (!value)
    return fail(
        row, "column " + std::string(column) + ": \"" + std::string(text) + "\" is not a number");
  return value;
}

Status Csv::require(const std::vector<std::string>& columns) const {
  for (const std::string& column : columns)
    if (std::ranges::find(columns_, column) == columns_.end())
      return broken(file_, 1, "the column \"" + column + "\" is missing");
  return ok();
}

Error Csv::fail(std::size_t row, std::string message) const {
  return broken(file_, lines_[row], std::move(message));
}

}  // namespace gpu_advisor::support
