#include <fmt/format.h>
#include <simdjson.h>
#include <utility>

#include "preset_file_internal.hpp"

namespace gpu_advisor::model {
namespace {

using simdjson::ondemand::field;
using support::Error;
using support::ErrorCode;
using support::JsonCursor;
using support::Result;

const std::vector<std::string>& row_keys() {
  static const std::vector<std::string> kKeys{"id",
                                              "name",
                                              "aliases",
                                              "family",
                                              "developer",
                                              "release_date",
                                              "license",
                                              "license_basis",
                                              "modality",
                                              "arch",
                                              "architecture",
                                              "parameters",
                                              "active_parameters",
                                              "parameters_basis",
                                              "max_context",
                                              "dtype",
                                              "config",
                                              "parts",
                                              "gmacs",
                                              "activations_m",
                                              "resolution",
                                              "patch",
                                              "source",
                                              "notes"};
  return kKeys;
}

std::string* text_member(PresetSummary& summary, std::string_view key) {
  return key == "id"             ? &summary.id
         : key == "name"         ? &summary.name
         : key == "family"       ? &summary.family
         : key == "developer"    ? &summary.developer
         : key == "modality"     ? &summary.modality
         : key == "license"      ? &summary.license
         : key == "release_date" ? &summary.release_date
                                 : nullptr;
}

/// Takes one member of a row; false when its value has another type.
bool take_member(field member, PresetSummary& summary) {
  std::string_view key;
  if (member.unescaped_key().get(key) != simdjson::SUCCESS) {
    return false;
  }
  if (std::string* text = text_member(summary, key)) {
    std::string_view value;
    if (member.value().get_string().get(value) != simdjson::SUCCESS) {
      return false;
    }
    *text = value;
    return true;
  }
  if (key == "parameters" || key == "active_parameters") {
    double value = 0;
    const bool good = member.value().get_double().get(value) == simdjson::SUCCESS;
    (key == "parameters" ? summary.parameters : summary.active_parameters) = value;
    return good;
  }
  if (key == "max_context") {
    std::int64_t value = 0;
    const bool good = member.value().get_int64().get(value) == simdjson::SUCCESS;
    summary.max_context = value;
    return good;
  }
  if (key == "aliases") {
    simdjson::ondemand::array items;
    if (member.value().get_array().get(items) != simdjson::SUCCESS) {
      return false;
    }
    for (auto item : items) {
      std::string_view alias;
      if (item.get_string().get(alias) != simdjson::SUCCESS) {
        return false;
      }
      summary.aliases.emplace_back(alias);
    }
  }
  return true;
}

bool read_summary(simdjson::ondemand::parser& parser, std::string_view line, std::size_t readable,
                  PresetSummary& summary) {
  simdjson::ondemand::document document;
  if (parser.iterate(line.data(), line.size(), readable).get(document) != simdjson::SUCCESS) {
    return false;
  }
  simdjson::ondemand::object object;
  if (document.get_object().get(object) != simdjson::SUCCESS) {
    return false;
  }
  for (auto member : object) {
    field value;
    if (std::move(member).get(value) != simdjson::SUCCESS || !take_member(value, summary)) {
      return false;
    }
    // What follows is for building; the summary's keys come first.
    if (summary.max_context && summary.parameters > 0 && !summary.modality.empty()) {
      break;
    }
  }
  return !summary.id.empty();
}

}  // namespace

Result<std::vector<PresetRow>> read_embedded_presets(std::string_view path,
                                                     std::string_view content) {
  std::vector<PresetRow> rows;
  simdjson::ondemand::parser parser;
  constexpr std::size_t kPadding = 64;  // zero bytes behind every embedded file
  std::size_t start = 0;
  while (start < content.size()) {
    const std::size_t end = std::min(content.find('\n', start), content.size());
    std::string_view line = content.substr(start, end - start);
    start = end + 1;
    if (!line.starts_with("{\"id\"")) {
      continue;
    }
    if (line.ends_with(",")) {
      line.remove_suffix(1);
    }
    PresetRow row;
    row.file = path;
    row.embedded = line;
    const auto readable = static_cast<std::size_t>(content.data() + content.size() - line.data());
    if (!read_summary(parser, line, readable + kPadding, row.summary)) {
      return Error{.code = ErrorCode::internal,
                   .message = fmt::format("a preset is broken: {}", line.substr(0, 80)),
                   .location = {.file = std::string(path)}};
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Result<PresetRow> read_preset_row(const JsonCursor& row) {
  GPU_ADVISOR_CHECKED(row.only(row_keys()));
  PresetRow preset;
  preset.file = row.file();
  PresetSummary& summary = preset.summary;
  GPU_ADVISOR_TRY(const JsonCursor id, row.at("id"));
  GPU_ADVISOR_TRY(summary.id, id.text());
  GPU_ADVISOR_TRY(const JsonCursor modality, row.at("modality"));
  GPU_ADVISOR_TRY(summary.modality, modality.text());
  for (const std::string_view key : {"name", "family", "developer", "license", "release_date"}) {
    GPU_ADVISOR_TRY(const auto text, row.optional_text(key));
    *text_member(summary, key) = text.value_or("");
  }
  GPU_ADVISOR_TRY(const auto parameters, row.optional_number("parameters"));
  GPU_ADVISOR_TRY(const auto active, row.optional_number("active_parameters"));
  summary.parameters = parameters.value_or(0);
  summary.active_parameters = active.value_or(0);
  GPU_ADVISOR_TRY(summary.max_context, row.optional_integer("max_context"));
  if (row.has("aliases")) {
    GPU_ADVISOR_TRY(const JsonCursor aliases, row.at("aliases"));
    GPU_ADVISOR_TRY(const auto items, aliases.elements());
    for (const JsonCursor& item : items) {
      GPU_ADVISOR_TRY(std::string alias, item.text());
      summary.aliases.push_back(std::move(alias));
    }
  }
  if (summary.name.empty()) {
    summary.name = summary.id;
  }
  preset.owned = row.json().dump();
  return preset;
}

Result<std::vector<PresetRow>> read_presets(const std::string& path, std::string_view content) {
  GPU_ADVISOR_TRY(const support::Json json, support::parse_json(content, path));
  const JsonCursor document(json, path);
  GPU_ADVISOR_CHECKED(document.only({"schema", "rows"}));
  GPU_ADVISOR_TRY(const JsonCursor schema, document.at("schema"));
  GPU_ADVISOR_TRY(const std::string kind, schema.text());
  if (kind != kPresetSchema) {
    return schema.fail(ErrorCode::unsupported_version,
                       fmt::format("expected \"{}\", not \"{}\"", kPresetSchema, kind));
  }
  GPU_ADVISOR_TRY(const JsonCursor list, document.at("rows"));
  GPU_ADVISOR_TRY(const auto items, list.elements());
  std::vector<PresetRow> rows;
  for (const JsonCursor& item : items) {
    GPU_ADVISOR_TRY(PresetRow row, read_preset_row(item));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace gpu_advisor::model
