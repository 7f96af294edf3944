#include "gpu_advisor/catalog/accelerator.hpp"

namespace gpu_advisor::catalog {
namespace {

using units::Bytes;

// Where no driver figure is known, what the driver takes off the marketed size. The figures are the
// middle of what the known rows show (driver_memory_mib against memory_gib): cards without ECC or
// with HBM lose up to 2 %, GDDR cards with ECC on lose 6 % (L40S 46068 of 49152, A10 23028 of
// 24576).
constexpr double kPlainShare = 0.99;
constexpr double kGddrEccShare = 0.9375;
/// Unified memory: macOS gives the GPU two thirds to three quarters (recommendedMaxWorkingSetSize).
constexpr double kSmallUnifiedShare = 2.0 / 3, kLargeUnifiedShare = 0.75;
constexpr double kLargeUnifiedGib = 64;

/// One lane one way, after encoding: PCI-SIG base specifications.
double lane_gigabytes(int generation) {
  switch (generation) {
    case 1:
      return 0.25;
    case 2:
      return 0.5;
    case 3:
      return 0.985;
    case 4:
      return 1.969;
    case 5:
      return 3.938;
    case 6:
      return 7.563;
    default:
      return 0;
  }
}

}  // namespace

Bytes Accelerator::usable_memory() const {
  if (driver_memory)
    return *driver_memory;
  if (usable_share)
    return memory * *usable_share;
  if (unified_memory)
    return memory *
           (memory >= units::gib(kLargeUnifiedGib) ? kLargeUnifiedShare : kSmallUnifiedShare);
  const bool gddr = memory_type.starts_with("GDDR");
  return memory * (gddr && ecc.value_or(false) ? kGddrEccShare : kPlainShare);
}

std::optional<units::BytesPerSecond> Accelerator::pcie_bandwidth() const {
  if (!pcie_generation || !pcie_lanes)
    return std::nullopt;
  const double per_lane = lane_gigabytes(*pcie_generation);
  if (per_lane == 0)
    return std::nullopt;
  return units::gb_per_second(per_lane * *pcie_lanes);
}

std::optional<units::FlopsPerSecond> Accelerator::matrix_rate(units::DataType type) const {
  using enum units::DataType;
  switch (type) {
    case fp64:
      return fp64_vector;
    case fp32:
      return fp32_vector;
    case tf32:
      return tf32_matrix;
    case fp16:
      return fp16_matrix;
    case bf16:
      return bf16_matrix;
    case fp8:
      return fp8_matrix;
    case fp6:
    case fp4:
      return fp4_matrix;
    case int8:
      return int8_matrix;
    case int4:
    case int2:
    case int1:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace gpu_advisor::catalog
