#include "gpu_advisor/units/parse.hpp"

#include <array>
#include <cmath>

#include "gpu_advisor/support/text.hpp"

namespace gpu_advisor::units {
namespace {

using support::Error;
using support::ErrorCode;
using support::Result;

struct Suffix {
  std::string_view text;  // lower case
  double factor;
};

struct Measured {
  double number = 0;
  std::string suffix;  // lower case, spaces removed
};

Error unreadable(std::string_view text, std::string expected) {
  return {.code = ErrorCode::usage,
          .message = "\"" + std::string(text) + "\" is not " + std::move(expected)};
}

/// A number and the word behind it.
std::optional<Measured> split_number(std::string_view text) {
  const std::string_view trimmed = support::trim(text);
  std::size_t end = trimmed.find_first_not_of("0123456789.+-");
  // An exponent belongs to the number: "2e9", but not the "e" of a unit.
  if (end != std::string_view::npos && (trimmed[end] == 'e' || trimmed[end] == 'E') &&
      end + 1 < trimmed.size() && (trimmed[end + 1] >= '0' && trimmed[end + 1] <= '9')) {
    end = trimmed.find_first_not_of("0123456789.", end + 1);
  }
  const std::string_view number = trimmed.substr(0, end);
  const std::optional<double> value = support::parse_number(number);
  if (!value) {
    return std::nullopt;
  }
  const std::string_view rest =
      end == std::string_view::npos ? std::string_view{} : support::trim(trimmed.substr(end));
  return Measured{*value, support::to_lower(rest)};
}

template <std::size_t N>
std::optional<double> factor_of(const std::array<Suffix, N>& suffixes, std::string_view suffix) {
  for (const Suffix& entry : suffixes) {
    if (entry.text == suffix) {
      return entry.factor;
    }
  }
  return std::nullopt;
}

constexpr std::array kCounts{
    Suffix{"", 1},          Suffix{"k", 1e3},  Suffix{"m", 1e6},        Suffix{"b", 1e9},
    Suffix{"g", 1e9},       Suffix{"t", 1e12}, Suffix{"thousand", 1e3}, Suffix{"mn", 1e6},
    Suffix{"million", 1e6}, Suffix{"bn", 1e9}, Suffix{"billion", 1e9},  Suffix{"trillion", 1e12}};

}  // namespace

Result<std::int64_t> parse_parameters(std::string_view text) {
  constexpr double kLargest = 1e16;
  constexpr double kBareNumber = 1000;
  const auto measured = split_number(text);
  const auto factor = measured ? factor_of(kCounts, measured->suffix) : std::nullopt;
  if (!factor) {
    return unreadable(text, "a number of parameters such as 350M, 7B or 1.5T");
  }
  if (measured->suffix.empty() && measured->number < kBareNumber) {
    Error error = unreadable(text, "a number of parameters: the unit is missing");
    error.hint = "write " + std::string(support::trim(text)) + "B for billions or " +
                 std::string(support::trim(text)) + "M for millions";
    return error;
  }
  const double parameters = measured->number * *factor;
  if (!(parameters >= 1) || parameters > kLargest) {
    return unreadable(text, "a number of parameters between 1 and 10000T");
  }
  return static_cast<std::int64_t>(std::llround(parameters));
}

Result<double> parse_count(std::string_view text) {
  const auto measured = split_number(text);
  const auto factor = measured ? factor_of(kCounts, measured->suffix) : std::nullopt;
  if (!factor || !(measured->number > 0)) {
    return unreadable(text, "a count above zero such as 300B, 1.2M or 2e9");
  }
  return measured->number * *factor;
}

Result<Bytes> parse_memory(std::string_view text) {
  constexpr double kGib = 1024.0 * 1024 * 1024;
  constexpr std::array kUnits{Suffix{"", kGib},           Suffix{"gib", kGib},
                              Suffix{"mib", 1 << 20},     Suffix{"kib", 1 << 10},
                              Suffix{"tib", kGib * 1024}, Suffix{"gb", 1e9},
                              Suffix{"mb", 1e6},          Suffix{"kb", 1e3},
                              Suffix{"tb", 1e12},         Suffix{"b", 1}};
  const auto measured = split_number(text);
  const auto factor = measured ? factor_of(kUnits, measured->suffix) : std::nullopt;
  if (!factor || measured->number < 0) {
    return unreadable(text, "a size such as 24 (GiB), 80GB or 80GiB");
  }
  return bytes(measured->number * *factor);
}

Result<Seconds> parse_duration(std::string_view text) {
  constexpr std::array kUnits{Suffix{"", 3600},       Suffix{"s", 1},      Suffix{"sec", 1},
                              Suffix{"ms", 1e-3},     Suffix{"m", 60},     Suffix{"min", 60},
                              Suffix{"h", 3600},      Suffix{"hr", 3600},  Suffix{"hour", 3600},
                              Suffix{"hours", 3600},  Suffix{"d", 86400},  Suffix{"day", 86400},
                              Suffix{"days", 86400},  Suffix{"w", 604800}, Suffix{"week", 604800},
                              Suffix{"weeks", 604800}};
  const auto measured = split_number(text);
  const auto factor = measured ? factor_of(kUnits, measured->suffix) : std::nullopt;
  if (!factor || !(measured->number > 0)) {
    return unreadable(text, "a duration above zero such as 72h, 90d, 30m or 45s");
  }
  return seconds(measured->number * *factor);
}

Result<double> parse_share(std::string_view text) {
  const auto measured = split_number(text);
  const bool percent = measured && measured->suffix == "%";
  if (!measured || (!percent && !measured->suffix.empty())) {
    return unreadable(text, "a share such as 10% or 0.1");
  }
  const double share = percent ? measured->number / 100 : measured->number;
  if (share < 0 || share > 1) {
    Error error = unreadable(text, "a share between 0% and 100%");
    if (!percent && measured->number > 1 && measured->number <= 100) {
      error.hint = "write " + std::string(support::trim(text)) + "% for percent";
    }
    return error;
  }
  return share;
}

Result<Budget> parse_budget(std::string_view text) {
  const std::string_view trimmed = support::trim(text);
  const auto measured = split_number(trimmed.starts_with('$') ? trimmed.substr(1) : trimmed);
  Budget budget;
  if (measured) {
    budget.amount = measured->number;
    const std::string& suffix = measured->suffix;
    if (suffix.empty() || suffix == "/h" || suffix == "/hr" || suffix == "/hour") {
      budget.period = BudgetPeriod::hour;
    } else if (suffix == "/month" || suffix == "/mo") {
      budget.period = BudgetPeriod::month;
    } else if (suffix == "/total") {
      budget.period = BudgetPeriod::total;
    } else {
      return unreadable(text, "a budget such as 2, 2/h, 1500/month or 20000/total");
    }
  }
  if (!measured || !(budget.amount > 0)) {
    return unreadable(text, "a budget above zero such as 2, 2/h, 1500/month or 20000/total");
  }
  return budget;
}

}  // namespace gpu_advisor::units
