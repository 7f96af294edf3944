#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "gpu_advisor/support/result.hpp"

namespace gpu_advisor::catalog {

/// A calendar day. Sources that give only a year or a month are the first day of it.
struct Date {
  int year = 0;  // 0: unknown
  int month = 1;
  int day = 1;

  [[nodiscard]] bool known() const { return year != 0; }
  [[nodiscard]] std::string text() const;  // "2026-07-20", or "unknown"
  friend auto operator<=>(const Date&, const Date&) = default;
};

/// "2026-07-20", "2026-07", "2026".
[[nodiscard]] support::Result<Date> parse_date(std::string_view text);
/// Whole days from `from` to `to` (negative when `to` is earlier).
[[nodiscard]] int days_between(const Date& from, const Date& to);

}  // namespace gpu_advisor::catalog
