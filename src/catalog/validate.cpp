#include "gpu_advisor/catalog/validate.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace gpu_advisor::catalog {
namespace {

constexpr auto kOnDemand = static_cast<std::size_t>(Pricing::on_demand);

void widen(const Date& date, Date& oldest, Date& newest) {
  if (!date.known())
    return;
  if (!oldest.known() || date < oldest)
    oldest = date;
  if (!newest.known() || date > newest)
    newest = date;
}

bool has_price(const PriceRow& row) {
  return std::ranges::any_of(row.prices, [](const auto& amount) { return amount.has_value(); });
}

Diagnostic found(Diagnostic::Severity severity, support::ErrorCode code, std::string where,
                 std::string message) {
  return {severity,
          support::Error{
              .code = code, .message = std::move(message), .location = {.file = std::move(where)}}};
}

std::optional<double> per_gpu(const Sku& sku, const PriceRow& row) {
  if (sku.accelerator == kNoAccelerator || sku.gpus < 1 || !row.prices[kOnDemand])
    return std::nullopt;
  return row.prices[kOnDemand]->dollars() / sku.gpus;
}

/// Price per GPU-hour outside 0.3 to 3 times the median of that GPU.
void check_medians(const Catalog& catalog, std::vector<Diagnostic>& out) {
  constexpr double kLow = 0.3, kHigh = 3;
  std::map<std::uint32_t, std::vector<double>> known;
  for (const PriceRow& row : catalog.prices())
    if (const auto amount = per_gpu(catalog.skus()[row.sku], row))
      known[catalog.skus()[row.sku].accelerator].push_back(*amount);
  for (auto& [gpu, amounts] : known)
    std::ranges::sort(amounts);
  for (const PriceRow& row : catalog.prices()) {
    const Sku& sku = catalog.skus()[row.sku];
    const auto amount = per_gpu(sku, row);
    if (!amount || row.flagged[kOnDemand])
      continue;
    const auto& amounts = known[sku.accelerator];
    const double ratio = *amount / amounts[amounts.size() / 2];
    if (ratio < kLow || ratio > kHigh)
      out.push_back(
          found(Diagnostic::Severity::note, support::ErrorCode::out_of_range, sku.id,
                fmt::format("{}: {:.3g} USD per GPU-hour is {:.2g} times the median of {}",
                            catalog.regions()[row.region], *amount, ratio,
                            catalog.accelerators()[sku.accelerator].name)));
  }
}

void check_memory(const Catalog& catalog, std::vector<Diagnostic>& out) {
  constexpr double kTolerance = 0.1;
  for (const Sku& sku : catalog.skus()) {
    if (sku.accelerator == kNoAccelerator || sku.fractional() || !sku.gpu_memory)
      continue;
    const Accelerator& gpu = catalog.accelerators()[sku.accelerator];
    if (gpu.memory == units::Bytes{})
      continue;
    const double ratio = *sku.gpu_memory / gpu.memory;
    if (std::abs(ratio - 1) > kTolerance)
      out.push_back(found(
          Diagnostic::Severity::warning, support::ErrorCode::out_of_range, sku.id,
          fmt::format("{:.0f} GiB per GPU, while {} has {:.0f}", *sku.gpu_memory / units::gib(1),
                      gpu.name, gpu.memory / units::gib(1))));
  }
}

void check_duplicates(const Catalog& catalog, std::vector<Diagnostic>& out) {
  for (std::uint32_t i = 0; i < catalog.skus().size(); ++i) {
    std::map<std::pair<std::uint32_t, std::uint16_t>, int> rows;
    for (const PriceRow& row : catalog.prices_of(i))
      ++rows[{row.region, row.source}];
    for (const auto& [key, count] : rows)
      if (count > 1 && key.first != 0)
        out.push_back(found(Diagnostic::Severity::note, support::ErrorCode::duplicate_id,
                            catalog.skus()[i].id,
                            fmt::format("{} price rows for {} from one source", count,
                                        catalog.regions()[key.first])));
  }
}

void check_ages(const Catalog& catalog, const Date& today, std::vector<Diagnostic>& out) {
  constexpr int kOld = 365;
  std::map<std::string, int> old;
  for (const PriceRow& row : catalog.prices())
    if (row.as_of.known() && days_between(row.as_of, today) > kOld)
      ++old[catalog.skus()[row.sku].provider];
  for (const auto& [provider, count] : old)
    out.push_back(found(Diagnostic::Severity::warning, support::ErrorCode::stale_prices, provider,
                        fmt::format("{} price rows are older than a year", count)));
}

}  // namespace

CatalogInfo catalog_info(const Catalog& catalog) {
  CatalogInfo info;
  for (const Accelerator& gpu : catalog.accelerators()) {
    ++info.accelerators[gpu.vendor_name];
    info.announced += gpu.status == AcceleratorStatus::announced;
    info.end_of_life += gpu.status == AcceleratorStatus::end_of_life;
  }
  std::map<std::string, CatalogInfo::ProviderInfo> providers;
  for (std::uint32_t i = 0; i < catalog.skus().size(); ++i) {
    const Sku& sku = catalog.skus()[i];
    CatalogInfo::ProviderInfo& provider = providers[sku.provider];
    provider.id = sku.provider;
    ++provider.skus;
    bool priced = false;
    for (const PriceRow& row : catalog.prices_of(i)) {
      ++provider.prices;
      priced = priced || has_price(row);
      if (!row.flag.empty()) {
        ++provider.flagged;
        ++info.flags[row.flag];
      }
      if (!row.as_of.known())
        ++info.undated;
      widen(row.as_of, provider.oldest, provider.newest);
      widen(row.as_of, info.oldest, info.newest);
      if (sku.accelerator == kNoAccelerator)
        ++info.unknown_cards[sku.gpu_name];
    }
    provider.unpriced += !priced;
  }
  for (auto& [id, provider] : providers)
    info.providers.push_back(std::move(provider));
  return info;
}

std::vector<Diagnostic> validate_catalog(const Catalog& catalog, const Date& today) {
  std::vector<Diagnostic> out;
  check_memory(catalog, out);
  check_medians(catalog, out);
  check_duplicates(catalog, out);
  check_ages(catalog, today, out);
  return out;
}

std::vector<std::string> catalog_difference(const Catalog& before, const Catalog& after) {
  std::vector<std::string> lines;
  const auto lowest = [](const Catalog& catalog) {
    std::map<std::string, std::optional<units::MoneyPerHour>> prices;
    for (std::uint32_t i = 0; i < catalog.skus().size(); ++i) {
      auto& known = prices[catalog.skus()[i].id];
      for (const PriceRow& row : catalog.prices_of(i))
        if (row.prices[kOnDemand] && (!known || *row.prices[kOnDemand] < *known))
          known = row.prices[kOnDemand];
    }
    return prices;
  };
  const auto text = [](const std::optional<units::MoneyPerHour>& price) {
    return price ? fmt::format("{:.4g} USD/h", price->dollars()) : std::string("unknown");
  };
  const auto old = lowest(before), now = lowest(after);
  for (const auto& [id, price] : old)
    if (!now.contains(id))
      lines.push_back("- offer " + id);
  for (const auto& [id, price] : now) {
    const auto known = old.find(id);
    if (known == old.end())
      lines.push_back("+ offer " + id + " " + text(price));
    else if (known->second != price)
      lines.push_back("~ offer " + id + " " + text(known->second) + " -> " + text(price));
  }
  std::set<std::string> old_gpus, new_gpus;
  for (const Accelerator& gpu : before.accelerators())
    old_gpus.insert(gpu.id);
  for (const Accelerator& gpu : after.accelerators())
    new_gpus.insert(gpu.id);
  for (const std::string& id : old_gpus)
    if (!new_gpus.contains(id))
      lines.push_back("- accelerator " + id);
  for (const std::string& id : new_gpus)
    if (!old_gpus.contains(id))
      lines.push_back("+ accelerator " + id);
  return lines;
}

}  // namespace gpu_advisor::catalog
