#include "gpu_advisor/render/writers/writers.hpp"
#include "printable_internal.hpp"

namespace gpu_advisor::render {
namespace {

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/// Text that GitHub's Markdown shows as it is: inline marks and table bars are escaped, an
/// underscore inside a word needs none. On one line.
std::string escaped(std::string_view text) {
  constexpr std::string_view kMarks = "\\`*_[]<>|~$";
  const std::string line = one_line(text);
  std::string result;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool inside =
        i > 0 && i + 1 < line.size() && is_word(line[i - 1]) && is_word(line[i + 1]);
    if (kMarks.find(line[i]) != std::string_view::npos && !(line[i] == '_' && inside))
      result += '\\';
    result += line[i];
  }
  return result;
}

/// Text as a list entry or paragraph may begin with it: no mark of a block.
std::string block_text(std::string_view text) {
  std::string result = escaped(text);
  if (!result.empty() && std::string_view("#+-=").find(result.front()) != std::string_view::npos)
    result.insert(0, "\\");
  return result;
}

void title(std::string& out, std::string_view level, const std::string& text) {
  if (!text.empty())
    out += std::string(level) + " " + escaped(text) + "\n\n";
}

void write_notes_of_rows(std::string& out, const Table& table) {
  std::string notes;
  for (const Table::Row& row : table.rows)
    for (const auto& [tone, text] : row.notes)
      notes += "- **" + (row.cells.empty() ? "" : escaped(row.cells.front().text)) +
               "**: " + escaped(text) + "\n";
  if (!notes.empty())
    out += "\n" + notes;
}

void write_section(std::string& out, const Table& table) {
  title(out, "##", table.title);
  std::string rule = "|";
  out += "|";
  for (const Column& column : table.columns) {
    out += " " + escaped(column.title) + " |";
    rule += column.align == Align::right ? " ---: |" : " --- |";
  }
  out += "\n" + rule + "\n";
  for (const Table::Row& row : table.rows) {
    out += "|";
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      out += " " + (i < row.cells.size() ? escaped(row.cells[i].text) : "") + " |";
    out += "\n";
  }
  write_notes_of_rows(out, table);
}

void write_section(std::string& out, const Facts& facts) {
  title(out, "##", facts.title);
  for (const auto& [label, cell] : facts.rows)
    out += "- **" + escaped(label) + "**: " + escaped(cell.text) + "\n";
}

void write_section(std::string& out, const Notes& notes) {
  title(out, "##", notes.title);
  bool first = true;
  for (const std::string& line : notes.lines) {
    out += (notes.bullets ? "- " : first ? "" : "\n") + block_text(line) + "\n";
    first = false;
  }
}

}  // namespace

std::string write_markdown(const Document& document, const WriterOptions& options) {
  std::string out;
  title(out, "#", document.title);
  for (const Section& section : document.sections) {
    if (options.quiet && std::holds_alternative<Notes>(section))
      continue;
    if (!out.empty() && !out.ends_with("\n\n"))
      out += "\n";
    std::visit([&out](const auto& part) { write_section(out, part); }, section);
  }
  return out;
}

}  // namespace gpu_advisor::render
