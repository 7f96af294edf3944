#include "gpu_advisor/render/present/format.hpp"

#include <cmath>
#include <fmt/format.h>

namespace gpu_advisor::render {

std::string short_number(double value) {
  const double magnitude = std::abs(value);
  if (magnitude == 0)
    return "0";
  const int digits = magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : magnitude >= 0.9995 ? 2 : 3;
  return fmt::format("{:.{}f}", value, digits);
}

std::string price(double amount) {
  if (amount >= 1000)
    return fmt::format("{:.0f}", amount);
  // A price below ten cents has its sense in the third digit.
  return fmt::format("{:.{}f}", amount, amount < 0.0995 ? 3 : 2);
}

std::string filled(std::string_view text, const Fill& values) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos)
      break;
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos)
      return out + std::string(text.substr(open));
    const std::string_view key = text.substr(open + 1, close - open - 1);
    bool known = false;
    for (const auto& [name, value] : values)
      if (name == key) {
        out += value;
        known = true;
      }
    if (!known)
      out += text.substr(open, close - open + 1);
    text.remove_prefix(close + 1);
  }
  return out;
}

}  // namespace gpu_advisor::render
