#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gpu_advisor::render {

enum class Align { left, right };
/// Meaning, from which a writer that can colours or marks a cell.
enum class Tone { plain, good, warn, bad, muted, strong };

struct Column {
  std::string key;    // CSV and JSON name: "hourly_usd"
  std::string title;  // for people, in the user's language
  Align align = Align::left;
  int priority = 0;  // 0: never dropped; the highest number is dropped first in narrow terminals
  bool may_wrap = false;
};

struct Cell {
  std::string text;      // for people: "1.20"
  std::string raw = {};  // for CSV: "1.2"; empty: `text`
  Tone tone = Tone::plain;
};

/// Rows of cells; a note may stand under a row ("NVLink missing: …").
struct Table {
  std::string title;  // may be empty
  std::vector<Column> columns;
  struct Row {
    std::vector<Cell> cells;
    std::vector<std::pair<Tone, std::string>> notes = {};
  };
  std::vector<Row> rows;
};

/// Label and value pairs, one a line.
struct Facts {
  std::string title;
  std::vector<std::pair<std::string, Cell>> rows;
};

/// Paragraphs or list entries.
struct Notes {
  std::string title;
  Tone tone = Tone::plain;
  bool bullets = true;
  std::vector<std::string> lines;
};

using Section = std::variant<Table, Facts, Notes>;

/// What a command has to say to a person or a spreadsheet, without any domain type.
struct Document {
  std::string title;
  std::vector<Section> sections;
};

}  // namespace gpu_advisor::render
