#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <tuple>

#include "gpu_advisor/catalog/import.hpp"
#include "gpu_advisor/support/csv.hpp"
#include "gpu_advisor/support/json.hpp"
#include "gpu_advisor/support/text.hpp"
#include "offer_fields_internal.hpp"
#include "write_rows_internal.hpp"

namespace gpu_advisor::catalog {
namespace {

using support::Csv;
using support::Result;

/// A CSV row, read.
struct Row {
  SkuText sku;
  PriceText price;
  std::string gpu_model;
};

/// A SKU with all its price rows.
struct Group {
  SkuText sku;
  std::vector<PriceText> prices;
};

struct StatusRow {
  std::string pattern, status;
};

Result<std::vector<StatusRow>> read_statuses(std::string_view text) {
  std::vector<StatusRow> rows;
  if (text.empty())
    return rows;
  GPU_ADVISOR_TRY(const support::Json json,
                  support::parse_json(text, "data/import/offer-statuses.json"));
  const support::JsonCursor root(json, "data/import/offer-statuses.json");
  GPU_ADVISOR_TRY(const auto list, root.at("rows"));
  GPU_ADVISOR_TRY(const auto elements, list.elements());
  for (const support::JsonCursor& element : elements) {
    GPU_ADVISOR_TRY(const auto pattern, element.optional_text("pattern"));
    GPU_ADVISOR_TRY(const auto status, element.optional_text("status"));
    rows.push_back({pattern.value_or(""), status.value_or("")});
  }
  return rows;
}

/// The node link as the CSV writes it.
NodeLink link_of(std::string_view text) {
  for (const NodeLink link :
       {NodeLink::pcie, NodeLink::nvlink, NodeLink::nvswitch, NodeLink::nvl72})
    if (text == name(link))
      return link;
  return NodeLink::unknown;
}

Fabric fabric_of(std::string_view text) {
  for (const Fabric fabric :
       {Fabric::none, Fabric::infiniband, Fabric::roce, Fabric::efa, Fabric::ethernet})
    if (text == name(fabric))
      return fabric;
  return Fabric::unknown;
}

/// A price of zero is a price that the source does not know.
std::optional<double> price_of(std::optional<double> cell) {
  if (!cell || *cell <= 0)
    return std::nullopt;
  return cell;
}

Result<Row> read_row(const Csv& csv, std::size_t at) {
  Row row;
  const auto cell = [&csv, at](std::string_view column) {
    return std::string(csv.cell(at, column));
  };
  Sku& sku = row.sku.sku;
  sku.provider = cell("provider");
  sku.instance_type = cell("instance_type");
  if (sku.provider.empty() || sku.instance_type.empty())
    return csv.fail(at, "expected a provider and an instance type");
  row.gpu_model = cell("gpu_model");
  sku.gpu_name = row.gpu_model;
  GPU_ADVISOR_TRY(const auto gpus, csv.number(at, "gpu_count"));
  sku.gpus = gpus.value_or(0);
  GPU_ADVISOR_TRY(const auto memory, csv.number(at, "gpu_memory_gib"));
  if (memory)
    sku.gpu_memory = units::gib(*memory);
  GPU_ADVISOR_TRY(sku.vcpus, csv.number(at, "vcpu"));
  GPU_ADVISOR_TRY(const auto ram, csv.number(at, "ram_gib"));
  if (ram)
    sku.ram = units::gib(*ram);
  GPU_ADVISOR_TRY(const auto disk, csv.number(at, "local_disk_gb"));
  if (disk)
    sku.local_disk = units::gb(*disk);
  GPU_ADVISOR_TRY(const auto network, csv.number(at, "network_gbps"));
  if (network && *network > 0)
    sku.network = units::gbit_per_second(*network);
  sku.fabric = fabric_of(csv.cell(at, "rdma"));
  sku.link = link_of(csv.cell(at, "gpu_interconnect"));
  row.price.region = cell("region");
  row.price.zones = cell("zone");
  row.price.currency = cell("currency");
  row.price.source = cell("source");
  row.price.notes = cell("notes");
  constexpr std::array<std::string_view, kPricingCount> kColumns{
      "price_on_demand", "price_spot", "price_reserved_1y", "price_reserved_3y"};
  for (std::size_t i = 0; i < kPricingCount; ++i) {
    GPU_ADVISOR_TRY(const auto price, csv.number(at, kColumns[i]));
    row.price.amounts[i] = price_of(price);
  }
  if (const std::string date = cell("as_of"); !date.empty() && date != "unknown") {
    GPU_ADVISOR_TRY(row.price.as_of, parse_date(date));
  }
  return row;
}

void flag(PriceText& price, Pricing pricing, std::string_view why) {
  price.flagged[static_cast<std::size_t>(pricing)] = true;
  if (price.flag.find(why) == std::string::npos)
    price.flag += (price.flag.empty() ? "" : "; ") + std::string(why);
}

/// The outliers that a row shows by itself.
void flag_row(const std::string& provider, PriceText& price) {
  const auto amount = [&price](Pricing pricing) {
    return price.amounts[static_cast<std::size_t>(pricing)];
  };
  const std::string notes = support::to_lower(price.notes);
  if (notes.find("outlier") != std::string::npos || notes.find("flag") != std::string::npos)
    for (const Pricing pricing :
         {Pricing::on_demand, Pricing::spot, Pricing::reserved_1y, Pricing::reserved_3y})
      if (amount(pricing))
        flag(price, pricing, "an outlier by its source's notes");
  const auto spot = amount(Pricing::spot), on_demand = amount(Pricing::on_demand);
  if (!spot || !on_demand)
    return;
  if (*spot >= *on_demand)
    flag(price, Pricing::spot, "spot is not below on-demand");
  constexpr double kFloor = 0.1, kExact = 0.0005;
  if (provider == "aws" && std::abs(*spot / *on_demand - kFloor) < kExact)
    flag(price, Pricing::spot,
         "spot at exactly a tenth of on-demand: a floor price of zones without capacity");
}

/// What must be equal for two rows to be the same SKU.
auto identity(const Row& row) {
  const Sku& sku = row.sku.sku;
  const auto amount = [](const auto& optional) { return optional ? optional->base() : -1.0; };
  return std::tuple(sku.provider, support::to_lower(sku.instance_type), row.gpu_model, sku.gpus,
                    amount(sku.gpu_memory), sku.vcpus.value_or(-1), amount(sku.ram));
}

std::string status_of(const std::string& id, const PriceText& price,
                      const std::vector<StatusRow>& statuses) {
  if (price.notes.find("an N1 host must be added") != std::string::npos)
    return "component";
  for (const StatusRow& row : statuses)
    if (support::glob_match(row.pattern, id))
      return row.status;
  if (price.notes.find("promo SKU") != std::string::npos)
    return "promo";
  return {};
}

std::vector<Group> group_rows(std::vector<Row>& rows, const GpuIds& gpu_ids,
                              const std::vector<StatusRow>& statuses) {
  std::ranges::stable_sort(rows, {}, identity);
  std::vector<Group> groups;
  std::map<std::string, int> uses;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Row& row = rows[i];
    if (i == 0 || identity(rows[i - 1]) != identity(row)) {
      Sku& sku = row.sku.sku;
      sku.id = sku.provider + "/" + support::to_lower(sku.instance_type);
      const int use = ++uses[sku.id];
      row.sku.sku.status = status_of(sku.id, row.price, statuses);
      if (use > 1)
        sku.id += fmt::format("~{}", use);
      row.sku.accelerator = gpu_ids(row.gpu_model);
      groups.push_back({row.sku, {}});
    }
    Sku& sku = groups.back().sku.sku;
    if (!sku.network)
      sku.network = row.sku.sku.network;
    if (!sku.local_disk)
      sku.local_disk = row.sku.sku.local_disk;
    if (sku.fabric == Fabric::unknown)
      sku.fabric = row.sku.sku.fabric;
    if (sku.link == NodeLink::unknown)
      sku.link = row.sku.sku.link;
    flag_row(sku.provider, row.price);
    groups.back().prices.push_back(std::move(row.price));
  }
  std::ranges::stable_sort(groups, {},
                           [](const Group& group) { return std::string_view(group.sku.sku.id); });
  return groups;
}

/// On-demand price per GPU-hour, in the row's currency.
std::optional<double> per_gpu(const Group& group, const PriceText& price) {
  const auto amount = price.amounts[static_cast<std::size_t>(Pricing::on_demand)];
  const Sku& sku = group.sku.sku;
  if (!amount || sku.gpus < 1 || group.sku.accelerator.empty() || sku.status == "component")
    return std::nullopt;
  return *amount / group.sku.sku.gpus;
}

double median(std::vector<double> amounts) {
  const auto middle = amounts.begin() + static_cast<std::ptrdiff_t>(amounts.size() / 2);
  std::ranges::nth_element(amounts, middle);
  return *middle;
}

/// A GPU's name and a currency: only like is compared with like.
using PriceKind = std::pair<std::string, std::string>;

/// What a GPU-hour costs in the middle of the market. Each provider counts once, by its own median,
/// so that those with fifty regions do not make the others look like slips.
std::map<PriceKind, double> market_prices(
    const std::map<std::string, std::vector<Group>>& by_provider) {
  std::map<PriceKind, std::vector<double>> medians;
  for (const auto& [provider, groups] : by_provider) {
    std::map<PriceKind, std::vector<double>> own;
    for (const Group& group : groups)
      for (const PriceText& price : group.prices)
        if (const auto amount = per_gpu(group, price))
          own[{group.sku.accelerator, price.currency}].push_back(*amount);
    for (auto& [kind, amounts] : own)
      medians[kind].push_back(median(std::move(amounts)));
  }
  std::map<PriceKind, double> prices;
  for (auto& [kind, amounts] : medians)
    prices[kind] = median(std::move(amounts));
  return prices;
}

/// A price far below the market's is a marketplace slip or a slice: listed, not ranked. Far above
/// is a large host or a dear provider, and needs no protection.
void flag_bargains(std::map<std::string, std::vector<Group>>& by_provider) {
  constexpr double kSuspicious = 0.3;
  const std::map<PriceKind, double> market = market_prices(by_provider);
  for (auto& [provider, groups] : by_provider)
    for (Group& group : groups)
      for (PriceText& price : group.prices)
        if (const auto amount = per_gpu(group, price))
          if (*amount < kSuspicious * market.at({group.sku.accelerator, price.currency}))
            flag(price, Pricing::on_demand, "below 0.3 of the median price of this GPU");
}

std::string file_text(const std::string& provider, std::vector<Group>& groups) {
  std::map<std::string, std::string> keys;  // document to key
  std::string sources;
  for (Group& group : groups)
    for (PriceText& price : group.prices) {
      const auto [place, added] =
          keys.try_emplace(price.source, fmt::format("s{}", keys.size() + 1));
      if (added)
        sources += (sources.empty() ? "" : ",\n") + json_text(place->second) + ": " +
                   json_text(place->first);
      price.source = place->second;
    }
  std::string text = fmt::format(
      "{{\"schema\": \"gpu-advisor/offers@1\", \"provider\": {}, \"sources\": {{\n{}\n}}, "
      "\"rows\": [\n",
      json_text(provider), sources);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    text += "{" + row_text(sku_fields(), groups[i].sku) + ", \"prices\": [";
    for (std::size_t j = 0; j < groups[i].prices.size(); ++j)
      text += (j == 0 ? "{" : ",\n  {") + row_text(price_fields(), groups[i].prices[j]) + "}";
    text += i + 1 < groups.size() ? "]},\n" : "]}\n";
  }
  return text + "]}\n";
}

}  // namespace

Result<Imported> import_offers(const std::vector<OfferCsv>& csvs, const GpuIds& gpu_ids,
                               std::string_view statuses) {
  GPU_ADVISOR_TRY(const auto status_rows, read_statuses(statuses));
  std::map<std::string, std::vector<Row>> rows;
  std::size_t total = 0;
  for (const OfferCsv& file : csvs) {
    GPU_ADVISOR_TRY(const Csv csv, Csv::parse(file.text, file.path));
    GPU_ADVISOR_CHECKED(
        csv.require({"provider", "instance_type", "region", "gpu_model", "gpu_count",
                     "price_on_demand", "price_spot", "currency", "as_of", "source", "notes"}));
    for (std::size_t i = 0; i < csv.size(); ++i) {
      GPU_ADVISOR_TRY(Row row, read_row(csv, i));
      rows[row.sku.sku.provider].push_back(std::move(row));
      ++total;
    }
  }
  Imported imported;
  std::map<std::string, std::vector<Group>> groups;
  std::set<std::string> unknown;
  for (auto& [provider, list] : rows)
    groups[provider] = group_rows(list, gpu_ids, status_rows);
  flag_bargains(groups);
  std::size_t skus = 0;
  for (auto& [provider, list] : groups) {
    for (const Group& group : list)
      if (group.sku.accelerator.empty())
        unknown.insert(group.sku.sku.gpu_name);
    skus += list.size();
    imported.files["offers/" + provider + ".json"] = file_text(provider, list);
  }
  imported.notes.push_back(
      fmt::format("{} price rows of {} SKUs of {} providers", total, skus, groups.size()));
  for (const std::string& name : unknown)
    imported.notes.push_back(fmt::format("no accelerator for \"{}\": listed, not ranked", name));
  return imported;
}

}  // namespace gpu_advisor::catalog
