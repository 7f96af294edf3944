#pragma once

#include <array>
#include <string>

#include "field_internal.hpp"
#include "gpu_advisor/catalog/offer.hpp"

namespace gpu_advisor::catalog {

/// A SKU as a file writes it: the accelerator by id.
struct SkuText {
  Sku sku;
  std::string accelerator;  // id; empty: a card that the catalog does not have
};

/// A price as a file writes it: in its currency, with its source by key.
struct PriceText {
  std::string region, zones, currency = "USD", source, flag, notes;
  std::array<std::optional<double>, kPricingCount> amounts;
  std::array<bool, kPricingCount> flagged{};
  Date as_of;
};

/// Every key of a SKU (but "prices") and of a price, in the order in which they are written.
[[nodiscard]] std::span<const Field<SkuText>> sku_fields();
[[nodiscard]] std::span<const Field<PriceText>> price_fields();

}  // namespace gpu_advisor::catalog
