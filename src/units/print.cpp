#include <array>
#include <cmath>
#include <fmt/format.h>

#include "gpu_advisor/units/parse.hpp"

namespace gpu_advisor::units {
namespace {

/// About three significant digits; thousands apart by spaces.
std::string three_digits(double value) {
  const double size = std::abs(value);
  if (size < 1000) {
    return fmt::format("{:.{}f}", value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
  }
  const std::string whole = fmt::format("{:.0f}", size);
  std::string digits = value < 0 ? "-" : "";
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (i > 0 && (whole.size() - i) % 3 == 0) {
      digits += ' ';
    }
    digits += whole[i];
  }
  return digits;
}

std::string without_zeros(std::string digits) {
  if (digits.find('.') != std::string::npos) {
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') {
      digits.pop_back();
    }
  }
  return digits;
}

}  // namespace

std::string print_memory(Bytes size) {
  if (size >= gib(0.9995) || size <= gib(-0.9995)) {
    return three_digits(size / gib(1)) + " GiB";
  }
  if (size >= mib(0.9995) || size <= mib(-0.9995)) {
    return three_digits(size / mib(1)) + " MiB";
  }
  return three_digits(size / kib(1)) + " KiB";
}

std::string print_count(double count) {
  struct Scale {
    double factor;
    std::string_view suffix;
  };
  constexpr std::array kScales{Scale{1e12, "T"}, Scale{1e9, "B"}, Scale{1e6, "M"}, Scale{1e3, "K"}};
  for (const Scale& scale : kScales) {
    if (std::abs(count) >= scale.factor * 0.9995) {
      return fmt::format("{}{}", without_zeros(three_digits(count / scale.factor)), scale.suffix);
    }
  }
  return without_zeros(three_digits(count));
}

std::string print_duration(Seconds time) {
  const double total = time / seconds(1);
  constexpr double kMinute = 60, kHour = 3600, kDay = 86400;
  if (total < 0.9995) {
    return three_digits(total * 1000) + " ms";
  }
  if (total < 99.95) {
    return without_zeros(three_digits(total)) + " s";
  }
  if (total < 1.5 * kHour) {
    return fmt::format("{:.0f} min", total / kMinute);
  }
  if (total < 2 * kDay) {
    const double minutes = std::round(total / kMinute);
    const double rest = std::fmod(minutes, 60);
    return rest > 0 && total < 10 * kHour
               ? fmt::format("{:.0f} h {:.0f} min", std::floor(minutes / 60), rest)
               : fmt::format("{:.0f} h", std::round(total / kHour));
  }
  const double hours = std::round(total / kHour);
  const double rest = std::fmod(hours, 24);
  return rest > 0 && total < 10 * kDay
             ? fmt::format("{:.0f} d {:.0f} h", std::floor(hours / 24), rest)
             : fmt::format("{:.0f} d", std::round(total / kDay));
}

}  // namespace gpu_advisor::units
