#include <algorithm>
#include <array>

#include "gpu_advisor/render/writers/writers.hpp"
#include "gpu_advisor/support/text.hpp"
#include "printable_internal.hpp"
#include "table_fit_internal.hpp"

namespace gpu_advisor::render {
namespace {

/// How a tone looks: a colour (ECMA-48 SGR), and a mark in front of a note for those without.
struct Look {
  Tone tone;
  std::string_view sgr;
  std::string_view mark;
};
constexpr std::array kLooks{Look{Tone::plain, "", "- "},  Look{Tone::good, "32", "+ "},
                            Look{Tone::warn, "33", "! "}, Look{Tone::bad, "31", "x "},
                            Look{Tone::muted, "2", "- "}, Look{Tone::strong, "1", "- "}};
constexpr std::size_t kNoteIndent = 2;
constexpr int kNarrowest = 20;  // terminal columns; a narrower terminal breaks the lines itself
constexpr int kWidest = 200;    // longer lines are hard to follow

const Look& look(Tone tone) {
  return *std::ranges::find(kLooks, tone, &Look::tone);
}

class TableWriter {
 public:
  explicit TableWriter(const WriterOptions& options)
      : colour_(options.colour),
        quiet_(options.quiet),
        width_(static_cast<std::size_t>(std::clamp(options.width, kNarrowest, kWidest))) {}

  std::string write(const Document& document) {
    if (!quiet_)
      title(document.title);
    for (const Section& section : document.sections) {
      if (quiet_ && std::holds_alternative<Notes>(section))
        continue;
      if (!out_.empty())
        out_ += '\n';
      std::visit([this](const auto& part) { write_section(part); }, section);
    }
    return std::move(out_);
  }

 private:
  std::string toned(std::string_view text, Tone tone) const {
    const std::string_view sgr = look(tone).sgr;
    if (!colour_ || sgr.empty() || text.empty())
      return std::string(text);
    return "\x1b[" + std::string(sgr) + "m" + std::string(text) + "\x1b[0m";
  }

  void title(std::string_view text) {
    if (!text.empty())
      hanging("", one_line(text), Tone::strong);
  }

  void line(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    out_ += text + '\n';
  }

  /// `text` after `head`, its further lines below its first.
  void hanging(std::string_view head, std::string_view text, Tone tone) {
    const std::size_t indent = support::display_width(head);
    const std::size_t room = width_ > indent + kNoteIndent ? width_ - indent : kNoteIndent;
    bool first = true;
    for (const std::string& part : wrapped(printable(text), room)) {
      line((first ? std::string(head) : std::string(indent, ' ')) + toned(part, tone));
      first = false;
    }
  }

  void write_section(const Table& table) {
    title(table.title);
    const Table clean = printable_table(table);
    const TableFit fit = fit_table(clean, width_);
    heading(clean, fit);
    for (const Table::Row& row : clean.rows) {
      write_row(clean, fit, row);
      for (const auto& [tone, text] : row.notes)
        hanging(std::string(kNoteIndent, ' ') + std::string(look(tone).mark), text, tone);
    }
    if (!quiet_)
      name_dropped(clean, fit);
  }

  static Table printable_table(const Table& table) {
    Table clean = table;
    for (Column& column : clean.columns)
      column.title = one_line(column.title);
    for (Table::Row& row : clean.rows)
      for (Cell& cell : row.cells)
        cell.text = one_line(cell.text);
    return clean;
  }

  void heading(const Table& table, const TableFit& fit) {
    Table::Row titles;
    for (const Column& column : table.columns)
      titles.cells.push_back({.text = column.title, .tone = Tone::strong});
    write_row(table, fit, titles);
    std::string rule;
    for (const TableFit::Shown& shown : fit.shown) {
      rule += rule.empty() ? "" : std::string(kColumnGap, ' ');
      for (std::size_t i = 0; i < shown.width; ++i)
        rule += "─";
    }
    line(toned(rule, Tone::muted));
  }

  void write_row(const Table& table, const TableFit& fit, const Table::Row& row) {
    std::vector<std::vector<std::string>> parts;
    std::size_t height = 1;
    for (const TableFit::Shown& shown : fit.shown) {
      const std::string_view text =
          shown.column < row.cells.size() ? std::string_view(row.cells[shown.column].text) : "";
      parts.push_back(lines_of(table.columns[shown.column], text, shown.width));
      height = std::max(height, parts.back().size());
    }
    for (std::size_t at = 0; at < height; ++at) {
      std::string text;
      for (std::size_t i = 0; i < fit.shown.size(); ++i) {
        const std::size_t column = fit.shown[i].column;
        const Tone tone = column < row.cells.size() ? row.cells[column].tone : Tone::plain;
        const std::string part = at < parts[i].size() ? parts[i][at] : "";
        text += i == 0 ? "" : std::string(kColumnGap, ' ');
        text += padded(part, fit.shown[i].width, table.columns[column].align, tone);
      }
      line(std::move(text));
    }
  }

  static std::vector<std::string> lines_of(const Column& column, std::string_view text,
                                           std::size_t width) {
    if (column.align == Align::right)
      return {std::string(text)};
    if (column.may_wrap)
      return wrapped(text, width);
    return {shortened(text, width)};
  }

  std::string padded(const std::string& text, std::size_t width, Align align, Tone tone) const {
    const std::size_t used = support::display_width(text);
    const std::string blanks(width > used ? width - used : 0, ' ');
    return align == Align::right ? blanks + toned(text, tone) : toned(text, tone) + blanks;
  }

  /// Says which columns had no room, so that nobody takes them for unknown.
  void name_dropped(const Table& table, const TableFit& fit) {
    std::string names;
    for (const std::size_t column : fit.dropped)
      names += (names.empty() ? "" : ", ") + table.columns[column].title;
    if (!names.empty())
      hanging("… ", names, Tone::muted);
  }

  void write_section(const Facts& facts) {
    title(facts.title);
    std::size_t label_width = 0;
    for (const auto& [label, cell] : facts.rows)
      label_width = std::max(label_width, support::display_width(one_line(label)));
    label_width = std::min(label_width, width_ / 2);
    for (const auto& [label, cell] : facts.rows) {
      const std::string shown = shortened(one_line(label), label_width);
      hanging(padded(shown, label_width, Align::left, Tone::plain) + std::string(kColumnGap, ' '),
              cell.text, cell.tone);
    }
  }

  void write_section(const Notes& notes) {
    title(notes.title);
    for (const std::string& text : notes.lines)
      hanging(notes.bullets ? look(notes.tone).mark : "", text, notes.tone);
  }

  bool colour_;
  bool quiet_;
  std::size_t width_;
  std::string out_;
};

}  // namespace

std::string write_table(const Document& document, const WriterOptions& options) {
  return TableWriter(options).write(document);
}

}  // namespace gpu_advisor::render
