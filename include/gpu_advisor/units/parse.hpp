#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gpu_advisor/support/result.hpp"
#include "gpu_advisor/units/money.hpp"
#include "gpu_advisor/units/quantity.hpp"

namespace gpu_advisor::units {

/// "7B", "350M", "1.5T", "6738415616"; a bare number below 1000 is an error that asks for a unit.
[[nodiscard]] support::Result<std::int64_t> parse_parameters(std::string_view text);
/// "1T", "300B", "2e9": a count of tokens or samples.
[[nodiscard]] support::Result<double> parse_count(std::string_view text);
/// "24" means GiB; "80GB" is decimal, "80GiB" binary.
[[nodiscard]] support::Result<Bytes> parse_memory(std::string_view text);
/// "72h", "90d", "30m", "45s", "2w"; a bare number is hours.
[[nodiscard]] support::Result<Seconds> parse_duration(std::string_view text);
/// "10%" or "0.1".
[[nodiscard]] support::Result<double> parse_share(std::string_view text);

/// What a budget bounds.
enum class BudgetPeriod { hour, month, total };
struct Budget {
  double amount = 0;  // in the user's currency
  BudgetPeriod period = BudgetPeriod::hour;
};
/// "2", "2/h", "1500/month", "20000/total".
[[nodiscard]] support::Result<Budget> parse_budget(std::string_view text);
/// 730 hours: 365 days of 24 hours over 12 months, as clouds bill.
inline constexpr double kHoursPerMonth = 730;

/// "1 234.5 GiB" style text with about three significant digits.
[[nodiscard]] std::string print_memory(Bytes size);
[[nodiscard]] std::string print_count(double count);     // "7B", "350M", "1.2T"
[[nodiscard]] std::string print_duration(Seconds time);  // "3 d 4 h", "12 min", "850 ms"

}  // namespace gpu_advisor::units
