#include "diffusion_internal.hpp"

namespace gpu_advisor::model {
namespace {

constexpr std::int64_t kTaps = 9;

/// Residual block, attention of one head, residual block.
void add_middle(std::vector<Weight>& w, std::int64_t width, bool attention) {
  add_residual(w, width, width, 0);
  if (attention) {
    add_group_norm(w, width);
    for (int i = 0; i < 4; ++i) {
      add_matrix(w, Role::projector, width, width, true);
    }
  }
  add_residual(w, width, width, 0);
}

}  // namespace

/// The autoencoder of latent diffusion (Rombach et al. 2022; diffusers AutoencoderKL).
void read_autoencoder(const FamilyInput& input, ModelSpec& model) {
  const Config& config = input.config;
  const std::vector<std::int64_t> channels = config.sizes("block_out_channels");
  const std::int64_t layers = config.size_or({"layers_per_block"}, 2);
  constexpr std::size_t kMostBlocks = 16;
  constexpr std::int64_t kMostLayers_ = 64;
  if (channels.empty() || channels.size() > kMostBlocks || layers > kMostLayers_) {
    config.fail(config.cursor().fail(support::ErrorCode::unsupported_model,
                                     "expected up to 16 block_out_channels"));
    return;
  }
  const std::int64_t latent = config.size_or({"latent_channels"}, 4);
  const std::int64_t image = config.size_or({"in_channels"}, 3);
  const bool attention = config.flag_or({"mid_block_add_attention"}, true);
  Stack stack;
  stack.role = StackRole::autoencoder;
  stack.name = "vae";
  stack.hidden = channels.front();
  std::vector<Weight>& w = stack.outside;
  add_convolution(w, channels.front(), image, kTaps);  // encoder
  std::int64_t in = channels.front();
  for (std::size_t block = 0; block < channels.size(); ++block) {
    for (std::int64_t i = 0; i < layers; ++i) {
      add_residual(w, in, channels[block], 0);
      in = channels[block];
    }
    if (block + 1 < channels.size()) {
      add_convolution(w, in, in, kTaps);
    }
  }
  add_middle(w, in, attention);
  add_group_norm(w, in);
  add_convolution(w, 2 * latent, in, kTaps);
  add_convolution(w, in, latent, kTaps);  // decoder
  add_middle(w, in, attention);
  for (std::size_t step = 0; step < channels.size(); ++step) {
    const std::int64_t out = channels[channels.size() - 1 - step];
    for (std::int64_t i = 0; i <= layers; ++i) {
      add_residual(w, in, out, 0);
      in = out;
    }
    if (step + 1 < channels.size()) {
      add_convolution(w, out, out, kTaps);
    }
  }
  add_group_norm(w, in);
  add_convolution(w, config.size_or({"out_channels"}, 3), in, kTaps);
  if (config.flag_or({"use_quant_conv"}, true)) {
    add_convolution(w, 2 * latent, 2 * latent, 1);
  }
  if (config.flag_or({"use_post_quant_conv"}, true)) {
    add_convolution(w, latent, latent, 1);
  }
  stack.aggregate = Aggregate{.convolutional = true};
  stack.aggregate_parameters = stack.parameters();
  model.stacks.push_back(std::move(stack));
}

}  // namespace gpu_advisor::model
