#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "family_internal.hpp"

namespace gpu_advisor::model {

/// A decoder as its config describes it, before its layers are counted.
struct Decoder {
  std::int64_t layers = 0, hidden = 0, vocab = 0;
  LayerShape layer;  // the usual layer: with experts where the model has them
  FfnShape dense;    // feed-forward of layers without experts
  Surroundings around;
  std::vector<AttentionKind> attention;  // per layer: full, sliding, chunked, linear, none
  std::vector<char> experts;             // per layer: 1 where experts stand
  std::int64_t window = 0;
};

/// Reads every usual key.
[[nodiscard]] Decoder read_decoder(const FamilyInput& input);
/// The shape of layer `index`.
[[nodiscard]] LayerShape layer_at(const Decoder& decoder, std::int64_t index);
/// The stack with all layers and what stands around them.
[[nodiscard]] Stack decoder_stack(const Decoder& decoder);
/// Layers and everything else, as the model's main stack.
void finish_decoder(const Decoder& decoder, const FamilyInput& input, ModelSpec& model);
/// The experts' part of the config; experts = 0 when there are none.
[[nodiscard]] FfnShape read_experts(const FamilyInput& input, const FfnShape& dense);
[[nodiscard]] Surroundings read_surroundings(const FamilyInput& input);
/// Adds the weights of further prediction layers to `draft_parameters`: they are in the files and
/// are used for speculative decoding alone.
void add_draft_layers(ModelSpec& model, const Decoder& decoder, std::int64_t count,
                      std::int64_t extra_per_layer);

}  // namespace gpu_advisor::model
