#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gpu_advisor/units/quantity.hpp"

namespace gpu_advisor::units {

/// US dollars in integer micro-units. Prices in other currencies are converted where they are read
/// (with the dated rate of `data/market`) and shown again in the user's currency by the renderer,
/// so that two currencies can never be added.
class Money {
 public:
  constexpr Money() = default;
  /// Rounded to the micro-dollar; amounts beyond nine trillion dollars are held at that bound.
  [[nodiscard]] static constexpr Money usd(double dollars) {
    constexpr double kLargest = 9e12;
    const double held = dollars > kLargest ? kLargest : dollars < -kLargest ? -kLargest : dollars;
    return Money(static_cast<std::int64_t>(held * 1e6 + (held < 0 ? -0.5 : 0.5)));
  }
  [[nodiscard]] static constexpr Money micro_usd(std::int64_t micros) { return Money(micros); }
  [[nodiscard]] constexpr double dollars() const { return static_cast<double>(micros_) / 1e6; }
  [[nodiscard]] constexpr std::int64_t micros() const { return micros_; }
  friend constexpr Money operator+(Money a, Money b) { return Money(a.micros_ + b.micros_); }
  friend constexpr Money operator-(Money a, Money b) { return Money(a.micros_ - b.micros_); }
  friend constexpr Money operator*(Money a, double k) { return usd(a.dollars() * k); }
  friend constexpr double operator/(Money a, Money b) { return a.dollars() / b.dollars(); }
  friend constexpr auto operator<=>(Money, Money) = default;

 private:
  constexpr explicit Money(std::int64_t micros) : micros_(micros) {}
  std::int64_t micros_ = 0;
};

/// A price per hour. Times a duration it is money.
class MoneyPerHour {
 public:
  constexpr MoneyPerHour() = default;
  [[nodiscard]] static constexpr MoneyPerHour usd(double dollars) {
    return MoneyPerHour(Money::usd(dollars));
  }
  [[nodiscard]] constexpr double dollars() const { return hourly_.dollars(); }
  friend constexpr Money operator*(MoneyPerHour price, Seconds time) {
    return price.hourly_ * (time / hours(1));
  }
  friend constexpr MoneyPerHour operator*(MoneyPerHour price, double count) {
    return MoneyPerHour(price.hourly_ * count);
  }
  friend constexpr MoneyPerHour operator+(MoneyPerHour a, MoneyPerHour b) {
    return MoneyPerHour(a.hourly_ + b.hourly_);
  }
  friend constexpr auto operator<=>(MoneyPerHour, MoneyPerHour) = default;

 private:
  constexpr explicit MoneyPerHour(Money hourly) : hourly_(hourly) {}
  Money hourly_;
};

}  // namespace gpu_advisor::units
