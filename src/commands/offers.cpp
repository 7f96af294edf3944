#include <algorithm>
#include <ostream>
#include <set>

#include "gpu_advisor/units/parse.hpp"
#include "list_internal.hpp"

namespace gpu_advisor::commands {
namespace {

using support::Result;

struct Row {
  render::OfferLine line;
  const catalog::Sku* sku = nullptr;
  const catalog::Accelerator* gpu = nullptr;
  std::optional<double> hourly;
};

const std::vector<SortKey<Row>>& sort_keys() {
  static const std::vector<SortKey<Row>> kKeys{
      {"name", nullptr},
      {"price", [](const Row& r) { return r.hourly; }},
      {"price-per-gpu",
       [](const Row& r) {
         return r.hourly && r.sku->gpus > 0 ? std::optional(*r.hourly / r.sku->gpus) : std::nullopt;
       }},
      {"vram",
       [](const Row& r) {
         return r.gpu ? std::optional(-r.gpu->memory.base() * r.sku->gpus) : std::nullopt;
       }},
      {"vram-per-dollar",
       [](const Row& r) {
         return r.gpu && r.hourly ? std::optional(-r.gpu->memory.base() * r.sku->gpus / *r.hourly)
                                  : std::nullopt;
       }},
      {"tflops-per-dollar",
       [](const Row& r) {
         const auto rate = r.gpu ? r.gpu->fp16_matrix : std::nullopt;
         return rate && r.hourly ? std::optional(-rate->base() * r.sku->gpus / *r.hourly)
                                 : std::nullopt;
       }},
  };
  return kKeys;
}

support::Error unknown_id(const catalog::Catalog& catalog, const std::string& id) {
  std::vector<std::string> ids;
  for (const catalog::Sku& sku : catalog.skus())
    ids.push_back(sku.id);
  const auto near = support::nearest(id, ids);
  return {.code = support::ErrorCode::unknown_name,
          .message = "unknown offer \"" + id + "\"",
          .hint = near.empty() ? "ids are provider/instance, list them with: gpu-advisor offers"
                               : support::did_you_mean(near)};
}

/// By id, or by the instance type alone where only one provider has it.
Result<std::uint32_t> find_sku(const catalog::Catalog& catalog, const std::string& name) {
  const std::string wanted = support::to_lower(name);
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < catalog.skus().size(); ++i) {
    const catalog::Sku& sku = catalog.skus()[i];
    if (sku.id == wanted)
      return i;
    if (support::to_lower(sku.instance_type) == wanted)
      found.push_back(i);
  }
  if (found.size() == 1)
    return found.front();
  return unknown_id(catalog, name);
}

/// The cheapest row of the SKU in the regions asked for; nothing when it has none and `all` is off.
std::optional<render::OfferLine> line_of(const catalog::Catalog& catalog, std::uint32_t sku,
                                         const std::vector<std::string>& regions,
                                         catalog::Pricing pricing, bool all) {
  render::OfferLine line{.sku = sku, .price = 0, .more_regions = -1};
  const auto slot = static_cast<std::size_t>(pricing);
  std::optional<units::MoneyPerHour> lowest;
  bool in_region = regions.empty();
  for (const catalog::PriceRow& row : catalog.prices_of(sku)) {
    const std::string& region = catalog.regions()[row.region];
    const bool wanted =
        regions.empty() || std::ranges::any_of(regions, [&region](const std::string& pattern) {
          return support::glob_match(pattern, region);
        });
    if (!wanted)
      continue;
    in_region = true;
    if (!row.prices[slot] || (row.flagged[slot] && !all))
      continue;
    ++line.more_regions;
    if (lowest && *row.prices[slot] >= *lowest)
      continue;
    lowest = row.prices[slot];
    line.price = static_cast<std::uint32_t>(&row - catalog.prices().data());
  }
  if (!in_region || (line.more_regions < 0 && !all))
    return std::nullopt;
  return line;
}

catalog::Pricing pricing_of(const Call& call) {
  const std::string wanted = call.values.get("--pricing").value_or("on-demand");
  for (std::size_t i = 0; i < catalog::kPricingCount; ++i)
    if (catalog::name(static_cast<catalog::Pricing>(i)) == wanted)
      return static_cast<catalog::Pricing>(i);
  return catalog::Pricing::on_demand;
}

Result<std::set<std::string>> providers_of(const Call& call, const catalog::Catalog& catalog) {
  std::set<std::string> wanted;
  for (const std::string& pattern : call.values.all("--provider")) {
    std::vector<std::string> names;
    const std::size_t before = wanted.size();
    for (const catalog::Provider& provider : catalog.providers()) {
      names.push_back(provider.id);
      names.insert(names.end(), provider.aliases.begin(), provider.aliases.end());
      const bool alias = std::ranges::any_of(provider.aliases, [&pattern](const std::string& name) {
        return support::fold(name) == support::fold(pattern);
      });
      if (alias || support::glob_match(pattern, provider.id) ||
          support::glob_match(pattern, provider.name))
        wanted.insert(provider.id);
    }
    if (wanted.size() == before)
      return usage_error("--provider", "unknown provider \"" + pattern + "\"",
                         support::did_you_mean(support::nearest(pattern, names)));
  }
  return wanted;
}

Result<std::vector<Row>> rows_of(const Call& call, const catalog::Catalog& catalog) {
  GPU_ADVISOR_TRY(const auto providers, providers_of(call, catalog));
  std::set<std::uint32_t> gpus;
  for (const std::string& pattern : call.values.all("--gpu")) {
    GPU_ADVISOR_TRY(const auto found, catalog.filter_accelerators(pattern));
    gpus.insert(found.begin(), found.end());
  }
  GPU_ADVISOR_TRY(const auto least,
                  read_option<units::Bytes>(call.values, "--min-vram", units::parse_memory));
  const catalog::Pricing pricing = pricing_of(call);
  const bool all = call.values.has("--all");
  std::vector<Row> rows;
  for (std::uint32_t i = 0; i < catalog.skus().size(); ++i) {
    const catalog::Sku& sku = catalog.skus()[i];
    const bool known = sku.accelerator != catalog::kNoAccelerator;
    const catalog::Accelerator* gpu = known ? &catalog.accelerators()[sku.accelerator] : nullptr;
    if (!providers.empty() && !providers.contains(sku.provider))
      continue;
    if (call.values.has("--gpu") && (!known || !gpus.contains(sku.accelerator)))
      continue;
    if (least && (!known || sku.gpu_memory.value_or(gpu->memory) < *least))
      continue;
    if (!all && sku.status == "retired")
      continue;
    const auto line = line_of(catalog, i, call.values.all("--region"), pricing, all);
    if (!line)
      continue;
    const auto amount =
        line->more_regions < 0
            ? std::nullopt
            : catalog.prices()[line->price].prices[static_cast<std::size_t>(pricing)];
    rows.push_back({*line, &sku, gpu, amount ? std::optional(amount->dollars()) : std::nullopt});
  }
  GPU_ADVISOR_CHECKED(sort_rows(call, sort_keys(), rows));
  return rows;
}

}  // namespace

Result<ExitCode> run_offers(const Call& call) {
  GPU_ADVISOR_TRY(const Verb verb, verb_of(call));
  GPU_ADVISOR_TRY(const catalog::Catalog catalog,
                  load_catalog(call, {.offers = true, .calibration = false}));
  if (verb.show) {
    GPU_ADVISOR_TRY(const std::uint32_t sku, find_sku(catalog, verb.name));
    const render::Document document = render::offer_document(catalog, sku, call.globals.language);
    if (call.globals.format == "json")
      call.world.out << render::rows_json("gpu-advisor/offer@1",
                                          std::get<render::Table>(document.sections.back()));
    else
      write_document(call, document);
    return 0;
  }
  GPU_ADVISOR_TRY(const std::vector<Row> rows, rows_of(call, catalog));
  GPU_ADVISOR_TRY(const std::size_t limit, limit_of(call, rows.size()));
  std::vector<render::OfferLine> lines;
  for (std::size_t i = 0; i < limit; ++i)
    lines.push_back(rows[i].line);
  return write_list(call, "gpu-advisor/offer-list@1",
                    render::offer_table(catalog, lines, pricing_of(call), call.globals.language),
                    rows.size());
}

}  // namespace gpu_advisor::commands
