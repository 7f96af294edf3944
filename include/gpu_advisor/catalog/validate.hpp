#pragma once

#include <map>
#include <string>
#include <vector>

#include "gpu_advisor/catalog/catalog.hpp"

namespace gpu_advisor::catalog {

/// What a catalog holds.
struct CatalogInfo {
  struct ProviderInfo {
    std::string id;
    int skus = 0, prices = 0, unpriced = 0,
        flagged = 0;  // SKUs, price rows, SKUs without any price, flagged rows
    Date oldest, newest;
  };
  std::vector<ProviderInfo> providers;
  std::map<std::string, int> accelerators;  // by maker
  int announced = 0, end_of_life = 0;
  std::map<std::string, int> unknown_cards;  // price rows by the name that no accelerator has
  std::map<std::string, int> flags;          // price rows by reason
  Date oldest, newest;
  int undated = 0;  // price rows without a date
};
[[nodiscard]] CatalogInfo catalog_info(const Catalog& catalog);

/// Checks beyond the schema: prices out of line with the median of their GPU, memory that is not
/// count times per GPU, duplicate price rows, ages. Warnings and notes only: errors stop the
/// loading.
[[nodiscard]] std::vector<Diagnostic> validate_catalog(const Catalog& catalog, const Date& today);

/// What changed from one catalog to another, one line each: SKUs and accelerators added, removed,
/// prices.
[[nodiscard]] std::vector<std::string> catalog_difference(const Catalog& before,
                                                          const Catalog& after);

}  // namespace gpu_advisor::catalog
