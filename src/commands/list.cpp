#include <ostream>

#include "gpu_advisor/render/present/format.hpp"
#include "list_internal.hpp"

namespace gpu_advisor::commands {

support::Result<Verb> verb_of(const Call& call) {
  const auto& operands = call.values.operands();
  if (operands.empty() || (operands.size() == 1 && operands.front() == "list"))
    return Verb{};
  if (operands.front() != "show")
    return usage_error("", "unexpected \"" + operands.front() + "\"", "list, or show NAME");
  if (operands.size() < 2)
    return usage_error("", "show needs a name");
  std::string name = operands[1];
  for (std::size_t i = 2; i < operands.size(); ++i)
    name += " " + operands[i];
  return Verb{true, std::move(name)};
}

support::Result<std::size_t> limit_of(const Call& call, std::size_t rows) {
  GPU_ADVISOR_TRY(const auto limit, read_option<std::int64_t>(call.values, "--limit", parse_whole));
  return std::min(rows, static_cast<std::size_t>(limit.value_or(static_cast<std::int64_t>(rows))));
}

support::Result<ExitCode> write_list(const Call& call, std::string_view schema, render::Table table,
                                     std::size_t total) {
  const std::size_t shown = table.rows.size();
  if (call.globals.format == "json") {
    call.world.out << render::rows_json(schema, table);
  } else {
    render::Document document;
    document.sections.emplace_back(std::move(table));
    if (shown < total)
      document.sections.emplace_back(render::Notes{
          .title = "",
          .tone = render::Tone::muted,
          .bullets = false,
          .lines = {render::filled(
              render::text("list.count", call.globals.language),
              {{"shown", std::to_string(shown)}, {"total", std::to_string(total)}})}});
    write_document(call, document);
  }
  if (shown > 0)
    return 0;
  call.world.err << "gpu-advisor: nothing matches\n";
  return 1;
}

render::OfferLine cheapest_line(const catalog::Catalog& catalog, std::uint32_t sku,
                                catalog::Pricing pricing) {
  render::OfferLine line{.sku = sku, .price = 0, .more_regions = -1};
  const auto slot = static_cast<std::size_t>(pricing);
  std::optional<units::MoneyPerHour> lowest;
  for (const catalog::PriceRow& row : catalog.prices_of(sku)) {
    if (!row.prices[slot])
      continue;
    ++line.more_regions;
    if (lowest && *row.prices[slot] >= *lowest)
      continue;
    lowest = row.prices[slot];
    line.price = static_cast<std::uint32_t>(&row - catalog.prices().data());
  }
  return line;
}

}  // namespace gpu_advisor::commands
