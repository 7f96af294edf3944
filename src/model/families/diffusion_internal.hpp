#pragma once

#include "tower_internal.hpp"

namespace gpu_advisor::model {

// Parts of diffusion pipelines; their weights are listed without layers, since a convolutional
// network has no token stream of one width.
void read_unet(const FamilyInput& input, ModelSpec& model);         // unet.cpp
void read_unet_3d(const FamilyInput& input, ModelSpec& model);      // unet.cpp
void read_autoencoder(const FamilyInput& input, ModelSpec& model);  // autoencoder.cpp
void read_flux(const FamilyInput& input, ModelSpec& model);         // flux.cpp
void read_sd3(const FamilyInput& input, ModelSpec& model);          // sd3.cpp
void read_hunyuan_dit(const FamilyInput& input, ModelSpec& model);  // hunyuan_dit.cpp
void read_cascade(const FamilyInput& input, ModelSpec& model);      // cascade.cpp
void read_minimax_h3(const FamilyInput& input, ModelSpec& model);   // minimax_h3.cpp

/// A convolution with its bias.
void add_convolution(std::vector<Weight>& weights, std::int64_t out, std::int64_t in,
                     std::int64_t taps, bool bias = true);
/// Group norm: scale and shift.
void add_group_norm(std::vector<Weight>& weights, std::int64_t channels);
/// Residual block: two norms and 3 x 3 convolutions, the time's projection (0: none), a 1 x 1
/// convolution where the channels change.
void add_residual(std::vector<Weight>& weights, std::int64_t in, std::int64_t out,
                  std::int64_t time);

}  // namespace gpu_advisor::model
