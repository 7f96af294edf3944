#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "gpu_advisor/rank/recommendation.hpp"

namespace gpu_advisor::rank {

/// The limits that need no physics, prepared once: which SKUs, which priced rows.
class Admission {
 public:
  /// An error when a name in the limits means nothing (unknown GPU, provider or region).
  [[nodiscard]] static support::Result<Admission> prepare(const catalog::Catalog& catalog,
                                                          const Limits& limits,
                                                          const catalog::Date& today);
  /// The built-in limit that takes this SKU out whatever its price; empty: none.
  [[nodiscard]] std::string_view refuses(const catalog::Sku& sku) const;
  /// The built-in limit that takes this price out; empty: none.
  [[nodiscard]] std::string_view refuses(const catalog::PriceRow& row,
                                         catalog::Pricing pricing) const;

 private:
  Admission(const catalog::Catalog& catalog, const Limits& limits, const catalog::Date& today)
      : catalog_(&catalog), limits_(&limits), today_(today) {}
  [[nodiscard]] bool has_fast_link(const catalog::Sku& sku) const;

  const catalog::Catalog* catalog_;
  const Limits* limits_;
  catalog::Date today_;
  std::vector<bool> gpu_allowed_;                 // by accelerator
  std::vector<bool> region_allowed_;              // by region index
  std::set<std::string, std::less<>> providers_;  // empty: every provider
};

/// A SKU at its cheapest admissible row of one pricing model.
struct Offer {
  std::uint32_t sku = 0, price = 0;
  catalog::Pricing pricing = catalog::Pricing::on_demand;
  units::MoneyPerHour hourly;  // one instance
  int more_regions = 0;        // other admissible rows
};

/// Counts refusals by limit, in the fixed order of `builtin_limits()`.
class RefusalCount {
 public:
  void add(std::string_view limit, int count = 1);
  void add(const Finding& rule);  // a rule of data, with its messages
  [[nodiscard]] std::vector<Rejection> take();

 private:
  std::vector<Rejection> rejections_;
};

/// Every SKU and pricing model with an admissible price, cheapest first.
[[nodiscard]] std::vector<Offer> collect_offers(const catalog::Catalog& catalog,
                                                const Limits& limits, const Admission& admission,
                                                RefusalCount& refused);

}  // namespace gpu_advisor::rank
