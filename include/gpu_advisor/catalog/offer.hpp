#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_advisor/catalog/date.hpp"
#include "gpu_advisor/units/money.hpp"
#include "gpu_advisor/units/quantity.hpp"

namespace gpu_advisor::catalog {

enum class Pricing : std::uint8_t { on_demand, spot, reserved_1y, reserved_3y };
inline constexpr std::size_t kPricingCount = 4;
[[nodiscard]] std::string_view name(Pricing pricing);  // "on-demand", "spot", "reserved-1y", …

enum class NodeLink : std::uint8_t { unknown, pcie, nvlink, nvswitch, nvl72 };
enum class Fabric : std::uint8_t { unknown, none, infiniband, roce, efa, ethernet, omni_path };
[[nodiscard]] std::string_view name(NodeLink link);
[[nodiscard]] std::string_view name(Fabric fabric);

/// What one instance is, whatever its region and price. Physics is computed once per SKU.
struct Sku {
  std::string id;             // "aws/p5.48xlarge"
  std::string provider;       // "aws"
  std::string instance_type;  // "p5.48xlarge"
  std::uint32_t accelerator =
      0;                 // index into Catalog::accelerators(); kNoAccelerator if unknown card
  std::string gpu_name;  // as the source writes it
  double gpus = 1;       // a fraction for vGPU or MIG slices
  std::optional<units::Bytes> gpu_memory;  // per GPU; of a slice, the slice
  std::optional<double> vcpus;
  std::optional<units::Bytes> ram;
  std::optional<units::Bytes> local_disk;
  std::optional<units::BytesPerSecond> network;  // one way, whole instance
  Fabric fabric = Fabric::unknown;
  NodeLink link = NodeLink::unknown;
  std::string status;  // "", "retired", "retiring", "preview", "promo", "component" (a GPU without
                       // its host)
  std::string notes;

  [[nodiscard]] bool fractional() const { return gpus > 0 && gpus < 1; }
};
inline constexpr std::uint32_t kNoAccelerator = 0xFFFFFFFF;

/// One priced row of a SKU: a region (and its zones) with up to four prices, whole instance per
/// hour, converted to USD at the dated rate of data/market when the source is in another currency.
struct PriceRow {
  std::uint32_t sku = 0;     // index into Catalog::skus()
  std::uint32_t region = 0;  // index into Catalog::regions(); 0 is "" (unknown or any)
  std::array<std::optional<units::MoneyPerHour>, kPricingCount>
      prices;                                 // empty: unknown, never free
  std::array<bool, kPricingCount> flagged{};  // an outlier that is listed and not ranked
  std::uint16_t currency = 0;  // index into Catalog::currencies(): what the source quotes
  std::uint16_t source = 0;    // index into Catalog::sources()
  Date as_of;
  std::string flag;  // why flagged; empty: not flagged
};

}  // namespace gpu_advisor::catalog
