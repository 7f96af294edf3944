#pragma once

#include <compare>

namespace gpu_advisor::units {

/// A number with a dimension: exponents of bytes, floating-point operations, seconds, joules and
/// tokens. Values are doubles (bytes are exact to 2^53) in one base unit per dimension and are seen
/// outside only through a factory (`gib(80)`) and a division (`size / gib(1)`).
template <int B, int F, int S, int J, int T>
class Quantity {
 public:
  constexpr Quantity() = default;
  /// In base units: bytes, operations, seconds, joules, tokens.
  [[nodiscard]] static constexpr Quantity base(double value) { return Quantity(value); }
  /// The base value, for formulas within one function; never carried across a module border.
  [[nodiscard]] constexpr double base() const { return value_; }

  friend constexpr Quantity operator+(Quantity a, Quantity b) {
    return Quantity(a.value_ + b.value_);
  }
  friend constexpr Quantity operator-(Quantity a, Quantity b) {
    return Quantity(a.value_ - b.value_);
  }
  friend constexpr Quantity operator*(Quantity a, double k) { return Quantity(a.value_ * k); }
  friend constexpr Quantity operator*(double k, Quantity a) { return Quantity(a.value_ * k); }
  friend constexpr Quantity operator/(Quantity a, double k) { return Quantity(a.value_ / k); }
  constexpr Quantity& operator+=(Quantity other) {
    value_ += other.value_;
    return *this;
  }
  friend constexpr double operator/(Quantity a, Quantity b) { return a.value_ / b.value_; }
  friend constexpr auto operator<=>(Quantity, Quantity) = default;

 private:
  constexpr explicit Quantity(double value) : value_(value) {}
  double value_ = 0;
};

template <int B, int F, int S, int J, int T, int B2, int F2, int S2, int J2, int T2>
requires(B != B2 || F != F2 || S != S2 || J != J2 || T != T2) constexpr auto operator/(
    Quantity<B, F, S, J, T> a, Quantity<B2, F2, S2, J2, T2> b) {
  return Quantity<B - B2, F - F2, S - S2, J - J2, T - T2>::base(a.base() / b.base());
}
template <int B, int F, int S, int J, int T, int B2, int F2, int S2, int J2, int T2>
constexpr auto operator*(Quantity<B, F, S, J, T> a, Quantity<B2, F2, S2, J2, T2> b) {
  return Quantity<B + B2, F + F2, S + S2, J + J2, T + T2>::base(a.base() * b.base());
}

using Bytes = Quantity<1, 0, 0, 0, 0>;
using Flops = Quantity<0, 1, 0, 0, 0>;  // floating-point (or integer) operations, a count
using Seconds = Quantity<0, 0, 1, 0, 0>;
using Joules = Quantity<0, 0, 0, 1, 0>;
using Tokens = Quantity<0, 0, 0, 0, 1>;
using BytesPerSecond = Quantity<1, 0, -1, 0, 0>;
using FlopsPerSecond = Quantity<0, 1, -1, 0, 0>;
using Watts = Quantity<0, 0, -1, 1, 0>;
using TokensPerSecond = Quantity<0, 0, -1, 0, 1>;

[[nodiscard]] constexpr Bytes bytes(double n) {
  return Bytes::base(n);
}
[[nodiscard]] constexpr Bytes kib(double n) {
  return Bytes::base(n * 1024);
}
[[nodiscard]] constexpr Bytes mib(double n) {
  return Bytes::base(n * 1024 * 1024);
}
[[nodiscard]] constexpr Bytes gib(double n) {
  return Bytes::base(n * 1024 * 1024 * 1024);
}
[[nodiscard]] constexpr Bytes gb(double n) {
  return Bytes::base(n * 1e9);
}  // decimal
[[nodiscard]] constexpr BytesPerSecond gb_per_second(double n) {
  return BytesPerSecond::base(n * 1e9);
}
[[nodiscard]] constexpr BytesPerSecond gbit_per_second(double n) {
  return BytesPerSecond::base(n * 1e9 / 8);
}
[[nodiscard]] constexpr Flops flops(double n) {
  return Flops::base(n);
}
[[nodiscard]] constexpr FlopsPerSecond tflops_per_second(double n) {
  return FlopsPerSecond::base(n * 1e12);
}
[[nodiscard]] constexpr Seconds seconds(double n) {
  return Seconds::base(n);
}
[[nodiscard]] constexpr Seconds milliseconds(double n) {
  return Seconds::base(n * 1e-3);
}
[[nodiscard]] constexpr Seconds microseconds(double n) {
  return Seconds::base(n * 1e-6);
}
[[nodiscard]] constexpr Seconds hours(double n) {
  return Seconds::base(n * 3600);
}
[[nodiscard]] constexpr Watts watts(double n) {
  return Watts::base(n);
}
[[nodiscard]] constexpr Joules kwh(double n) {
  return Joules::base(n * 3.6e6);
}
[[nodiscard]] constexpr Tokens tokens(double n) {
  return Tokens::base(n);
}
[[nodiscard]] constexpr TokensPerSecond tokens_per_second(double n) {
  return TokensPerSecond::base(n);
}

}  // namespace gpu_advisor::units
