#include <fmt/format.h>

#include "gpu_advisor/catalog/import.hpp"
#include "gpu_advisor/support/csv.hpp"
#include "gpu_advisor/support/text.hpp"
#include "small_fields_internal.hpp"
#include "write_rows_internal.hpp"

namespace gpu_advisor::catalog {
namespace {

using support::Csv;
using support::Result;

/// "0.06-0.12" is a range; text that is no number stays in the notes.
void set_value(MarketRow& row, std::string_view cell) {
  if (cell.empty())
    return;
  const std::size_t dash = cell.find('-', 1);
  row.value = support::parse_number(cell.substr(0, dash));
  if (dash != std::string_view::npos && row.value)
    row.value_high = support::parse_number(cell.substr(dash + 1));
  if (!row.value)
    row.notes += fmt::format("{}value: {}", row.notes.empty() ? "" : "; ", cell);
}

/// A quarter ("2025-Q2") begins with its first month; what is no date stays in the notes.
void set_date(MarketRow& row, std::string_view cell) {
  constexpr std::size_t kQuarter = 6;  // in "2025-Q2"
  std::string text(cell);
  if (text.size() > kQuarter && text[kQuarter - 1] == 'Q' && text[kQuarter] >= '1' &&
      text[kQuarter] <= '4')
    text = fmt::format("{}-{:02}", text.substr(0, 4), (text[kQuarter] - '1') * 3 + 1);
  if (const auto date = parse_date(text))
    row.as_of = *date;
  else if (!text.empty() && text != "unknown")
    row.notes += fmt::format("{}as of {}", row.notes.empty() ? "" : "; ", cell);
}

Result<MarketRow> read_row(const Csv& csv, std::size_t at) {
  const auto cell = [&csv, at](std::string_view column) {
    return std::string(csv.cell(at, column));
  };
  MarketRow row{.id = cell("id"), .category = cell("category"), .item = cell("item")};
  if (row.id.empty() || row.category.empty())
    return csv.fail(at, "expected an id and a category");
  row.accelerator = cell("accelerator_id");
  GPU_ADVISOR_TRY(row.gpus, csv.number(at, "gpus"));
  GPU_ADVISOR_TRY(row.price_usd, csv.number(at, "price_usd"));
  row.unit = cell("unit");
  row.region = cell("region");
  row.notes = cell("notes");
  row.source = cell("source");
  set_value(row, csv.cell(at, "value"));
  set_date(row, csv.cell(at, "as_of"));
  return row;
}

}  // namespace

Result<Imported> import_market(std::string_view text, std::string_view file) {
  GPU_ADVISOR_TRY(const Csv csv, Csv::parse(text, file));
  GPU_ADVISOR_CHECKED(csv.require({"id", "category", "item", "accelerator_id", "gpus", "price_usd",
                                   "value", "unit", "region", "as_of", "notes", "source"}));
  std::map<std::string, MarketRow> rows;
  for (std::size_t at = 0; at < csv.size(); ++at) {
    GPU_ADVISOR_TRY(MarketRow row, read_row(csv, at));
    const std::string id = row.id;
    if (!rows.emplace(id, std::move(row)).second)
      return csv.fail(at, fmt::format("the id \"{}\" stands twice", id));
  }
  std::string out = "{\"schema\": \"gpu-advisor/hardware-prices@1\", \"rows\": [\n";
  std::size_t left = rows.size();
  for (const auto& [id, row] : rows)
    out += "{" + row_text(market_fields(), row) + (--left > 0 ? "},\n" : "}\n");
  Imported imported;
  imported.files["market/hardware-prices.json"] = out + "]}\n";
  imported.notes.push_back(fmt::format("{} market rows", rows.size()));
  return imported;
}

}  // namespace gpu_advisor::catalog
