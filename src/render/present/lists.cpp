#include "gpu_advisor/render/present/lists.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "gpu_advisor/render/present/format.hpp"
#include "gpu_advisor/units/parse.hpp"

namespace gpu_advisor::render {
namespace {

using catalog::Accelerator;

/// A cell with the exact figure for machines.
Cell number(const std::optional<double>& value, Tone tone = Tone::plain) {
  if (!value)
    return {.text = "?", .raw = "", .tone = Tone::muted};
  return {.text = short_number(*value), .raw = fmt::format("{:.9g}", *value), .tone = tone};
}

template <typename Q>
std::optional<double> in_unit(const std::optional<Q>& amount, Q unit) {
  if (!amount)
    return std::nullopt;
  return *amount / unit;
}

std::optional<double> tflops(const std::optional<units::FlopsPerSecond>& rate) {
  return in_unit(rate, units::tflops_per_second(1));
}

std::optional<double> gib(units::Bytes size) {
  if (size == units::Bytes{})
    return std::nullopt;
  return size / units::gib(1);
}

std::string status_of(const Accelerator& gpu) {
  if (gpu.status == catalog::AcceleratorStatus::announced)
    return "announced";
  return gpu.status == catalog::AcceleratorStatus::end_of_life ? "end of life" : "";
}

Cell money(const std::optional<double>& amount) {
  if (!amount)
    return {.text = "?", .raw = "", .tone = Tone::muted};
  return {.text = price(*amount), .raw = fmt::format("{:.6g}", *amount)};
}

std::string say(std::string_view key, Language language) {
  return std::string(text(key, language));
}

Column right(std::string key, std::string title, int priority) {
  return {std::move(key), std::move(title), Align::right, priority};
}

}  // namespace

std::vector<std::optional<double>> cheapest_per_gpu(const catalog::Catalog& catalog) {
  std::vector<std::optional<double>> lowest(catalog.accelerators().size());
  for (const catalog::PriceRow& row : catalog.prices()) {
    const catalog::Sku& sku = catalog.skus()[row.sku];
    constexpr auto kOnDemand = static_cast<std::size_t>(catalog::Pricing::on_demand);
    if (sku.accelerator == catalog::kNoAccelerator || sku.gpus < 1 || sku.status == "component" ||
        sku.status == "retired" || !row.prices[kOnDemand] || row.flagged[kOnDemand])
      continue;
    const double each = row.prices[kOnDemand]->dollars() / sku.gpus;
    auto& known = lowest[sku.accelerator];
    if (!known || each < *known)
      known = each;
  }
  return lowest;
}

Table gpu_table(const catalog::Catalog& catalog, std::span<const std::uint32_t> shown,
                Language language) {
  Table table;
  table.columns = {{"id", "id", Align::left, 4},
                   {"name", say("column.name", language), Align::left, 0, true},
                   {"architecture", say("column.architecture", language), Align::left, 5},
                   right("compute_capability", "CC", 9),
                   right("memory_gib", "GiB", 0),
                   right("usable_gib", say("column.usable", language), 6),
                   right("memory_bandwidth_gbps", "GB/s", 1),
                   right("fp16_tflops", "fp16", 1),
                   right("bf16_tflops", "bf16", 7),
                   right("fp8_tflops", "fp8", 3),
                   right("fp32_tflops", "fp32", 8),
                   right("tdp_w", "W", 3),
                   {"link", say("column.link", language), Align::left, 10},
                   right("usd_per_gpu_hour", "USD/h", 0),
                   {"status", say("column.status", language), Align::left, 2}};
  const auto prices = cheapest_per_gpu(catalog);
  for (const std::uint32_t index : shown) {
    const Accelerator& gpu = catalog.accelerators()[index];
    const bool known = gpu.memory > units::Bytes{};
    table.rows.push_back({.cells = {{gpu.id},
                                    {gpu.name},
                                    {gpu.architecture},
                                    number(gpu.compute_capability),
                                    number(gib(gpu.memory)),
                                    number(known ? gib(gpu.usable_memory()) : std::nullopt),
                                    number(in_unit(gpu.bandwidth, units::gb_per_second(1))),
                                    number(tflops(gpu.fp16_matrix)),
                                    number(tflops(gpu.bf16_matrix)),
                                    number(tflops(gpu.fp8_matrix)),
                                    number(tflops(gpu.fp32_vector)),
                                    number(in_unit(gpu.tdp, units::watts(1))),
                                    {gpu.link_name},
                                    money(prices[index]),
                                    {status_of(gpu)}}});
  }
  return table;
}

Facts gpu_facts(const catalog::Catalog& catalog, std::uint32_t index) {
  const Accelerator& gpu = catalog.accelerators()[index];
  Facts facts{.title = gpu.name, .rows = {}};
  const auto text_row = [&facts](std::string label, const std::string& value) {
    if (!value.empty())
      facts.rows.emplace_back(std::move(label), Cell{.text = value});
  };
  const auto number_row = [&facts](std::string label, const std::optional<double>& value) {
    facts.rows.emplace_back(std::move(label), number(value));
  };
  text_row("id", gpu.id);
  text_row("vendor", gpu.vendor_name);
  text_row("family", gpu.family);
  text_row("architecture", gpu.architecture);
  text_row("status", status_of(gpu));
  text_row("form_factor", gpu.form_factor);
  text_row("release_date", gpu.release_date.known() ? gpu.release_date.text() : "");
  number_row("compute_capability", gpu.compute_capability);
  text_row("target", gpu.target);
  number_row("memory_gib", gib(gpu.memory));
  number_row("usable_memory_gib",
             gpu.memory > units::Bytes{} ? gib(gpu.usable_memory()) : std::nullopt);
  text_row("memory_type", gpu.memory_type);
  number_row("memory_bandwidth_gbps", in_unit(gpu.bandwidth, units::gb_per_second(1)));
  number_row("cores", gpu.cores);
  number_row("tensor_cores", gpu.tensor_cores);
  number_row("fp64_tflops", tflops(gpu.fp64_vector));
  number_row("fp32_tflops", tflops(gpu.fp32_vector));
  number_row("tf32_tflops", tflops(gpu.tf32_matrix));
  number_row("fp16_tflops", tflops(gpu.fp16_matrix));
  number_row("bf16_tflops", tflops(gpu.bf16_matrix));
  number_row("fp8_tflops", tflops(gpu.fp8_matrix));
  number_row("fp4_tflops", tflops(gpu.fp4_matrix));
  number_row("int8_tops", tflops(gpu.int8_matrix));
  number_row("tdp_w", in_unit(gpu.tdp, units::watts(1)));
  text_row("link", gpu.link_name);
  number_row("link_gbps", in_unit(gpu.link_bandwidth, units::gb_per_second(1)));
  number_row("pcie_generation", gpu.pcie_generation);
  number_row("mig_max_instances", gpu.mig_max_instances);
  facts.rows.emplace_back("usd_per_gpu_hour", money(cheapest_per_gpu(catalog)[index]));
  number_row("msrp_usd", gpu.msrp_usd);
  text_row("notes", gpu.notes);
  text_row("source", gpu.source);
  return facts;
}

Table offer_table(const catalog::Catalog& catalog, std::span<const OfferLine> lines,
                  catalog::Pricing pricing, Language language) {
  Table table;
  table.columns = {{"provider", say("column.provider", language), Align::left, 0},
                   {"instance_type", say("column.instance", language), Align::left, 0, true},
                   right("gpus", "GPUs", 0),
                   {"gpu", "GPU", Align::left, 0, true},
                   right("gpu_memory_gib", "GiB", 3),
                   right("vcpus", "vCPU", 5),
                   right("ram_gib", "RAM GiB", 4),
                   {"link", say("column.link", language), Align::left, 6},
                   {"fabric", say("column.fabric", language), Align::left, 7},
                   right("usd_per_hour", "USD/h", 0),
                   right("usd_per_gpu_hour", "USD/GPU/h", 2),
                   {"region", say("column.region", language), Align::left, 8, true},
                   {"price_as_of", say("column.price_date", language), Align::left, 9},
                   {"status", say("column.status", language), Align::left, 10}};
  for (const OfferLine& line : lines) {
    const catalog::Sku& sku = catalog.skus()[line.sku];
    const bool priced = line.more_regions >= 0;
    const catalog::PriceRow* row = priced ? &catalog.prices()[line.price] : nullptr;
    const auto amount =
        row != nullptr ? row->prices[static_cast<std::size_t>(pricing)] : std::nullopt;
    const std::optional<double> hourly = amount ? std::optional(amount->dollars()) : std::nullopt;
    const std::string region = row == nullptr ? "" : catalog.regions()[row->region];
    const std::string more = line.more_regions > 0 ? fmt::format(" +{}", line.more_regions) : "";
    const bool whole = sku.gpus >= 1;
    table.rows.push_back(
        {.cells = {
             {sku.provider},
             {sku.instance_type},
             {sku.gpus > 0 ? fmt::format("{:.3g}", sku.gpus) : "?"},
             {sku.accelerator == catalog::kNoAccelerator
                  ? sku.gpu_name
                  : catalog.accelerators()[sku.accelerator].name},
             number(in_unit(sku.gpu_memory, units::gib(1))),
             number(sku.vcpus),
             number(in_unit(sku.ram, units::gib(1))),
             {sku.link == catalog::NodeLink::unknown ? "" : std::string(catalog::name(sku.link))},
             {sku.fabric == catalog::Fabric::unknown ? "" : std::string(catalog::name(sku.fabric))},
             money(hourly),
             money(hourly && whole ? std::optional(*hourly / sku.gpus) : std::nullopt),
             {region + more, region},
             {row != nullptr && row->as_of.known() ? row->as_of.text() : ""},
             {sku.status.empty() && row != nullptr ? row->flag : sku.status}}});
  }
  return table;
}

Document offer_document(const catalog::Catalog& catalog, std::uint32_t index, Language language) {
  const catalog::Sku& sku = catalog.skus()[index];
  Document document;
  document.title = sku.id;
  const OfferLine line{.sku = index, .price = 0, .more_regions = -1};
  const Table one =
      offer_table(catalog, std::span(&line, 1), catalog::Pricing::on_demand, language);
  Facts facts{.title = "", .rows = {}};
  constexpr std::size_t kSkuColumns = 9;
  for (std::size_t i = 0; i < kSkuColumns; ++i)
    facts.rows.emplace_back(one.columns[i].title, one.rows.front().cells[i]);
  if (!sku.status.empty())
    facts.rows.emplace_back(say("column.status", language), Cell{.text = sku.status});
  if (!sku.notes.empty())
    facts.rows.emplace_back("notes", Cell{.text = sku.notes});
  Table prices;
  prices.columns = {{"region", say("column.region", language), Align::left, 0, true}};
  for (std::size_t i = 0; i < catalog::kPricingCount; ++i) {
    const std::string title(catalog::name(static_cast<catalog::Pricing>(i)));
    prices.columns.push_back(right(title, title, 0));
  }
  prices.columns.push_back({"price_as_of", say("column.price_date", language), Align::left, 1});
  prices.columns.push_back({"flag", say("column.status", language), Align::left, 2, true});
  for (const catalog::PriceRow& row : catalog.prices_of(index)) {
    Table::Row cells{.cells = {{catalog.regions()[row.region]}}};
    for (const auto& amount : row.prices)
      cells.cells.push_back(money(amount ? std::optional(amount->dollars()) : std::nullopt));
    cells.cells.push_back({row.as_of.text()});
    cells.cells.push_back({row.flag});
    prices.rows.push_back(std::move(cells));
  }
  document.sections.emplace_back(std::move(prices));
  document.sections.insert(document.sections.begin(), std::move(facts));
  return document;
}

Table model_table(std::span<const model::PresetSummary> presets, Language language) {
  Table table;
  table.columns = {{"id", "id", Align::left, 0, true},
                   {"family", say("column.family", language), Align::left, 4},
                   {"modality", say("column.modality", language), Align::left, 2},
                   right("params", say("column.parameters", language), 0),
                   right("active_params", say("column.active", language), 3),
                   right("max_context", say("column.context", language), 1),
                   {"license", say("column.licence", language), Align::left, 5},
                   {"release_date", say("column.date", language), Align::left, 6}};
  for (const model::PresetSummary& preset : presets) {
    const auto count = [](double value) {
      return value > 0
                 ? Cell{.text = units::print_count(value), .raw = fmt::format("{:.0f}", value)}
                 : Cell{.text = "?"};
    };
    table.rows.push_back(
        {.cells = {{preset.id},
                   {preset.family},
                   {preset.modality},
                   count(preset.parameters),
                   preset.active_parameters < preset.parameters ? count(preset.active_parameters)
                                                                : Cell{},
                   {preset.max_context ? std::to_string(*preset.max_context) : ""},
                   {preset.license},
                   {preset.release_date}}});
  }
  return table;
}

Table rule_table(const rules::RuleSet& rules, Language language) {
  Table table;
  table.columns = {{"id", "id", Align::left, 0},
                   {"stage", say("column.stage", language), Align::left, 0},
                   {"topic", say("column.topic", language), Align::left, 2},
                   {"message", say("column.message", language), Align::left, 1, true}};
  for (const rules::Rule& rule : rules.rules())
    table.rows.push_back({.cells = {{rule.id},
                                    {std::string(rules::name(rule.stage))},
                                    {rule.topic},
                                    {language == Language::zh ? rule.zh.text() : rule.en.text()}}});
  return table;
}

Table gpu_comparison(const catalog::Catalog& catalog, std::span<const std::uint32_t> gpus,
                     Language language) {
  Table table;
  table.columns = {{"figure", say("column.part", language), Align::left, 0}};
  for (const std::uint32_t index : gpus)
    table.columns.push_back(
        right(catalog.accelerators()[index].id, catalog.accelerators()[index].name, 0));
  const Table list = gpu_table(catalog, gpus, language);
  // From the architecture on: id and name head the columns.
  constexpr std::size_t kFirst = 2;
  for (std::size_t column = kFirst; column < list.columns.size(); ++column) {
    Table::Row row{.cells = {{list.columns[column].key}}};
    for (const Table::Row& gpu : list.rows)
      row.cells.push_back(gpu.cells[column]);
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace gpu_advisor::render
