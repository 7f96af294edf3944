#include <algorithm>

#include "structure_internal.hpp"

namespace gpu_advisor::model {
namespace {

// State that a Mamba layer keeps (Gu and Dao 2023, arXiv 2312.00752, section 3.2; Dao and Gu 2024,
// arXiv 2405.21060, section 7): inner x state, and the last kernel-1 inputs of the convolution
// (implementations hold `kernel` of them).
std::int64_t convolved_width(const MixerShape& shape) {
  switch (shape.kind) {
    case MixerKind::mamba2:
      return shape.inner + 2 * shape.groups * shape.state;
    case MixerKind::delta_net:
      return 2 * shape.groups * shape.key_dim + shape.heads * shape.value_dim;
    case MixerKind::mamba1:
    case MixerKind::short_convolution:
      return shape.inner;
    case MixerKind::none:
      break;
  }
  return 0;
}

std::int64_t state_size(const MixerShape& shape) {
  switch (shape.kind) {
    case MixerKind::mamba1:
    case MixerKind::mamba2:
      return shape.inner * shape.state;
    case MixerKind::delta_net:
      return shape.heads * shape.key_dim * shape.value_dim;
    case MixerKind::short_convolution:
    case MixerKind::none:
      break;
  }
  return 0;
}

int narrow(std::int64_t value) {
  return static_cast<int>(std::clamp<std::int64_t>(value, 0, 2'000'000'000));
}

std::string_view default_name(const LayerShape& shape) {
  if (shape.ffn.experts > 0) {
    return "moe";
  }
  return "dense";
}

}  // namespace

LayerGroup make_group(const LayerShape& shape, std::int64_t hidden, int count) {
  LayerGroup group;
  group.name = shape.name.empty() ? default_name(shape) : shape.name;
  group.count = count;
  if (shape.mixer.kind != MixerKind::none) {
    group.attention = describe_mixer(shape.mixer);
    add_mixer_weights(group.weights, shape.mixer, hidden);
  }
  if (shape.attention.kind != AttentionKind::none) {
    group.attention = describe_attention(shape.attention);
    add_attention_weights(group.weights, shape.attention, hidden);
  }
  if (shape.cross_heads > 0) {
    add_cross_attention_weights(group.weights, shape.cross, hidden);
  }
  group.ffn = describe_ffn(shape.ffn);
  add_ffn_weights(group.weights, shape.ffn, hidden);
  if (shape.norms > 0) {
    add_vector(group.weights, Role::norm, hidden, shape.norms);
    if (shape.norm_bias) {
      add_vector(group.weights, Role::bias, hidden, shape.norms);
    }
  }
  if (shape.other > 0) {
    add_vector(group.weights, Role::other, shape.other);
  }
  return group;
}

void LayerCollector::add(const LayerShape& shape, int count) {
  const auto equal = std::ranges::find(entries_, shape, &Entry::shape);
  if (equal != entries_.end()) {
    equal->count += count;
  } else {
    entries_.push_back({shape, count});
  }
}

std::vector<LayerGroup> LayerCollector::groups(std::int64_t hidden) const {
  std::vector<LayerGroup> groups;
  groups.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    groups.push_back(make_group(entry.shape, hidden, entry.count));
  }
  return groups;
}

void add_matrix(std::vector<Weight>& weights, Role role, std::int64_t rows, std::int64_t cols,
                bool bias) {
  if (rows <= 0 || cols <= 0) {
    return;
  }
  weights.push_back({.role = role, .rows = rows, .cols = cols});
  if (bias) {
    weights.push_back({.role = Role::bias, .rows = rows});
  }
}

void add_vector(std::vector<Weight>& weights, Role role, std::int64_t width, std::int64_t copies) {
  if (width > 0 && copies > 0) {
    weights.push_back({.role = role, .rows = width, .copies = copies});
  }
}

Attention describe_attention(const AttentionShape& shape) {
  Attention attention;
  attention.kind = shape.kind;
  attention.heads = narrow(shape.heads);
  attention.kv_heads = narrow(shape.kv_heads);
  attention.key_dim = narrow(shape.key_dim);
  attention.value_dim = narrow(shape.value_dim);
  attention.window = shape.window;
  attention.latent_dim = narrow(shape.latent_rank);
  attention.rope_dim = narrow(shape.rope_dim);
  attention.index_dim = narrow(shape.index_dim);
  attention.cached = shape.cached;
  attention.causal = shape.causal;
  return attention;
}

Attention describe_mixer(const MixerShape& shape) {
  Attention attention;
  attention.kind = AttentionKind::linear;
  attention.heads = narrow(shape.heads);
  attention.kv_heads = narrow(shape.groups);
  attention.key_dim = narrow(shape.kind == MixerKind::delta_net ? shape.key_dim : shape.state);
  attention.value_dim = narrow(shape.value_dim);
  attention.state_elements = state_size(shape);
  attention.conv_elements = convolved_width(shape) * shape.kernel;
  return attention;
}

FeedForward describe_ffn(const FfnShape& shape) {
  FeedForward ffn;
  ffn.gated = shape.gated;
  ffn.hidden = shape.experts > 0 ? shape.expert_hidden : shape.hidden;
  ffn.experts = narrow(shape.experts);
  ffn.top_k = narrow(shape.top_k);
  ffn.shared_experts = narrow(shape.shared_count);
  // A dense block beside the experts works as a shared expert does.
  ffn.shared_hidden = shape.shared_hidden + (shape.experts > 0 ? shape.hidden : 0);
  return ffn;
}

std::vector<Weight> make_surroundings(const Surroundings& around, std::int64_t hidden) {
  std::vector<Weight> weights;
  const std::int64_t width = around.embedding_dim > 0 ? around.embedding_dim : hidden;
  add_matrix(weights, Role::token_embedding, around.vocab, width);
  add_matrix(weights, Role::position_embedding, around.positions, width);
  add_matrix(weights, Role::position_embedding, around.token_types, width);
  const auto add_norm = [&weights, &around](std::int64_t size) {
    add_vector(weights, Role::norm, size);
    if (around.norm_bias) {
      add_vector(weights, Role::bias, size);
    }
  };
  if (around.embedding_norm) {
    add_norm(width);
  }
  if (around.final_norm) {
    add_norm(hidden);
  }
  if (around.head && around.vocab > 0) {
    weights.push_back(
        {.role = Role::head, .rows = around.vocab, .cols = width, .tied = around.tied});
    if (around.head_bias) {
      add_vector(weights, Role::bias, around.vocab);
    }
  }
  return weights;
}

}  // namespace gpu_advisor::model
