#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "diffusers_internal.hpp"
#include "gpu_advisor/support/json.hpp"
#include "hf_config_internal.hpp"

namespace gpu_advisor::model {
namespace {

using support::Error;
using support::ErrorCode;
using support::FileSource;
using support::Json;
using support::Result;

struct PartRole {
  std::string_view name;
  StackRole role;
};
// Parts of a pipeline, in the order in which they are listed; the denoiser first.
constexpr std::array kParts{
    PartRole{"transformer", StackRole::denoiser},
    PartRole{"unet", StackRole::denoiser},
    PartRole{"prior", StackRole::prior},
    PartRole{"transformer_2", StackRole::denoiser},
    PartRole{"decoder", StackRole::denoiser},
    PartRole{"text_encoder", StackRole::text_encoder},
    PartRole{"text_encoder_2", StackRole::text_encoder},
    PartRole{"text_encoder_3", StackRole::text_encoder},
    PartRole{"image_encoder", StackRole::vision},
    PartRole{"safety_checker", StackRole::other},
    PartRole{"vae", StackRole::autoencoder},
    PartRole{"video_vae", StackRole::autoencoder},
    PartRole{"audio_vae", StackRole::autoencoder},
    PartRole{"vqgan", StackRole::autoencoder},
};

std::string place(const std::string& folder, std::string_view name) {
  return folder.empty() ? std::string(name) : folder + "/" + std::string(name);
}

/// The config of a part: in its folder, or beside the index under its name.
std::string config_of(const FileSource& files, const std::string& folder, std::string_view part) {
  for (const std::string_view tail : {"/config.json", ".json"}) {
    std::string path = place(folder, std::string(part) + std::string(tail));
    if (files.is_file(path)) {
      return path;
    }
  }
  return {};
}

void take_part(const PartRole& part, ModelSpec&& piece, ModelSpec& model) {
  for (std::size_t i = 0; i < piece.stacks.size(); ++i) {
    Stack& stack = piece.stacks[i];
    stack.role = part.role;
    stack.name = i == 0 ? std::string(part.name) : fmt::format("{}: {}", part.name, stack.name);
    for (LayerGroup& group : stack.layers) {
      group.attention.cached = false;
    }
    model.stacks.push_back(std::move(stack));
  }
  for (std::string& text : piece.assumptions) {
    model.assumptions.push_back(fmt::format("{}: {}", part.name, text));
  }
  if (piece.basis == ParameterBasis::inferred) {
    model.basis = ParameterBasis::inferred;
  }
}

bool is_absent(const Json& entry) {
  return entry.is_null() || (entry.is_array() && !entry.empty() && entry[0].is_null());
}

}  // namespace

Result<ModelSpec> read_pipeline(const FileSource& files, const std::string& folder) {
  const std::string index_path = place(folder, "model_index.json");
  GPU_ADVISOR_TRY(const std::string text, files.read(index_path, kMostConfigBytes));
  GPU_ADVISOR_TRY(const Json index, support::parse_json(without_python_numbers(text), index_path));
  const Config config(support::JsonCursor(index, index_path));
  ModelSpec model;
  model.source = "diffusers";
  model.arch = Arch::diffusion;
  model.modality = "diffusion";
  model.architecture_class = config.word_or({"_class_name"}, "");
  for (const PartRole& part : kParts) {
    if (!index.is_object() || !index.contains(std::string(part.name)) ||
        is_absent(index[std::string(part.name)])) {
      continue;
    }
    const std::string path = config_of(files, folder, part.name);
    if (path.empty()) {
      model.assumptions.push_back(
          fmt::format("the part {} has no config here and is not counted", part.name));
      continue;
    }
    GPU_ADVISOR_TRY(const std::string part_text, files.read(path, kMostConfigBytes));
    GPU_ADVISOR_TRY(const Json part_json,
                    support::parse_json(without_python_numbers(part_text), path));
    GPU_ADVISOR_TRY(ModelSpec piece, model_from_config(as_text_encoder(part_json, path), path));
    take_part(part, std::move(piece), model);
  }
  if (model.stacks.empty()) {
    return config.cursor().fail(ErrorCode::unsupported_model,
                                "no part of this pipeline has a config here");
  }
  if (model.stacks.front().role == StackRole::denoiser) {
    constexpr int kUsualFactor = 8;  // arXiv 2112.10752, section 4.1
    model.stacks.front().latent_factor = kUsualFactor;
  }
  GPU_ADVISOR_CHECKED(check_sizes(model, index_path));
  return model;
}

}  // namespace gpu_advisor::model
