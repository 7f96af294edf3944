#include "diffusion_internal.hpp"

namespace gpu_advisor::model {

void add_convolution(std::vector<Weight>& weights, std::int64_t out, std::int64_t in,
                     std::int64_t taps, bool bias) {
  weights.push_back({.role = Role::convolution, .rows = out, .cols = in * taps, .taps = taps});
  add_vector(weights, Role::bias, bias ? out : 0);
}

void add_group_norm(std::vector<Weight>& weights, std::int64_t channels) {
  add_vector(weights, Role::norm, channels);
  add_vector(weights, Role::bias, channels);
}

void add_residual(std::vector<Weight>& weights, std::int64_t in, std::int64_t out,
                  std::int64_t time) {
  constexpr std::int64_t kTaps = 9;
  add_group_norm(weights, in);
  add_convolution(weights, out, in, kTaps);
  add_matrix(weights, Role::other, time > 0 ? out : 0, time, true);
  add_group_norm(weights, out);
  add_convolution(weights, out, out, kTaps);
  if (in != out) {
    add_convolution(weights, out, in, 1);
  }
}

namespace {

constexpr std::int64_t kTaps = 9;
constexpr std::size_t kMostBlocks = 16;
constexpr std::int64_t kMostRepeats = 64;

/// The numbers that a U-Net config repeats for every block, or says once for all.
struct Blocks {
  std::vector<std::int64_t> channels, layers, transformers, heads_or_dims, cross;
  std::vector<std::string> down, up;
  std::int64_t time = 0;
  bool linear = false;  // projections of transformers as matrices: same counts
  bool video = false;

  [[nodiscard]] static std::int64_t at(const std::vector<std::int64_t>& list, std::size_t i,
                                       std::int64_t fallback) {
    return list.empty() ? fallback : list[std::min(i, list.size() - 1)];
  }
};

/// Self-attention without query, key and value biases, cross-attention over the text, gated
/// feed-forward of four times the width (Rombach et al. 2022, appendix E.2.1).
void add_transformer(std::vector<Weight>& w, std::int64_t width, std::int64_t cross,
                     std::int64_t repeats) {
  add_group_norm(w, width);
  add_matrix(w, Role::projector, width, width, true);
  for (std::int64_t i = 0; i < repeats; ++i) {
    for (const std::int64_t source : {width, cross}) {
      add_matrix(w, Role::query, width, width);
      add_matrix(w, Role::key, width, source);
      add_matrix(w, Role::value, width, source);
      add_matrix(w, Role::attention_output, width, width, true);
      add_group_norm(w, width);
    }
    constexpr std::int64_t kWider = 4;
    add_matrix(w, Role::fused_gate_up, 2 * kWider * width, width, true);
    add_matrix(w, Role::down, width, kWider * width, true);
    add_group_norm(w, width);
  }
  add_matrix(w, Role::projector, width, width, true);
}

/// Four temporal convolutions of three frames behind each residual block (text-to-video-ms).
void add_temporal_convolutions(std::vector<Weight>& w, std::int64_t width) {
  constexpr std::int64_t kConvolutions = 4, kFrames = 3;
  for (std::int64_t i = 0; i < kConvolutions; ++i) {
    add_group_norm(w, width);
    add_convolution(w, width, width, kFrames);
  }
}

void add_unit(std::vector<Weight>& w, const Blocks& b, std::int64_t in, std::int64_t out) {
  add_residual(w, in, out, b.time);
  if (b.video) {
    add_temporal_convolutions(w, out);
  }
}

/// Space, and in video models time as well: attention over frames sees no text.
void add_attention_unit(std::vector<Weight>& w, const Blocks& b, std::int64_t width,
                        std::size_t block) {
  add_transformer(w, width, Blocks::at(b.cross, block, width),
                  Blocks::at(b.transformers, block, 1));
  if (b.video) {
    add_transformer(w, width, width, 1);
  }
}

bool attends(const std::vector<std::string>& types, std::size_t block) {
  return block < types.size() && types[block].find("CrossAttn") != std::string::npos;
}

/// Down path; returns the widths that the up path takes back, in order.
std::vector<std::int64_t> add_down(std::vector<Weight>& w, const Blocks& b) {
  std::vector<std::int64_t> skips = {b.channels.front()};
  std::int64_t in = b.channels.front();
  for (std::size_t block = 0; block < b.channels.size(); ++block) {
    const std::int64_t out = b.channels[block];
    const std::int64_t layers = Blocks::at(b.layers, block, 2);
    for (std::int64_t i = 0; i < layers; ++i) {
      add_unit(w, b, in, out);
      if (attends(b.down, block)) {
        add_attention_unit(w, b, out, block);
      }
      in = out;
      skips.push_back(out);
    }
    if (block + 1 < b.channels.size()) {
      add_convolution(w, out, out, kTaps);
      skips.push_back(out);
    }
  }
  return skips;
}

void add_middle(std::vector<Weight>& w, const Blocks& b) {
  const std::int64_t width = b.channels.back();
  add_unit(w, b, width, width);
  add_attention_unit(w, b, width, b.channels.size() - 1);
  add_unit(w, b, width, width);
}

void add_up(std::vector<Weight>& w, const Blocks& b, std::vector<std::int64_t> skips) {
  std::int64_t in = b.channels.back();
  for (std::size_t step = 0; step < b.channels.size(); ++step) {
    const std::size_t block = b.channels.size() - 1 - step;
    const std::int64_t out = b.channels[block];
    const std::int64_t layers = Blocks::at(b.layers, block, 2) + 1;
    for (std::int64_t i = 0; i < layers && !skips.empty(); ++i) {
      add_unit(w, b, in + skips.back(), out);
      skips.pop_back();
      if (attends(b.up, step)) {
        add_attention_unit(w, b, out, block);
      }
      in = out;
    }
    if (block > 0) {
      add_convolution(w, out, out, kTaps);
    }
  }
}

std::optional<Blocks> read_blocks(const Config& config) {
  Blocks b;
  b.channels = config.sizes("block_out_channels");
  b.layers = config.sizes("layers_per_block");
  b.transformers = config.sizes("transformer_layers_per_block");
  b.cross = config.sizes("cross_attention_dim");
  b.down = config.words("down_block_types");
  b.up = config.words("up_block_types");
  const auto repeats_too_much = [](std::int64_t n) { return n > kMostRepeats; };
  if (b.channels.empty() || b.channels.size() > kMostBlocks ||
      std::ranges::any_of(b.layers, repeats_too_much) ||
      std::ranges::any_of(b.transformers, repeats_too_much)) {
    config.fail(
        config.cursor().fail(support::ErrorCode::unsupported_model,
                             "expected up to 16 block_out_channels with up to 64 layers each"));
    return std::nullopt;
  }
  constexpr std::int64_t kTimeWidths = 4;
  b.time = kTimeWidths * b.channels.front();
  return b;
}

/// The time's two linear layers, and SDXL's further conditions.
void add_time(std::vector<Weight>& w, const Blocks& b, const Config& config) {
  add_matrix(w, Role::other, b.time, b.channels.front(), true);
  add_matrix(w, Role::other, b.time, b.time, true);
  if (config.word_or({"addition_embed_type"}, "") == "text_time") {
    add_matrix(w, Role::other, b.time, config.size({"projection_class_embeddings_input_dim"}),
               true);
    add_matrix(w, Role::other, b.time, b.time, true);
  }
  if (const std::int64_t text = config.size_or({"encoder_hid_dim"}, 0); text > 0) {
    add_matrix(w, Role::projector, Blocks::at(b.cross, 0, text), text, true);
  }
}

void read_any(const FamilyInput& input, ModelSpec& model, bool video) {
  const Config& config = input.config;
  std::optional<Blocks> b = read_blocks(config);
  if (!b) {
    return;
  }
  b->video = video;
  const std::int64_t first = b->channels.front();
  Stack stack;
  stack.role = StackRole::denoiser;
  stack.name = "unet";
  stack.hidden = first;
  std::vector<Weight>& w = stack.outside;
  add_convolution(w, first, config.size_or({"in_channels"}, 4), kTaps);
  add_time(w, *b, config);
  if (video) {  // attention over frames at the entry: 8 heads, whatever the width
    constexpr std::int64_t kEntryWidth = 512;
    add_group_norm(w, first);
    add_matrix(w, Role::projector, kEntryWidth, first, true);
    std::vector<Weight> inner;
    add_transformer(inner, kEntryWidth, kEntryWidth, 1);
    w.insert(w.end(), inner.begin() + 4, inner.end() - 2);
    add_matrix(w, Role::projector, first, kEntryWidth, true);
  }
  const std::vector<std::int64_t> skips = add_down(w, *b);
  add_middle(w, *b);
  add_up(w, *b, skips);
  add_group_norm(w, first);
  add_convolution(w, config.size_or({"out_channels"}, 4), first, kTaps);
  stack.aggregate = Aggregate{.convolutional = true};
  stack.aggregate_parameters = stack.parameters();
  model.stacks.push_back(std::move(stack));
}

}  // namespace

/// Stable Diffusion 1, 2 and XL (diffusers UNet2DConditionModel).
void read_unet(const FamilyInput& input, ModelSpec& model) {
  read_any(input, model, false);
}

/// ModelScope text-to-video (diffusers UNet3DConditionModel).
void read_unet_3d(const FamilyInput& input, ModelSpec& model) {
  read_any(input, model, true);
}

}  // namespace gpu_advisor::model
