#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "gpu_advisor/rules/rule.hpp"

namespace gpu_advisor::rules {
namespace {

constexpr std::string_view kUnknown = "?";
constexpr int kMostDigits = 6;

support::Error malformed(std::string_view text, std::string reason) {
  return {.code = support::ErrorCode::out_of_range,
          .message = "the message \"" + std::string(text) + "\" " + std::move(reason)};
}

std::string about_three_digits(double value) {
  const double size = std::abs(value);
  const int digits = size >= 100 || std::floor(value) == value ? 0 : size >= 10 ? 1 : 2;
  return fmt::format("{:.{}f}", value, digits);
}

std::string print(const Value& value, int digits, bool percent) {
  if (value.is_null()) {
    return std::string(kUnknown);
  }
  if (const double* number = value.number()) {
    const double shown = percent ? *number * 100 : *number;
    const std::string text = digits < 0 && !percent
                                 ? about_three_digits(shown)
                                 : fmt::format("{:.{}f}", shown, std::max(digits, 0));
    return percent ? text + "%" : text;
  }
  return to_text(value);
}

}  // namespace

support::Result<Message> Message::compile(std::string_view text, const FactTable& table) {
  Message message;
  message.text_ = text;
  std::size_t start = 0;
  for (std::size_t open = text.find('{'); open != std::string_view::npos;
       open = text.find('{', start)) {
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) {
      return malformed(text, "opens a brace and does not close it");
    }
    const std::string_view inside = text.substr(open + 1, close - open - 1);
    const std::size_t colon = inside.find(':');
    GPU_ADVISOR_TRY(const std::size_t fact, table.require(inside.substr(0, colon)));
    Part part{.literal = std::string(text.substr(start, open - start)),
              .fact = static_cast<int>(fact)};
    if (colon != std::string_view::npos) {
      const std::string_view format = inside.substr(colon + 1);
      part.percent = format == "%";
      const bool one_digit =
          format.size() == 1 && format[0] >= '0' && format[0] <= '0' + kMostDigits;
      if (!part.percent && !one_digit) {
        return malformed(
            text, "has the number format \"" + std::string(format) + "\"; known are 0 to 6 and %");
      }
      part.digits = one_digit ? format[0] - '0' : -1;
    }
    message.parts_.push_back(std::move(part));
    message.reads_.push_back(fact);
    start = close + 1;
  }
  message.parts_.push_back({.literal = std::string(text.substr(start))});
  return message;
}

std::string Message::render(const Facts& facts) const {
  std::string text;
  for (const Part& part : parts_) {
    text += part.literal;
    if (part.fact >= 0) {
      text += print(facts[static_cast<std::size_t>(part.fact)], part.digits, part.percent);
    }
  }
  return text;
}

}  // namespace gpu_advisor::rules
