#pragma once

#include <map>
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

/// data/market/exchange-rates.json, overlays over it.
[[nodiscard]] support::Result<std::map<std::string, ExchangeRate>> load_exchange_rates(
    const support::FileSource& files, bool embedded, const std::vector<std::string>& folders);

}  // namespace gpu_advisor::catalog
