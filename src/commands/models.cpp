#include <algorithm>
#include <ostream>

#include "gpu_advisor/model/reader.hpp"
#include "gpu_advisor/ops/operation.hpp"
#include "gpu_advisor/render/present/model.hpp"
#include "gpu_advisor/units/parse.hpp"
#include "list_internal.hpp"

namespace gpu_advisor::commands {
namespace {

using model::PresetSummary;
using support::Result;

const std::vector<SortKey<PresetSummary>>& sort_keys() {
  static const std::vector<SortKey<PresetSummary>> kKeys{
      {"name", nullptr},
      {"size", [](const PresetSummary& preset) { return std::optional(preset.parameters); }}};
  return kKeys;
}

bool named(const Call& call, std::string_view option, const std::string& text) {
  const auto patterns = call.values.all(option);
  return patterns.empty() || std::ranges::any_of(patterns, [&text](const std::string& pattern) {
           return support::glob_match(pattern, text);
         });
}

Result<model::ModelSpec> find_model(const Call& call, const model::PresetLibrary& presets,
                                    const std::string& name) {
  if (model::looks_like_path(call.world.files, name))
    return model::read_model(call.world.files, name);
  GPU_ADVISOR_TRY(const model::ResolvedName resolved, presets.resolve(name));
  GPU_ADVISOR_TRY(model::ModelSpec spec, presets.build(resolved.id));
  if (!resolved.note.empty())
    spec.assumptions.push_back(resolved.note);
  return spec;
}

Result<std::vector<PresetSummary>> rows_of(const Call& call, const model::PresetLibrary& presets) {
  GPU_ADVISOR_TRY(const auto least,
                  read_option<std::int64_t>(call.values, "--min-size", units::parse_parameters));
  GPU_ADVISOR_TRY(const auto most,
                  read_option<std::int64_t>(call.values, "--max-size", units::parse_parameters));
  std::vector<PresetSummary> rows;
  for (const PresetSummary& preset : presets.summaries()) {
    if (least && preset.parameters < static_cast<double>(*least))
      continue;
    if (most && preset.parameters > static_cast<double>(*most))
      continue;
    if (named(call, "--modality", preset.modality) && named(call, "--family", preset.family) &&
        named(call, "--licence", preset.license))
      rows.push_back(preset);
  }
  GPU_ADVISOR_CHECKED(sort_rows(call, sort_keys(), rows));
  return rows;
}

}  // namespace

Result<ExitCode> run_models(const Call& call) {
  GPU_ADVISOR_TRY(const Verb verb, verb_of(call));
  GPU_ADVISOR_TRY(const model::PresetLibrary presets, load_presets(call));
  if (verb.show) {
    GPU_ADVISOR_TRY(const model::ModelSpec spec, find_model(call, presets, verb.name));
    const ops::OperationList operations = ops::describe(spec);
    if (call.globals.format == "json")
      call.world.out << render::model_json(spec, operations);
    else
      write_document(call, render::model_document(spec, operations, call.globals.language));
    return 0;
  }
  GPU_ADVISOR_TRY(std::vector<PresetSummary> rows, rows_of(call, presets));
  const std::size_t total = rows.size();
  GPU_ADVISOR_TRY(const std::size_t limit, limit_of(call, total));
  rows.resize(limit);
  return write_list(call, "gpu-advisor/model-list@1",
                    render::model_table(rows, call.globals.language), total);
}

}  // namespace gpu_advisor::commands
