#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_advisor/support/result.hpp"

namespace gpu_advisor::support {

/// A CSV with a header line, read whole. RFC 4180: quotes, doubled quotes, line breaks in quotes;
/// both line ends; a byte-order mark is skipped.
class Csv {
 public:
  /// malformed_csv with file and line for an open quote, a repeated column or a row of another
  /// length.
  [[nodiscard]] static Result<Csv> parse(std::string_view text, std::string_view file);

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  /// Trimmed cell; empty when the column does not exist.
  [[nodiscard]] std::string_view cell(std::size_t row, std::string_view column) const;
  /// The number in a cell; empty when the cell is.
  [[nodiscard]] Result<std::optional<double>> number(std::size_t row,
                                                     std::string_view column) const;
  /// malformed_csv that names the first of these columns that is missing.
  [[nodiscard]] Status require(const std::vector<std::string>& columns) const;
  /// An error at a row.
  [[nodiscard]] Error fail(std::size_t row, std::string message) const;

 private:
  std::string file_;
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> lines_;  // where each row begins
};

}  // namespace gpu_advisor::support
