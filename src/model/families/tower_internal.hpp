#pragma once

#include "decoder_internal.hpp"

namespace gpu_advisor::model {

/// An image or audio encoder of the transformer kind.
struct Tower {
  std::string_view name = "vision tower";
  StackRole role = StackRole::vision;
  std::int64_t layers = 0, hidden = 0;
  LayerShape layer;
  std::int64_t patch = 0;         // pixels of a side
  std::int64_t patch_inputs = 0;  // values of a patch over channels and frames
  bool patch_bias = true;
  std::int64_t positions = 0;
  bool class_token = false;
  std::int64_t outer_norms = 1;  // before and after the layers
  bool norm_bias = true;
};
/// A tower with LayerNorm, biases and a classic feed-forward block, as in ViT (arXiv 2010.11929).
[[nodiscard]] Tower read_tower(const Config& config);
[[nodiscard]] Stack tower_stack(const Tower& tower);
/// A linear layer from one width to another that joins two parts.
void add_linear(Stack& stack, std::int64_t out, std::int64_t in, bool bias);

// Towers of multimodal models, each with the projector into the text model's width.
[[nodiscard]] Stack whisper_encoder(const Config& config);
[[nodiscard]] Stack trocr_decoder(const Config& config, std::int64_t source);
[[nodiscard]] Stack sam_encoder(const Config& config, std::int64_t out);

}  // namespace gpu_advisor::model
