#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <optional>

#include "families/family_internal.hpp"
#include "gpu_advisor/model/import.hpp"
#include "gpu_advisor/support/text.hpp"
#include "hf_config_internal.hpp"
#include "import_config_internal.hpp"
#include "preset_file_internal.hpp"

namespace gpu_advisor::model {
namespace {

using support::Csv;
using support::Json;
using support::JsonCursor;
using support::Result;
using support::Status;

struct TextColumn {
  std::string_view csv, key;
};
constexpr std::array kTexts{TextColumn{"family", "family"}, TextColumn{"developer", "developer"},
                            TextColumn{"release_date", "release_date"},
                            TextColumn{"license", "license"},
                            TextColumn{"license_basis", "license_basis"}};

/// Classes tried for rows that name none, each with what its configs say beside the dimensions. A
/// class is taken only when it gives the published count to the last parameter.
struct Attempt {
  std::string_view architecture;
  bool halved = false;  // the width counts gate and up projection together
};
constexpr std::array kAttempts{
    Attempt{"LlamaForCausalLM"},    Attempt{"Qwen2ForCausalLM"},
    Attempt{"Qwen3ForCausalLM"},    Attempt{"QWenLMHeadModel", true},
    Attempt{"Olmo2ForCausalLM"},    Attempt{"Glm4ForCausalLM"},
    Attempt{"GlmForCausalLM"},      Attempt{"Starcoder2ForCausalLM"},
    Attempt{"ApertusForCausalLM"},  Attempt{"BertModel"},
    Attempt{"XLMRobertaModel"},     Attempt{"MambaForCausalLM"},
    Attempt{"MixtralForCausalLM"},  Attempt{"Qwen3MoeForCausalLM"},
    Attempt{"Qwen2MoeForCausalLM"}, Attempt{"OlmoeForCausalLM"},
    Attempt{"Glm4MoeForCausalLM"},  Attempt{"Lfm2ForCausalLM"},
    Attempt{"LlamaModel"},          Attempt{"Qwen3Model"},
    Attempt{"MistralModel"},
};

std::optional<std::int64_t> count_of(Json config, std::string_view architecture) {
  config["architectures"] = Json::array({std::string(architecture)});
  const auto model = model_from_config(config, "import");
  return model ? std::optional(model->parameters()) : std::nullopt;
}

/// The class and keys whose count is the published one.
std::optional<Json> matching(const Json& config, double published) {
  for (const Attempt& attempt : kAttempts) {
    for (const bool tied : {false, true}) {
      for (const int dense : {0, 1, 3}) {
        const bool experts = config.contains("num_experts");
        if (!experts && dense > 0) {
          continue;
        }
        Json tried = config;
        tried["tie_word_embeddings"] = tied;
        if (dense > 0) {
          tried["first_k_dense_replace"] = dense;
        }
        if (!config.contains("intermediate_size") && !experts &&
            attempt.architecture.starts_with("L")) {
          continue;
        }
        const auto count = count_of(tried, attempt.architecture);
        if (count && static_cast<double>(*count) == published) {
          tried["architectures"] = std::string(attempt.architecture);
          return tried;
        }
      }
    }
  }
  return std::nullopt;
}

std::string_view arch_of(const Csv& csv, std::size_t row) {
  const std::string_view modality = csv.cell(row, "modality");
  if (modality == "diffusion") {
    return "diffusion";
  }
  if (modality == "vision") {
    constexpr std::array<std::string_view, 9> kTransformers{
        "vit", "deit", "beit", "eva", "swin", "samvit", "mixer", "sam", "maxvit"};
    const std::string name = support::to_lower(csv.cell(row, "display_name"));
    const bool transformer = std::ranges::any_of(
        kTransformers, [&name](std::string_view start) { return name.starts_with(start); });
    return transformer ? "vit" : "cnn";
  }
  if (modality == "audio") {
    return csv.cell(row, "arch_class").find("Whisper") != std::string_view::npos ? "asr" : "dense";
  }
  const FamilyRow* family = find_family(csv.cell(row, "arch_class"), "");
  if (!csv.cell(row, "arch_class").empty() && family != nullptr) {
    switch (family->arch) {
      case Arch::moe:
        return "moe";
      case Arch::encoder:
        return "encoder";
      case Arch::ssm_hybrid:
        return "ssm-hybrid";
      default:
        return csv.cell(row, "experts").empty() ? "dense" : "moe";
    }
  }
  if (modality == "encoder") {
    return "encoder";
  }
  return csv.cell(row, "experts").empty() ? "dense" : "moe";
}

/// Other spellings: the display name where it differs from the id's end.
Json aliases_of(const Csv& csv, std::size_t row, const JsonCursor* correction) {
  Json aliases = Json::array();
  const std::string id(csv.cell(row, "id"));
  const std::string display(csv.cell(row, "display_name"));
  if (!display.empty() && !id.ends_with(display)) {
    aliases.push_back(display);
  }
  if (correction != nullptr && correction->has("aliases")) {
    for (const Json& alias : correction->json().at("aliases")) {
      aliases.push_back(alias);
    }
  }
  return aliases;
}

Status add_numbers(const Csv& csv, std::size_t row, Json& preset) {
  const auto whole = [&](std::string_view column, const char* key) -> Status {
    GPU_ADVISOR_TRY(const auto number, csv.number(row, column));
    if (number) {
      preset[key] = std::llround(*number);
    }
    return support::ok();
  };
  GPU_ADVISOR_CHECKED(whole("params_total", "parameters"));
  GPU_ADVISOR_CHECKED(whole("params_active", "active_parameters"));
  GPU_ADVISOR_CHECKED(whole("max_context", "max_context"));
  return support::ok();
}

Status add_figures(const Csv& csv, std::size_t row, Json& preset) {
  for (const std::string_view column : {"gmacs", "activations_m"}) {
    GPU_ADVISOR_TRY(const auto number, csv.number(row, column));
    if (number) {
      preset[std::string(column)] = *number;
    }
  }
  const std::string_view resolution = csv.cell(row, "input_resolution");
  const auto pixels =
      support::parse_number(resolution.substr(0, resolution.find_first_not_of("0123456789")));
  constexpr double kMost = 1e5;
  const bool picture = csv.cell(row, "modality") != "audio";
  if (picture && pixels && *pixels > 0 && *pixels < kMost) {
    preset["resolution"] = std::llround(*pixels);
  }
  return support::ok();
}

void merge(Json& target, const Json& extra) {
  for (const auto& item : extra.items()) {
    if (item.value().is_object() && target.contains(item.key()) && target[item.key()].is_object()) {
      merge(target[item.key()], item.value());
    } else {
      target[item.key()] = item.value();
    }
  }
}

/// Class and config; for rows without a class the one that matches the published count.
void add_structure(const Csv& csv, std::size_t row, Json config, Json& preset) {
  const std::string_view given = csv.cell(row, "arch_class");
  const bool known = !given.empty() && find_family(given, "") != nullptr;
  if (known && !config.empty()) {
    preset["architecture"] = given;
    preset["config"] = std::move(config);
    return;
  }
  if (!known && !config.empty() && preset.contains("parameters")) {
    if (auto found = matching(config, preset["parameters"].get<double>())) {
      preset["architecture"] = (*found)["architectures"];
      found->erase("architectures");
      preset["config"] = std::move(*found);
      return;
    }
  }
  if (!config.empty()) {
    preset["config"] = std::move(config);
  }
}

Result<Json> preset_of_row(const Csv& csv, std::size_t row, const JsonCursor* correction) {
  Json preset = Json::object();
  preset["id"] = csv.cell(row, "id");
  preset["name"] = csv.cell(row, "display_name");
  Json aliases = aliases_of(csv, row, correction);
  if (!aliases.empty()) {
    preset["aliases"] = std::move(aliases);
  }
  for (const TextColumn& column : kTexts) {
    if (!csv.cell(row, column.csv).empty()) {
      preset[std::string(column.key)] = csv.cell(row, column.csv);
    }
  }
  preset["modality"] = csv.cell(row, "modality");
  preset["arch"] = arch_of(csv, row);
  GPU_ADVISOR_CHECKED(add_numbers(csv, row, preset));
  if (!csv.cell(row, "params_basis").empty()) {
    preset["parameters_basis"] = csv.cell(row, "params_basis");
  }
  if (!csv.cell(row, "default_dtype").empty()) {
    preset["dtype"] = csv.cell(row, "default_dtype");
  }
  GPU_ADVISOR_TRY(Json config, config_of_row(csv, row));
  if (correction != nullptr && correction->has("config")) {
    merge(config, correction->json().at("config"));
  }
  if (correction != nullptr && correction->has("parts")) {
    preset["parts"] = correction->json().at("parts");
  } else if (correction != nullptr && correction->has("architecture")) {
    preset["architecture"] = correction->json().at("architecture");
    preset["config"] = std::move(config);
  } else {
    add_structure(csv, row, std::move(config), preset);
  }
  GPU_ADVISOR_CHECKED(add_figures(csv, row, preset));
  for (const char* key : {"parameters", "active_parameters", "parameters_basis"}) {
    if (correction != nullptr && correction->has(key)) {
      preset[key] = correction->json().at(key);
    }
  }
  std::string source(csv.cell(row, "source"));
  if (correction != nullptr && correction->has("source")) {
    source += "; " + correction->json().at("source").get<std::string>();
  }
  preset["source"] = source;
  if (!csv.cell(row, "notes").empty()) {
    preset["notes"] = csv.cell(row, "notes");
  }
  return preset;
}

/// What an import tells about a row whose structure does not give the published count.
std::optional<std::string> doubt(const Json& preset) {
  const auto model = build_preset(preset, "import");
  const std::string id = preset.at("id");
  if (!model) {
    return fmt::format("{}: no size known ({})", id, model.error().message);
  }
  if (!preset.contains("parameters") || preset.contains("parts")) {
    return std::nullopt;
  }
  const auto published = preset.at("parameters").get<std::int64_t>();
  std::int64_t unexplained = 0;
  for (const Stack& stack : model->stacks) {
    unexplained += stack.name == "other modalities" ? stack.parameters() : 0;
    for (const Weight& weight : stack.outside) {
      unexplained += weight.role == Role::other && weight.cols == 1 && weight.copies == 1 &&
                             weight.rows > 100'000
                         ? weight.rows
                         : 0;
    }
  }
  const std::int64_t miss = model->parameters() - published;
  if (miss == 0 && unexplained == 0) {
    return std::nullopt;
  }
  return fmt::format("{}: published {}, structure {} ({} not described)", id, published,
                     model->parameters() - unexplained, unexplained);
}

Result<std::map<std::string, JsonCursor>> read_corrections(const Json& json) {
  std::map<std::string, JsonCursor> by_id;
  if (json.is_null()) {
    return by_id;
  }
  const JsonCursor document(json, "corrections");
  GPU_ADVISOR_TRY(const JsonCursor rows, document.at("rows"));
  GPU_ADVISOR_TRY(const auto items, rows.elements());
  for (const JsonCursor& item : items) {
    GPU_ADVISOR_CHECKED(item.only({"id", "aliases", "architecture", "config", "parts", "parameters",
                                   "active_parameters", "parameters_basis", "source"}));
    GPU_ADVISOR_TRY(const JsonCursor id_at, item.at("id"));
    GPU_ADVISOR_TRY(const std::string id, id_at.text());
    by_id.emplace(id, item);
  }
  return by_id;
}

std::string file_text(const std::vector<const Json*>& rows) {
  std::string text = fmt::format("{{\"schema\": \"{}\", \"rows\": [\n", kPresetSchema);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += rows[i]->dump();
    text += i + 1 < rows.size() ? ",\n" : "\n";
  }
  return text + "]}\n";
}

}  // namespace

Result<ImportedModels> import_models_csv(std::string_view text, std::string_view file,
                                         std::string_view corrections) {
  GPU_ADVISOR_TRY(const Csv csv, Csv::parse(text, file));
  GPU_ADVISOR_CHECKED(csv.require({"id", "modality", "params_total", "layers", "source"}));
  Json correction_json;
  if (!corrections.empty()) {
    GPU_ADVISOR_TRY(correction_json, support::parse_json(corrections, "corrections"));
  }
  GPU_ADVISOR_TRY(const auto by_id, read_corrections(correction_json));
  ImportedModels imported;
  std::map<std::string, Json> presets;  // sorted by id
  for (std::size_t row = 0; row < csv.size(); ++row) {
    const std::string id(csv.cell(row, "id"));
    const auto correction = by_id.find(id);
    GPU_ADVISOR_TRY(
        Json preset,
        preset_of_row(csv, row, correction != by_id.end() ? &correction->second : nullptr));
    if (auto note = doubt(preset)) {
      imported.notes.push_back(std::move(*note));
    }
    if (!presets.emplace(id, std::move(preset)).second) {
      return csv.fail(row, fmt::format("the id \"{}\" stands twice", id));
    }
  }
  std::map<std::string, std::vector<const Json*>> by_modality;
  for (const auto& [id, preset] : presets) {
    by_modality[preset.at("modality").get<std::string>()].push_back(&preset);
  }
  for (const auto& [modality, rows] : by_modality) {
    imported.files["models/" + modality + ".json"] = file_text(rows);
  }
  imported.notes.push_back(fmt::format("{} models", presets.size()));
  return imported;
}

}  // namespace gpu_advisor::model
