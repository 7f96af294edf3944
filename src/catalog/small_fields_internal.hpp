#pragma once

#include "field_internal.hpp"
#include "json_file_internal.hpp"

namespace gpu_advisor::catalog {

[[nodiscard]] std::span<const Field<Provider>> provider_fields();
[[nodiscard]] std::span<const Field<ExchangeRate>> exchange_rate_fields();
[[nodiscard]] std::span<const Field<MarketRow>> market_fields();

}  // namespace gpu_advisor::catalog
