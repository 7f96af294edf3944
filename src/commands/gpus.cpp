#include <algorithm>
#include <ostream>
#include <set>

#include "command_internal.hpp"
#include "gpu_advisor/render/present/format.hpp"
#include "gpu_advisor/render/present/lists.hpp"
#include "gpu_advisor/support/text.hpp"
#include "gpu_advisor/units/parse.hpp"
#include "list_internal.hpp"

namespace gpu_advisor::commands {
namespace {

using catalog::Accelerator;
using support::Result;

struct Row {
  std::uint32_t index = 0;
  const Accelerator* gpu = nullptr;
  std::optional<double> hourly;
};

double tensor_rate(const Accelerator& gpu) {
  const auto rate = gpu.bf16_matrix   ? gpu.bf16_matrix
                    : gpu.fp16_matrix ? gpu.fp16_matrix
                                      : gpu.fp32_vector;
  return rate ? rate->base() : 0;
}

/// How `--sort` orders: larger first for amounts, smaller first for prices; what is unknown comes
/// last.
const std::vector<SortKey<Row>>& sort_keys() {
  static const std::vector<SortKey<Row>> kKeys{
      {"name", nullptr},
      {"vram", [](const Row& r) { return std::optional(-r.gpu->memory.base()); }},
      {"bandwidth",
       [](const Row& r) {
         return r.gpu->bandwidth ? std::optional(-r.gpu->bandwidth->base()) : std::nullopt;
       }},
      {"tflops", [](const Row& r) { return std::optional(-tensor_rate(*r.gpu)); }},
      {"price-per-gpu", [](const Row& r) { return r.hourly; }},
      {"vram-per-dollar",
       [](const Row& r) {
         return r.hourly ? std::optional(-r.gpu->memory.base() / *r.hourly) : std::nullopt;
       }},
      {"tflops-per-dollar",
       [](const Row& r) {
         return r.hourly ? std::optional(-tensor_rate(*r.gpu) / *r.hourly) : std::nullopt;
       }},
      {"release",
       [](const Row& r) {
         return std::optional(
             -(r.gpu->release_date.year * 10000.0 + r.gpu->release_date.month * 100));
       }},
  };
  return kKeys;
}

bool named(const std::vector<std::string>& patterns, const std::string& text) {
  return patterns.empty() || std::ranges::any_of(patterns, [&text](const std::string& pattern) {
           return support::glob_match(pattern, text);
         });
}

Result<std::vector<Row>> rows_of(const Call& call, const catalog::Catalog& catalog) {
  std::set<std::uint32_t> matching;
  for (const std::string& pattern : call.values.all("--gpu")) {
    GPU_ADVISOR_TRY(const auto found, catalog.filter_accelerators(pattern));
    matching.insert(found.begin(), found.end());
  }
  GPU_ADVISOR_TRY(const auto least,
                  read_option<units::Bytes>(call.values, "--min-vram", units::parse_memory));
  const auto prices = render::cheapest_per_gpu(catalog);
  std::vector<Row> rows;
  for (std::uint32_t i = 0; i < catalog.accelerators().size(); ++i) {
    const Accelerator& gpu = catalog.accelerators()[i];
    if (call.values.has("--gpu") && !matching.contains(i))
      continue;
    if (least && gpu.memory < *least)
      continue;
    if (!named(call.values.all("--vendor"), gpu.vendor_name) ||
        !named(call.values.all("--family"), gpu.family))
      continue;
    rows.push_back({i, &gpu, prices[i]});
  }
  GPU_ADVISOR_CHECKED(sort_rows(call, sort_keys(), rows));
  return rows;
}

Result<ExitCode> show(const Call& call, const catalog::Catalog& catalog, const std::string& name) {
  GPU_ADVISOR_TRY(const auto match, catalog.find_accelerator(name));
  const auto index = static_cast<std::uint32_t>(match.accelerator - catalog.accelerators().data());
  render::Facts facts = render::gpu_facts(catalog, index);
  if (call.globals.format == "json") {
    call.world.out << render::facts_json("gpu-advisor/gpu@1", facts);
    return 0;
  }
  render::Document document;
  document.sections.emplace_back(std::move(facts));
  if (!match.note.empty())
    document.sections.emplace_back(render::Notes{
        .title = "", .tone = render::Tone::muted, .bullets = false, .lines = {match.note}});
  write_document(call, document);
  return 0;
}

}  // namespace

Result<ExitCode> run_gpus(const Call& call) {
  GPU_ADVISOR_TRY(const Verb verb, verb_of(call));
  GPU_ADVISOR_TRY(const catalog::Catalog catalog,
                  load_catalog(call, {.offers = true, .calibration = false}));
  if (verb.show)
    return show(call, catalog, verb.name);
  GPU_ADVISOR_TRY(const std::vector<Row> rows, rows_of(call, catalog));
  std::vector<std::uint32_t> shown;
  for (const Row& row : rows)
    shown.push_back(row.index);
  GPU_ADVISOR_TRY(const std::size_t limit, limit_of(call, shown.size()));
  const std::size_t total = shown.size();
  shown.resize(limit);
  return write_list(call, "gpu-advisor/gpu-list@1",
                    render::gpu_table(catalog, shown, call.globals.language), total);
}

Result<ExitCode> run_compare(const Call& call) {
  if (call.values.operands().size() < 2)
    return usage_error("", "compare needs two names or more");
  GPU_ADVISOR_TRY(const catalog::Catalog catalog,
                  load_catalog(call, {.offers = true, .calibration = false}));
  std::vector<std::uint32_t> gpus;
  std::vector<render::OfferLine> offers;
  for (const std::string& name : call.values.operands()) {
    const auto sku = std::ranges::find(catalog.skus(), name, &catalog::Sku::id);
    if (sku != catalog.skus().end()) {
      offers.push_back(cheapest_line(catalog,
                                     static_cast<std::uint32_t>(sku - catalog.skus().begin()),
                                     catalog::Pricing::on_demand));
      continue;
    }
    GPU_ADVISOR_TRY(const auto match, catalog.find_accelerator(name));
    gpus.push_back(static_cast<std::uint32_t>(match.accelerator - catalog.accelerators().data()));
  }
  if (!gpus.empty() && !offers.empty())
    return usage_error("", "compare GPUs with GPUs, or instances with instances");
  const render::Table table =
      offers.empty() ? render::gpu_comparison(catalog, gpus, call.globals.language)
                     : render::offer_table(catalog, offers, catalog::Pricing::on_demand,
                                           call.globals.language);
  return write_list(call, "gpu-advisor/comparison@1", table, table.rows.size());
}

}  // namespace gpu_advisor::commands
