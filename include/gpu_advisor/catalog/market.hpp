#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gpu_advisor/catalog/date.hpp"
#include "gpu_advisor/support/file_source.hpp"

namespace gpu_advisor::catalog {

/// A currency's dated rate: how many units one US dollar buys.
struct ExchangeRate {
  std::string currency;
  double per_usd = 1;
  Date as_of;
};

/// What hardware and its upkeep cost: a purchase, a rate of electricity, a share for maintenance.
struct MarketRow {
  std::string id;
  std::string category;     // "gpu-purchase", "electricity", "pue", "colocation", …
  std::string item;         // what it is, for people
  std::string accelerator;  // id; empty: none in the catalog
  std::optional<double> gpus;
  std::optional<double> price_usd;          // the whole item
  std::optional<double> value, value_high;  // in `unit`; both ends where the source gives a range
  std::string unit;                         // "usd_per_kwh", "usd_per_gpu", "ratio", …
  std::string region;
  Date as_of;
  std::string notes, source;
};

/// data/market/hardware-prices.json, overlays over it, by id.
[[nodiscard]] support::Result<std::map<std::string, MarketRow>> load_market(
    const support::FileSource& files, bool embedded, const std::vector<std::string>& folders);

/// data/market/exchange-rates.json, overlays over it.
[[nodiscard]] support::Result<std::map<std::string, ExchangeRate>> load_exchange_rates(
    const support::FileSource& files, bool embedded, const std::vector<std::string>& folders);

}  // namespace gpu_advisor::catalog
