#include "gpu_advisor/catalog/date.hpp"

#include <chrono>
#include <fmt/format.h>
#include <optional>

namespace gpu_advisor::catalog {
namespace {

std::chrono::year_month_day calendar(const Date& date) {
  return std::chrono::year{date.year} / date.month / date.day;
}

/// Exactly `count` digits as a number.
std::optional<int> digits(std::string_view text, std::size_t count) {
  constexpr int kBase = 10;
  if (text.size() != count)
    return std::nullopt;
  int number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9')
      return std::nullopt;
    number = number * kBase + (c - '0');
  }
  return number;
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
  constexpr std::size_t kDigits[] = {4, 2, 2};
  int numbers[3] = {0, 1, 1};
  std::size_t at = 0;
  for (std::size_t i = 0; i < 3 && at < text.size(); ++i) {
    if (i > 0 && text[at++] != '-')
      return wrong();
    const auto number = digits(text.substr(at, kDigits[i]), kDigits[i]);
    if (!number)
      return wrong();
    numbers[i] = *number;
    at += kDigits[i];
  }
  if (at != text.size())
    return wrong();
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
