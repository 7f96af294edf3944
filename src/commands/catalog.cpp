#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <ostream>

#include "gpu_advisor/catalog/embedded.hpp"
#include "gpu_advisor/catalog/import.hpp"
#include "gpu_advisor/catalog/validate.hpp"
#include "gpu_advisor/model/import.hpp"
#include "list_internal.hpp"

namespace gpu_advisor::commands {
namespace {

using support::Error;
using support::ErrorCode;
using support::Result;

constexpr std::uint64_t kLargestCsv = std::uint64_t{256} << 20;

render::Table provider_table(const catalog::CatalogInfo& info) {
  render::Table table;
  table.columns = {{"provider", "provider", render::Align::left, 0},
                   {"skus", "SKUs", render::Align::right, 0},
                   {"prices", "prices", render::Align::right, 0},
                   {"unpriced_skus", "no price", render::Align::right, 1},
                   {"flagged", "flagged", render::Align::right, 2},
                   {"oldest", "oldest", render::Align::left, 0},
                   {"newest", "newest", render::Align::left, 0}};
  for (const auto& provider : info.providers)
    table.rows.push_back({.cells = {{provider.id},
                                    {std::to_string(provider.skus)},
                                    {std::to_string(provider.prices)},
                                    {std::to_string(provider.unpriced)},
                                    {std::to_string(provider.flagged)},
                                    {provider.oldest.text()},
                                    {provider.newest.text()}}});
  return table;
}

render::Document info_document(const catalog::CatalogInfo& info) {
  render::Document document;
  int gpus = 0, skus = 0, prices = 0;
  std::string makers;
  for (const auto& [maker, count] : info.accelerators) {
    gpus += count;
    makers += fmt::format("{}{} {}", makers.empty() ? "" : ", ", maker, count);
  }
  for (const auto& provider : info.providers) {
    skus += provider.skus;
    prices += provider.prices;
  }
  render::Facts facts{.title = "", .rows = {}};
  const auto add = [&facts](std::string label, std::string value) {
    facts.rows.emplace_back(std::move(label), render::Cell{.text = std::move(value)});
  };
  add("accelerators", fmt::format("{} ({})", gpus, makers));
  add("announced", std::to_string(info.announced));
  add("end of life", std::to_string(info.end_of_life));
  add("SKUs", std::to_string(skus));
  add("price rows", fmt::format("{} of {} providers", prices, info.providers.size()));
  add("prices from",
      fmt::format("{} to {}, {} undated", info.oldest.text(), info.newest.text(), info.undated));
  document.sections.emplace_back(provider_table(info));
  document.sections.insert(document.sections.begin(), std::move(facts));
  std::vector<std::string> left_out;
  for (const auto& [reason, count] : info.flags)
    left_out.push_back(fmt::format("{} price rows: {}", count, reason));
  for (const auto& [card, count] : info.unknown_cards)
    left_out.push_back(fmt::format("{} price rows: no accelerator for \"{}\"", count, card));
  document.sections.emplace_back(render::Notes{.title = "Listed, not ranked",
                                               .tone = render::Tone::muted,
                                               .bullets = true,
                                               .lines = std::move(left_out)});
  return document;
}

Result<ExitCode> info(const Call& call) {
  GPU_ADVISOR_TRY(const catalog::Catalog catalog, load_catalog(call));
  const catalog::CatalogInfo info = catalog::catalog_info(catalog);
  if (call.globals.format == "json")
    call.world.out << render::rows_json("gpu-advisor/catalog-info@1", provider_table(info));
  else
    write_document(call, info_document(info));
  return 0;
}

Result<ExitCode> validate(const Call& call) {
  GPU_ADVISOR_TRY(const catalog::Catalog catalog, load_catalog(call));
  const auto found = catalog::validate_catalog(catalog, call.world.today);
  render::Table table;
  table.columns = {{"severity", "severity", render::Align::left, 0},
                   {"where", "where", render::Align::left, 0, true},
                   {"message", "message", render::Align::left, 0, true}};
  for (const catalog::Diagnostic& one : found)
    table.rows.push_back(
        {.cells = {{one.severity == catalog::Diagnostic::Severity::note ? "note" : "warning"},
                   {one.error.location.file},
                   {one.error.message}}});
  if (call.globals.format == "json") {
    call.world.out << render::rows_json("gpu-advisor/diagnostics@1", table);
    return 0;
  }
  render::Document document;
  const std::size_t count = table.rows.size();
  if (count > 0)
    document.sections.emplace_back(std::move(table));
  document.sections.emplace_back(
      render::Notes{.title = "",
                    .tone = render::Tone::plain,
                    .bullets = false,
                    .lines = {fmt::format("no errors, {} warnings and notes", count)}});
  write_document(call, document);
  return 0;
}

std::string_view embedded_text(std::string_view path) {
  for (const catalog::EmbeddedFile& file : catalog::embedded_files())
    if (file.path == path)
      return file.content;
  return {};
}

Result<std::vector<catalog::OfferCsv>> read_csvs(const Call& call) {
  std::vector<catalog::OfferCsv> csvs;
  for (std::size_t i = 1; i < call.values.operands().size(); ++i) {
    const std::string& path = call.values.operands()[i];
    GPU_ADVISOR_TRY(std::string text, call.world.files.read(path, kLargestCsv));
    csvs.push_back({path, std::move(text)});
  }
  if (csvs.empty())
    return usage_error("", "import needs CSV files");
  return csvs;
}

Result<catalog::Imported> import_files(const Call& call, const std::string& format) {
  GPU_ADVISOR_TRY(const auto csvs, read_csvs(call));
  if (format == "offers-csv") {
    GPU_ADVISOR_TRY(const catalog::Catalog known,
                    load_catalog(call, {.offers = false, .calibration = false}));
    const auto id_of = [&known](std::string_view name) {
      const auto match = known.find_accelerator(name);
      return match ? match->accelerator->id : std::string();
    };
    return catalog::import_offers(csvs, id_of, embedded_text("import/offer-statuses.json"));
  }
  if (csvs.size() > 1)
    return usage_error("", format + " takes one file");
  if (format == "accelerators-csv")
    return catalog::import_accelerators(csvs.front().text, csvs.front().path,
                                        embedded_text("import/accelerators.json"));
  GPU_ADVISOR_TRY(auto models, model::import_models_csv(csvs.front().text, csvs.front().path,
                                                        embedded_text("import/models.json")));
  return catalog::Imported{std::move(models.files), std::move(models.notes)};
}

Result<ExitCode> import(const Call& call) {
  const auto format = call.values.get("--import-format");
  const auto output = call.values.get("--output");
  if (!format)
    return usage_error("--import-format", "is missing",
                       "accelerators-csv, offers-csv or models-csv");
  if (!output)
    return usage_error("--output", "is missing", "the folder for the data files");
  GPU_ADVISOR_TRY(const catalog::Imported imported, import_files(call, *format));
  for (const auto& [path, text] : imported.files) {
    const std::filesystem::path target = std::filesystem::path(*output) / path;
    std::error_code code;
    std::filesystem::create_directories(target.parent_path(), code);
    std::ofstream file(target, std::ios::binary);
    file << text;
    if (!file)
      return Error{.code = ErrorCode::file_unreadable,
                   .message = "cannot be written",
                   .location = {.file = target.string()}};
    call.world.out << target.string() << '\n';
  }
  for (const std::string& note : imported.notes)
    call.world.err << note << '\n';
  return 0;
}

Result<ExitCode> diff(const Call& call) {
  if (call.values.operands().size() != 2)
    return usage_error("", "diff needs a data folder");
  GPU_ADVISOR_TRY(const catalog::Catalog before, load_catalog(call));
  Call with = call;
  with.globals.folders.push_back(call.values.operands()[1]);
  GPU_ADVISOR_TRY(const catalog::Catalog after, load_catalog(with));
  const auto lines = catalog::catalog_difference(before, after);
  render::Document document;
  document.sections.emplace_back(
      render::Notes{.title = "",
                    .tone = render::Tone::plain,
                    .bullets = false,
                    .lines = lines.empty() ? std::vector<std::string>{"no difference"} : lines});
  if (call.globals.format == "json") {
    render::Table table;
    table.columns = {{"change", "change", render::Align::left, 0}};
    for (const std::string& line : lines)
      table.rows.push_back({.cells = {{line}}});
    call.world.out << render::rows_json("gpu-advisor/catalog-diff@1", table);
  } else {
    write_document(call, document);
  }
  return lines.empty() ? 0 : 1;
}

/// Copies data files into the user's folder, after they have proved to load.
Result<ExitCode> update(const Call& call) {
  if (call.values.operands().size() != 2)
    return usage_error("", "update needs a data folder",
                       "gpu-advisor works offline: give a folder that you fetched");
  const std::filesystem::path source = call.values.operands()[1];
  Call with = call;
  with.globals.folders.push_back(source.string());
  GPU_ADVISOR_TRY(const catalog::Catalog loaded, load_catalog(with));
  const auto config = call.world.environment("XDG_CONFIG_HOME");
  const auto home = call.world.environment("HOME");
  if (!config && !home)
    return usage_error("", "neither XDG_CONFIG_HOME nor HOME is set");
  const std::filesystem::path target =
      (config && !config->empty() ? std::filesystem::path(*config)
                                  : std::filesystem::path(*home) / ".config") /
      "gpu-advisor";
  if (!call.values.has("--apply")) {
    call.world.out << fmt::format("{} loads; --apply copies it to {}\n", source.string(),
                                  target.string());
    return 0;
  }
  std::error_code code;
  std::filesystem::create_directories(target, code);
  std::filesystem::copy(
      source, target,
      std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing,
      code);
  if (code)
    return Error{.code = ErrorCode::file_unreadable,
                 .message = code.message(),
                 .location = {.file = target.string()}};
  call.world.out << fmt::format("copied to {}\n", target.string());
  return 0;
}

struct Action {
  std::string_view name;
  Result<ExitCode> (*run)(const Call&);
};
constexpr Action kActions[] = {
    {"info", info}, {"validate", validate}, {"import", import}, {"diff", diff}, {"update", update}};

}  // namespace

Result<ExitCode> run_catalog(const Call& call) {
  const std::string name = call.values.operands().empty() ? "info" : call.values.operands().front();
  std::vector<std::string> names;
  for (const Action& verb : kActions) {
    if (verb.name == name)
      return verb.run(call);
    names.emplace_back(verb.name);
  }
  return usage_error("", "unexpected \"" + name + "\"", "info, validate, import, diff or update");
}

}  // namespace gpu_advisor::commands
