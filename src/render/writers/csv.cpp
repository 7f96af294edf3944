#include "gpu_advisor/render/writers/writers.hpp"

namespace gpu_advisor::render {
namespace {

/// RFC 4180 section 2, rules 5 to 7.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos)
    return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"')
      result += '"';
    result += c;
  }
  return result + '"';
}

const std::string& raw(const Cell& cell) {
  return cell.raw.empty() ? cell.text : cell.raw;
}

template <typename T>
const T* first_of(const Document& document) {
  for (const Section& section : document.sections)
    if (const T* found = std::get_if<T>(&section))
      return found;
  return nullptr;
}

std::string table_csv(const Table& table) {
  std::string out;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    out += (i == 0 ? "" : ",") + quoted(table.columns[i].key);
  out += '\n';
  for (const Table::Row& row : table.rows) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      out += i == 0 ? "" : ",";
      out += i < row.cells.size() ? quoted(raw(row.cells[i])) : "";
    }
    out += '\n';
  }
  return out;
}

std::string facts_csv(const Facts& facts) {
  std::string out = "name,value\n";
  for (const auto& [label, cell] : facts.rows)
    out += quoted(label) + "," + quoted(raw(cell)) + "\n";
  return out;
}

}  // namespace

std::string write_csv(const Document& document, const WriterOptions& /*options*/) {
  if (const Table* table = first_of<Table>(document))
    return table_csv(*table);
  if (const Facts* facts = first_of<Facts>(document))
    return facts_csv(*facts);
  return "";
}

}  // namespace gpu_advisor::render
