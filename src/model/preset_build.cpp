#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "gpu_advisor/model/reader.hpp"
#include "hf_config_internal.hpp"
#include "infer_internal.hpp"
#include "preset_file_internal.hpp"

namespace gpu_advisor::model {
namespace {

using support::Json;
using support::JsonCursor;
using support::Result;

struct ArchName {
  std::string_view name;
  Arch arch;
};
constexpr std::array kArchNames{ArchName{"dense", Arch::dense},
                                ArchName{"moe", Arch::moe},
                                ArchName{"encoder", Arch::encoder},
                                ArchName{"cnn", Arch::cnn},
                                ArchName{"vit", Arch::vit},
                                ArchName{"diffusion", Arch::diffusion},
                                ArchName{"ssm-hybrid", Arch::ssm_hybrid},
                                ArchName{"asr", Arch::asr},
                                ArchName{"other", Arch::other}};

std::optional<Arch> arch_named(std::string_view name) {
  const auto* found = std::ranges::find(kArchNames, name, &ArchName::name);
  return found != kArchNames.end() ? std::optional(found->arch) : std::nullopt;
}

Result<ModelSpec> from_config(const JsonCursor& row) {
  GPU_ADVISOR_TRY(const JsonCursor config, row.at("config"));
  GPU_ADVISOR_TRY(const auto architecture, row.optional_text("architecture"));
  Json whole = config.json();
  if (architecture) {
    whole["architectures"] = Json::array({*architecture});
  }
  return model_from_config(whole, row.file());
}

/// Dimensions without a known class: a generic transformer that meets the published count.
Result<ModelSpec> from_bare_dimensions(const JsonCursor& row) {
  Dimensions d;
  GPU_ADVISOR_TRY(d.parameters, row.optional_number("parameters"));
  GPU_ADVISOR_TRY(const auto active, row.optional_number("active_parameters"));
  if (active && d.parameters && *active < *d.parameters) {
    d.active_parameters = active;
  }
  GPU_ADVISOR_TRY(const auto arch, row.optional_text("arch"));
  if (arch) {
    d.arch = arch_named(*arch);
  }
  if (row.has("config")) {
    GPU_ADVISOR_TRY(const JsonCursor config, row.at("config"));
    const auto read = [&config](std::string_view key) -> Result<std::optional<std::int64_t>> {
      return config.optional_integer(key);
    };
    GPU_ADVISOR_TRY(d.layers, read("num_hidden_layers"));
    GPU_ADVISOR_TRY(d.hidden, read("hidden_size"));
    GPU_ADVISOR_TRY(d.heads, read("num_attention_heads"));
    GPU_ADVISOR_TRY(d.kv_heads, read("num_key_value_heads"));
    GPU_ADVISOR_TRY(d.head_dim, read("head_dim"));
    GPU_ADVISOR_TRY(d.vocab, read("vocab_size"));
    GPU_ADVISOR_TRY(d.experts, read("num_experts"));
    GPU_ADVISOR_TRY(d.top_k, read("num_experts_per_tok"));
    GPU_ADVISOR_TRY(d.ffn_hidden, read(d.experts ? "moe_intermediate_size" : "intermediate_size"));
  }
  GPU_ADVISOR_TRY(d.gmacs, row.optional_number("gmacs"));
  GPU_ADVISOR_TRY(d.activations_m, row.optional_number("activations_m"));
  GPU_ADVISOR_TRY(const auto resolution, row.optional_integer("resolution"));
  if (resolution) {
    d.resolution = static_cast<int>(*resolution);
  }
  return from_dimensions(d);
}

struct RoleName {
  std::string_view part;
  StackRole role;
};
constexpr std::array kRoleNames{
    RoleName{"transformer", StackRole::denoiser}, RoleName{"unet", StackRole::denoiser},
    RoleName{"prior", StackRole::prior},          RoleName{"text_encoder", StackRole::text_encoder},
    RoleName{"image_encoder", StackRole::vision}, RoleName{"vae", StackRole::autoencoder}};

StackRole role_of(std::string_view part) {
  const auto* found = std::ranges::find_if(
      kRoleNames, [part](const RoleName& r) { return part.find(r.part) != part.npos; });
  return found != kRoleNames.end() ? found->role : StackRole::other;
}

/// One part of a pipeline: by its config, or by its published count alone.
support::Status add_part(const JsonCursor& part, ModelSpec& model) {
  GPU_ADVISOR_TRY(const JsonCursor name_at, part.at("part"));
  GPU_ADVISOR_TRY(const std::string name, name_at.text());
  GPU_ADVISOR_TRY(const auto parameters, part.optional_integer("parameters"));
  if (parameters) {
    Stack stack;
    stack.role = role_of(name);
    stack.name = name;
    stack.aggregate_parameters = *parameters;
    stack.aggregate = Aggregate{};
    model.stacks.push_back(std::move(stack));
    return support::ok();
  }
  GPU_ADVISOR_TRY(ModelSpec piece, from_config(part));
  for (std::size_t i = 0; i < piece.stacks.size(); ++i) {
    Stack& stack = piece.stacks[i];
    stack.role = role_of(name);
    stack.name = i == 0 ? name : fmt::format("{}: {}", name, stack.name);
    for (LayerGroup& group : stack.layers) {
      group.attention.cached = false;
    }
    model.stacks.push_back(std::move(stack));
  }
  return support::ok();
}

Result<ModelSpec> from_parts(const JsonCursor& row) {
  ModelSpec model;
  model.arch = Arch::diffusion;
  GPU_ADVISOR_TRY(const JsonCursor parts, row.at("parts"));
  GPU_ADVISOR_TRY(const auto items, parts.elements());
  for (const JsonCursor& item : items) {
    GPU_ADVISOR_CHECKED(add_part(item, model));
  }
  if (model.stacks.empty()) {
    return parts.fail(support::ErrorCode::out_of_range, "expected at least one part");
  }
  constexpr int kUsualFactor = 8;  // arXiv 2112.10752, section 4.1
  model.stacks.front().latent_factor = kUsualFactor;
  return model;
}

Result<ModelSpec> build_structure(const JsonCursor& row) {
  if (row.has("parts")) {
    return from_parts(row);
  }
  if (row.has("config") && row.has("architecture")) {
    return from_config(row);
  }
  return from_bare_dimensions(row);
}

/// Texts and counts that stand beside the structure.
support::Status add_facts(const JsonCursor& row, ModelSpec& model) {
  const auto take = [&row](std::string_view key, std::string& target) -> support::Status {
    GPU_ADVISOR_TRY(const auto text, row.optional_text(key));
    if (text) {
      target = *text;
    }
    return support::ok();
  };
  GPU_ADVISOR_CHECKED(take("id", model.id));
  GPU_ADVISOR_CHECKED(take("name", model.name));
  GPU_ADVISOR_CHECKED(take("family", model.family));
  GPU_ADVISOR_CHECKED(take("architecture", model.architecture_class));
  GPU_ADVISOR_CHECKED(take("modality", model.modality));
  GPU_ADVISOR_CHECKED(take("license", model.license));
  GPU_ADVISOR_CHECKED(take("release_date", model.release_date));
  model.source = "preset";
  std::string dtype;
  GPU_ADVISOR_CHECKED(take("dtype", dtype));
  if (const auto type = units::parse_data_type(dtype)) {
    model.default_dtype = *type;
  }
  std::string arch;
  GPU_ADVISOR_CHECKED(take("arch", arch));
  if (const auto known = arch_named(arch)) {
    model.arch = *known;
  }
  GPU_ADVISOR_TRY(const auto context, row.optional_integer("max_context"));
  if (context) {
    model.max_context = context;
  }
  GPU_ADVISOR_TRY(const auto parameters, row.optional_integer("parameters"));
  GPU_ADVISOR_TRY(const auto active, row.optional_integer("active_parameters"));
  model.published_parameters = parameters;
  model.published_active = active;
  return support::ok();
}

/// Weights that the published count has beyond the structure: a part for images or sound where the
/// model has one, else weights of unknown use (buffers and scales that a hub counts).
void add_remainder(ModelSpec& model) {
  std::int64_t missing = *model.published_parameters - model.parameters();
  const std::int64_t draft = model.draft_parameters.value_or(0);
  constexpr std::int64_t kParts = 100;
  if (draft > 0 && std::abs(missing - draft) < draft / kParts) {
    model.assumptions.emplace_back(
        "the published count holds the prediction layers, which are loaded for speculative "
        "decoding "
        "alone");
    missing = 0;
  }
  if (missing <= 0) {
    if (missing < 0) {  // the files hold packed weights, or the row is wrong
      model.assumptions.push_back(fmt::format(
          "the published count, {}, is smaller than the structure's; the structure is taken",
          in_words(static_cast<double>(*model.published_parameters))));
      model.basis = ParameterBasis::inferred;
    }
    return;
  }
  constexpr double kNotable = 0.003;
  const double share =
      static_cast<double>(missing) / static_cast<double>(*model.published_parameters);
  const bool other_senses = model.modality == "vision-language" || model.modality == "audio";
  if (other_senses && share > kNotable) {
    Stack stack;
    stack.role = model.modality == "audio" ? StackRole::audio : StackRole::vision;
    stack.name = "other modalities";
    stack.aggregate_parameters = missing;
    model.stacks.push_back(std::move(stack));
  } else {
    model.stacks.front().outside.push_back({.role = Role::other, .rows = missing});
  }
  if (share > kNotable) {
    model.basis = ParameterBasis::published;
    model.assumptions.push_back(
        fmt::format("{} of the published parameters are not described layer by layer",
                    in_words(static_cast<double>(missing))));
  }
}

}  // namespace

Result<ModelSpec> build_preset(const Json& json, const std::string& file) {
  const JsonCursor row(json, file);
  GPU_ADVISOR_TRY(ModelSpec model, build_structure(row));
  GPU_ADVISOR_CHECKED(add_facts(row, model));
  if (const auto patch = row.optional_integer("patch"); patch && *patch) {
    model.stacks.front().patch = static_cast<int>(**patch);
  }
  GPU_ADVISOR_TRY(const auto basis, row.optional_text("parameters_basis"));
  // A rounded count ("published as 132B") says less than the structure.
  const bool rounded = basis && basis->find("rounded") != std::string::npos;
  if (model.published_parameters && !row.has("parts") && !rounded) {
    add_remainder(model);
  }
  GPU_ADVISOR_CHECKED(check_sizes(model, file));
  return model;
}

}  // namespace gpu_advisor::model
