#pragma once

namespace gpu_advisor::units {

/// An estimate with its 80 % interval: low <= value <= high.
template <typename Q>
struct Interval {
  Q value{};
  Q low{};
  Q high{};

  [[nodiscard]] static constexpr Interval exact(Q value) { return {value, value, value}; }
  friend constexpr bool operator==(const Interval&, const Interval&) = default;
};

}  // namespace gpu_advisor::units
