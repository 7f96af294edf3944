#include <algorithm>

#include "gpu_advisor/support/text.hpp"
#include "table_fit_internal.hpp"

namespace gpu_advisor::render {
namespace {

// Terminal columns in which a text is still comfortable, and still recognisable.
constexpr std::size_t kComfortableText = 24;
constexpr std::size_t kComfortableWrapped = 18;
constexpr std::size_t kNarrowestText = 8;

struct Width {
  std::size_t column;
  std::size_t now;
  std::size_t natural;
};

std::size_t natural_width(const Table& table, std::size_t column) {
  std::size_t width = support::display_width(table.columns[column].title);
  for (const Table::Row& row : table.rows)
    if (column < row.cells.size())
      width = std::max(width, support::display_width(row.cells[column].text));
  return width;
}

std::size_t total(const std::vector<Width>& widths) {
  std::size_t sum = widths.empty() ? 0 : (widths.size() - 1) * kColumnGap;
  for (const Width& width : widths)
    sum += width.now;
  return sum;
}

std::size_t comfortable(const Column& column, std::size_t natural) {
  if (column.align == Align::right)
    return natural;
  return std::min(natural, column.may_wrap ? kComfortableWrapped : kComfortableText);
}

/// The column to give up: the highest priority number, the last of equals. 0 stays.
std::vector<Width>::iterator least_wanted(const Table& table, std::vector<Width>& widths) {
  auto least = widths.end();
  for (auto at = widths.begin(); at != widths.end(); ++at) {
    const int priority = table.columns[at->column].priority;
    if (priority > 0 &&
        (least == widths.end() || priority >= table.columns[least->column].priority))
      least = at;
  }
  return least;
}

/// Takes single columns from the widest text until the table fits or nothing can give.
void squeeze(const Table& table, std::vector<Width>& widths, std::size_t width) {
  while (total(widths) > width) {
    auto widest = widths.end();
    for (auto at = widths.begin(); at != widths.end(); ++at)
      if (table.columns[at->column].align == Align::left && at->now > kNarrowestText &&
          (widest == widths.end() || at->now > widest->now))
        widest = at;
    if (widest == widths.end())
      return;
    --widest->now;
  }
}

/// Gives what is left of the line to the columns below their natural width, in turns.
void spread(std::vector<Width>& widths, std::size_t width) {
  std::size_t sum = total(widths);
  bool gave = true;
  while (gave && sum < width) {
    gave = false;
    for (Width& column : widths) {
      if (column.now >= column.natural || sum >= width)
        continue;
      ++column.now;
      ++sum;
      gave = true;
    }
  }
}

}  // namespace

TableFit fit_table(const Table& table, std::size_t width) {
  TableFit fit;
  std::vector<Width> widths;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::size_t natural = natural_width(table, i);
    widths.push_back({i, comfortable(table.columns[i], natural), natural});
  }
  while (total(widths) > width) {
    const auto least = least_wanted(table, widths);
    if (least == widths.end())
      break;
    fit.dropped.push_back(least->column);
    widths.erase(least);
  }
  squeeze(table, widths, width);
  spread(widths, width);
  std::ranges::sort(fit.dropped);
  for (const Width& column : widths)
    fit.shown.push_back({column.column, column.now});
  return fit;
}

}  // namespace gpu_advisor::render
