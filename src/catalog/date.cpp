#include "gpu_advisor/catalog/date.hpp"

#include <chrono>
#include <cmath>
#include <fmt/format.h>

#include "gpu_advisor/support/text.hpp"

namespace gpu_advisor::catalog {
namespace {

std::chrono::year_month_day calendar(const Date& date) {
  return std::chrono::year{date.year} / date.month / date.day;
}

}  // namespace

std::string Date::text() const {
  return known() ? fmt::format("{:04}-{:02}-{:02}", year, month, day) : "unknown";
}

support::Result<Date> parse_date(std::string_view text) {
  const auto wrong = [text] {
    return support::Error{.code = support::ErrorCode::out_of_range,
                          .message = fmt::format("\"{}\" is not a date such as 2026-07-20", text)};
  };
  const auto parts = support::split(text, '-');
  if (parts.size() > 3 || parts.front().size() != 4)
    return wrong();
  int numbers[3] = {0, 1, 1};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto number = support::parse_number(parts[i]);
    if (!number || *number != std::floor(*number))
      return wrong();
    numbers[i] = static_cast<int>(*number);
  }
  const Date date{numbers[0], numbers[1], numbers[2]};
  if (date.year < 1970 || date.year > 2200 || date.month < 1 || date.day < 1 ||
      !calendar(date).ok())
    return wrong();
  return date;
}

int days_between(const Date& from, const Date& to) {
  return static_cast<int>(
      (std::chrono::sys_days{calendar(to)} - std::chrono::sys_days{calendar(from)}).count());
}

}  // namespace gpu_advisor::catalog
