#include "gpu_advisor/catalog/calibration.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <tuple>

#include "gpu_advisor/catalog/calibration_file.hpp"
#include "gpu_advisor/catalog/embedded.hpp"
#include "gpu_advisor/support/json.hpp"

namespace gpu_advisor::catalog {
namespace {

using support::JsonCursor;
using support::Result;

bool matches(const std::string& selector, std::string_view asked) {
  return selector.empty() || selector == asked;
}

/// Selectors that agree, the weightier first.
auto specificity(const CalibrationRow& row) {
  return std::tuple(!row.engine.empty(), !row.architecture.empty(), !row.dtype.empty(),
                    !row.task.empty());
}

auto identity(const CalibrationRow& row) {
  return std::tuple(std::string_view(row.constant), std::string_view(row.engine),
                    std::string_view(row.architecture), std::string_view(row.dtype),
                    std::string_view(row.task));
}

Result<CalibrationRow> parse_row(const JsonCursor& row) {
  GPU_ADVISOR_CHECKED(row.only({"constant", "architecture", "dtype", "engine", "task", "value",
                                "log_spread", "rows", "sources", "basis", "source"}));
  CalibrationRow parsed;
  GPU_ADVISOR_TRY(const JsonCursor constant, row.at("constant"));
  GPU_ADVISOR_TRY(parsed.constant, constant.text());
  GPU_ADVISOR_TRY(const JsonCursor value, row.at("value"));
  GPU_ADVISOR_TRY(parsed.value, value.number());
  const auto text = [&row](std::string_view key, std::string& out) -> support::Status {
    GPU_ADVISOR_TRY(const auto found, row.optional_text(key));
    out = found.value_or("");
    return support::ok();
  };
  GPU_ADVISOR_CHECKED(text("architecture", parsed.architecture));
  GPU_ADVISOR_CHECKED(text("dtype", parsed.dtype));
  GPU_ADVISOR_CHECKED(text("engine", parsed.engine));
  GPU_ADVISOR_CHECKED(text("task", parsed.task));
  GPU_ADVISOR_CHECKED(text("basis", parsed.basis));
  GPU_ADVISOR_CHECKED(text("source", parsed.source));
  GPU_ADVISOR_TRY(const auto spread, row.optional_number("log_spread"));
  parsed.log_spread = spread.value_or(0);
  GPU_ADVISOR_TRY(const auto rows, row.optional_integer("rows"));
  parsed.rows = static_cast<int>(rows.value_or(0));
  GPU_ADVISOR_TRY(const auto sources, row.optional_integer("sources"));
  parsed.sources = static_cast<int>(sources.value_or(0));
  return parsed;
}

}  // namespace

Calibration::Calibration(std::vector<CalibrationRow> rows) : rows_(std::move(rows)) {
  std::ranges::stable_sort(rows_, {}, identity);
}

const CalibrationRow* Calibration::find(const Key& key) const {
  const auto name = [](const CalibrationRow& row) { return std::string_view(row.constant); };
  const auto first = std::ranges::lower_bound(rows_, key.constant, {}, name);
  const auto last = std::ranges::upper_bound(rows_, key.constant, {}, name);
  const CalibrationRow* best = nullptr;
  for (const CalibrationRow& row : std::span(first, last))
    if (matches(row.engine, key.engine) && matches(row.architecture, key.architecture) &&
        matches(row.dtype, key.dtype) && matches(row.task, key.task) &&
        (best == nullptr || specificity(row) >= specificity(*best)))
      best = &row;
  return best;
}

double Calibration::value(const Key& key, double otherwise) const {
  const CalibrationRow* row = find(key);
  return row == nullptr ? otherwise : row->value;
}

Result<std::vector<CalibrationRow>> parse_calibration(std::string_view text,
                                                      std::string_view file) {
  GPU_ADVISOR_TRY(const support::Json json, support::parse_json(text, file));
  const JsonCursor root(json, std::string(file));
  GPU_ADVISOR_CHECKED(root.only({"schema", "notes", "rows"}));
  GPU_ADVISOR_TRY(const JsonCursor schema, root.at("schema"));
  GPU_ADVISOR_TRY(const std::string version, schema.text());
  if (version != "gpu-advisor/calibration@1")
    return schema.fail(support::ErrorCode::unsupported_version,
                       "expected \"gpu-advisor/calibration@1\"");
  GPU_ADVISOR_TRY(const JsonCursor list, root.at("rows"));
  GPU_ADVISOR_TRY(const auto elements, list.elements());
  std::vector<CalibrationRow> rows;
  for (const JsonCursor& element : elements) {
    GPU_ADVISOR_TRY(CalibrationRow row, parse_row(element));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string print_calibration(const std::vector<CalibrationRow>& rows) {
  std::vector<CalibrationRow> sorted = rows;
  std::ranges::stable_sort(sorted, {}, identity);
  std::string text = "{\"schema\": \"gpu-advisor/calibration@1\", \"rows\": [\n";
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const CalibrationRow& row = sorted[i];
    support::Json json = {{"constant", row.constant}};
    for (const auto& [key, value] : {std::pair{"architecture", &row.architecture},
                                     {"dtype", &row.dtype},
                                     {"engine", &row.engine},
                                     {"task", &row.task}})
      if (!value->empty())
        json[key] = *value;
    json["value"] = row.value;
    if (row.log_spread > 0)
      json["log_spread"] = row.log_spread;
    if (row.rows > 0)
      json["rows"] = row.rows;
    if (row.sources > 0)
      json["sources"] = row.sources;
    if (!row.basis.empty())
      json["basis"] = row.basis;
    if (!row.source.empty())
      json["source"] = row.source;
    text += "  " + json.dump() + (i + 1 < sorted.size() ? ",\n" : "\n");
  }
  return text + "]}\n";
}

Result<Calibration> load_calibration(const support::FileSource& files, bool embedded,
                                     const std::vector<std::string>& folders) {
  constexpr std::uint64_t kLargest = std::uint64_t{16} << 20;
  std::vector<CalibrationRow> rows;
  const auto add = [&rows](std::string_view text, std::string_view file) -> support::Status {
    GPU_ADVISOR_TRY(const auto parsed, parse_calibration(text, file));
    for (const CalibrationRow& row : parsed) {
      std::erase_if(rows,
                    [&row](const CalibrationRow& old) { return identity(old) == identity(row); });
      rows.push_back(row);
    }
    return support::ok();
  };
  if (embedded)
    for (const EmbeddedFile& file : embedded_files())
      if (file.path.starts_with("calibration/"))
        GPU_ADVISOR_CHECKED(add(file.content, file.path));
  for (const std::string& folder : folders) {
    const std::string path = folder + "/calibration";
    if (!files.is_folder(path))
      continue;
    GPU_ADVISOR_TRY(const auto names, files.list(path));
    for (const std::string& name : names) {
      if (!name.ends_with(".json"))
        continue;
      GPU_ADVISOR_TRY(const std::string text, files.read(path + "/" + name, kLargest));
      GPU_ADVISOR_CHECKED(add(text, path + "/" + name));
    }
  }
  return Calibration(std::move(rows));
}

}  // namespace gpu_advisor::catalog
