#include "diffusion_internal.hpp"

namespace gpu_advisor::model {
namespace {

struct Conditions {
  std::int64_t width = 0;  // of the conditioning tokens
  std::int64_t time = 0;
  std::int64_t time_parts = 3;  // the time and further conditions of the same kind
};

/// Depth-wise convolution, norm without weights, widened block with global response norm.
void add_res_block(std::vector<Weight>& w, std::int64_t c, std::int64_t skip, std::int64_t kernel) {
  add_convolution(w, c, 1, kernel * kernel);
  add_matrix(w, Role::up, 4 * c, c + skip, true);
  add_vector(w, Role::norm, 4 * c, 2);
  add_matrix(w, Role::down, c, 4 * c, true);
}

void add_time_block(std::vector<Weight>& w, std::int64_t c, const Conditions& k) {
  for (std::int64_t i = 0; i < k.time_parts; ++i) {
    add_matrix(w, Role::other, 2 * c, k.time, true);
  }
}

void add_attention_block(std::vector<Weight>& w, std::int64_t c, const Conditions& k) {
  add_matrix(w, Role::query, c, c, true);
  add_matrix(w, Role::key, c, c, true);
  add_matrix(w, Role::value, c, c, true);
  add_matrix(w, Role::attention_output, c, c, true);
  add_matrix(w, Role::projector, c, k.width, true);
}

}  // namespace

/// Stable Cascade's prior (Wuerstchen, arXiv 2306.00637; diffusers StableCascadeUNet).
void read_cascade(const FamilyInput& input, ModelSpec& model) {
  const Config& config = input.config;
  const std::vector<std::int64_t> channels = config.sizes("block_out_channels");
  const std::vector<std::int64_t> down = config.sizes("down_num_layers_per_block");
  const std::vector<std::int64_t> up = config.sizes("up_num_layers_per_block");
  constexpr std::int64_t kMostLayersPerBlock = 256;
  const auto deep = [](std::int64_t n) { return n > kMostLayersPerBlock; };
  if (channels.empty() || channels.size() > 16 || down.size() != channels.size() ||
      up.size() != channels.size() || std::ranges::any_of(down, deep) ||
      std::ranges::any_of(up, deep)) {
    config.fail(config.cursor().fail(support::ErrorCode::unsupported_model,
                                     "expected layers for each of up to 16 block_out_channels"));
    return;
  }
  Conditions k;
  k.width = config.size_or({"conditioning_dim"}, channels.back());
  k.time = config.size_or({"timestep_ratio_embedding_dim"}, 64);
  k.time_parts = 1 + static_cast<std::int64_t>(std::min<std::size_t>(
                         config.words("timestep_conditioning_type").size(), 8));
  const std::int64_t kernel = std::clamp<std::int64_t>(config.size_or({"kernel_size"}, 3), 1, 15);
  Stack stack;
  stack.role = StackRole::prior;
  stack.name = "prior";
  stack.hidden = channels.front();
  std::vector<Weight>& w = stack.outside;
  add_convolution(w, channels.front(), config.size_or({"in_channels"}, 16), 1);
  const std::int64_t sequence = std::clamp<std::int64_t>(config.size_or({"clip_seq"}, 4), 1, 64);
  for (const std::string_view key : {"clip_text_pooled_in_channels", "clip_image_in_channels"}) {
    add_matrix(w, Role::projector, k.width * sequence, config.size_or({key}, 0), true);
  }
  add_matrix(w, Role::projector, k.width, config.size_or({"clip_text_in_channels"}, 0), true);
  for (std::size_t block = 0; block < channels.size(); ++block) {
    const std::int64_t c = channels[block];
    for (std::int64_t i = 0; i < down[block] + up[channels.size() - 1 - block]; ++i) {
      const bool first_up = i == down[block] && block + 1 < channels.size();
      add_res_block(w, c, first_up ? c : 0, kernel);
      add_time_block(w, c, k);
      add_attention_block(w, c, k);
    }
    if (block + 1 < channels.size()) {  // between the levels: a 1 x 1 convolution each way
      add_convolution(w, channels[block + 1], c, 1);
      add_convolution(w, c, channels[block + 1], 1);
    }
  }
  add_convolution(w, config.size_or({"out_channels"}, 16), channels.front(), 1);
  stack.aggregate = Aggregate{.convolutional = true};
  stack.aggregate_parameters = stack.parameters();
  model.stacks.push_back(std::move(stack));
}

}  // namespace gpu_advisor::model
