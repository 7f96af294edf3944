#pragma once

#include <span>
#include <string>
#include <vector>

#include "gpu_advisor/catalog/catalog.hpp"
#include "gpu_advisor/model/presets.hpp"
#include "gpu_advisor/render/document/document.hpp"
#include "gpu_advisor/render/present/texts.hpp"
#include "gpu_advisor/rules/rule.hpp"

namespace gpu_advisor::render {

/// The lowest on-demand price per GPU-hour of each accelerator, from rows that are ranked.
[[nodiscard]] std::vector<std::optional<double>> cheapest_per_gpu(const catalog::Catalog& catalog);

[[nodiscard]] Table gpu_table(const catalog::Catalog& catalog, std::span<const std::uint32_t> shown,
                              Language language);
[[nodiscard]] Facts gpu_facts(const catalog::Catalog& catalog, std::uint32_t index);
/// One row per SKU, at the cheapest of its shown price rows.
struct OfferLine {
  std::uint32_t sku = 0, price = 0;
  int more_regions = 0;
};
[[nodiscard]] Table offer_table(const catalog::Catalog& catalog, std::span<const OfferLine> lines,
                                catalog::Pricing pricing, Language language);
[[nodiscard]] Document offer_document(const catalog::Catalog& catalog, std::uint32_t sku,
                                      Language language);
[[nodiscard]] Table model_table(std::span<const model::PresetSummary> presets, Language language);
[[nodiscard]] Table rule_table(const rules::RuleSet& rules, Language language);
/// Columns are the things compared, rows their figures.
[[nodiscard]] Table gpu_comparison(const catalog::Catalog& catalog,
                                   std::span<const std::uint32_t> gpus, Language language);

/// A list as JSON: `{"schema", "rows": [{column key: value}]}`; numbers where the raw text is one,
/// null where the cell is empty.
[[nodiscard]] std::string rows_json(std::string_view schema, const Table& table);
/// Label and value pairs as one JSON object.
[[nodiscard]] std::string facts_json(std::string_view schema, const Facts& facts);

}  // namespace gpu_advisor::render
