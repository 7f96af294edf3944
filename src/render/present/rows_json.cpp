#include <nlohmann/json.hpp>

#include "gpu_advisor/render/present/lists.hpp"
#include "gpu_advisor/support/text.hpp"

namespace gpu_advisor::render {
namespace {

using Json = nlohmann::ordered_json;

Json value_of(const Cell& cell) {
  const std::string& text = cell.raw.empty() ? cell.text : cell.raw;
  if (text.empty() || text == "?")
    return nullptr;
  if (const auto number = support::parse_number(text))
    return *number;
  return text;
}

}  // namespace

std::string rows_json(std::string_view schema, const Table& table) {
  Json rows = Json::array();
  for (const Table::Row& row : table.rows) {
    Json object = Json::object();
    for (std::size_t i = 0; i < table.columns.size() && i < row.cells.size(); ++i)
      object[table.columns[i].key] = value_of(row.cells[i]);
    rows.push_back(std::move(object));
  }
  return Json{{"schema", schema}, {"rows", std::move(rows)}}.dump(1) + "\n";
}

std::string facts_json(std::string_view schema, const Facts& facts) {
  Json json = {{"schema", schema}};
  for (const auto& [name, cell] : facts.rows)
    json[name] = value_of(cell);
  return json.dump(1) + "\n";
}

}  // namespace gpu_advisor::render
