#include "structure_internal.hpp"

namespace gpu_advisor::model {
namespace {

void add_bias(std::vector<Weight>& weights, bool wanted, std::int64_t width) {
  if (wanted) {
    add_vector(weights, Role::bias, width);
  }
}

void add_head_norms(std::vector<Weight>& weights, const AttentionShape& shape) {
  switch (shape.head_norm) {
    case HeadNorm::none:
      return;
    case HeadNorm::per_head:
    case HeadNorm::per_head_with_bias:
      add_vector(weights, Role::norm, shape.key_dim, 2);
      add_bias(weights, shape.head_norm == HeadNorm::per_head_with_bias, 2 * shape.key_dim);
      return;
    case HeadNorm::whole:
      add_vector(weights, Role::norm, shape.heads * shape.key_dim);
      add_vector(weights, Role::norm, shape.kv_heads * shape.key_dim);
      return;
  }
}

/// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1).
void add_latent_attention(std::vector<Weight>& weights, const AttentionShape& shape,
                          std::int64_t hidden) {
  const std::int64_t query = shape.heads * (shape.nope_dim + shape.rope_dim);
  if (shape.query_rank > 0) {
    add_matrix(weights, Role::latent_down, shape.query_rank, hidden, shape.query_bias);
    add_vector(weights, Role::norm, shape.query_rank);
    add_matrix(weights, Role::latent_up, query, shape.query_rank);
  } else {
    add_matrix(weights, Role::query, query, hidden);
  }
  add_matrix(weights, Role::latent_down, shape.latent_rank + shape.rope_dim, hidden,
             shape.key_bias);
  add_vector(weights, Role::norm, shape.latent_rank);
  add_matrix(weights, Role::latent_up, shape.heads * (shape.nope_dim + shape.value_dim),
             shape.latent_rank);
  add_matrix(weights, Role::attention_output, hidden, shape.heads * shape.value_dim,
             shape.output_bias);
  if (shape.index_heads > 0) {  // DeepSeek-V3.2: lightning indexer
    const std::int64_t source = shape.query_rank > 0 ? shape.query_rank : hidden;
    add_matrix(weights, Role::indexer, shape.index_heads * shape.index_dim, source);
    add_matrix(weights, Role::indexer, shape.index_dim, hidden);
    add_matrix(weights, Role::indexer, shape.index_heads, hidden);
    add_vector(weights, Role::norm, shape.index_dim);
    add_vector(weights, Role::bias, shape.index_dim);
  }
}

/// Weights of experts: one entry for all copies.
void add_expert(std::vector<Weight>& weights, Role role, const FfnShape& shape, std::int64_t rows,
                std::int64_t cols) {
  const double used = static_cast<double>(shape.top_k) / static_cast<double>(shape.experts);
  weights.push_back(
      {.role = role, .rows = rows, .cols = cols, .copies = shape.experts, .used_share = used});
  if (shape.expert_bias) {
    weights.push_back(
        {.role = Role::bias, .rows = rows, .copies = shape.experts, .used_share = used});
  }
}

void add_experts(std::vector<Weight>& weights, const FfnShape& shape, std::int64_t hidden) {
  const std::int64_t width = shape.expert_input > 0 ? shape.expert_input : hidden;
  add_matrix(weights, Role::router, shape.experts, hidden);
  add_bias(weights, shape.router_bias, shape.experts);
  add_vector(weights, Role::other, hidden, shape.router_hidden_extra);
  if (shape.expert_input > 0) {  // projections into and out of the experts' narrower width
    add_matrix(weights, Role::down, shape.expert_input, hidden);
    add_matrix(weights, Role::up, hidden, shape.expert_input);
  }
  if (shape.gated) {
    add_expert(weights, Role::expert_gate, shape, shape.expert_hidden, width);
  }
  add_expert(weights, Role::expert_up, shape, shape.expert_hidden, width);
  add_expert(weights, Role::expert_down, shape, width, shape.expert_hidden);
  if (shape.shared_hidden > 0) {
    if (shape.gated) {
      add_matrix(weights, Role::shared_expert, shape.shared_hidden, hidden);
    }
    add_matrix(weights, Role::shared_expert, shape.shared_hidden, hidden);
    add_matrix(weights, Role::shared_expert, hidden, shape.shared_hidden);
    if (shape.shared_gate) {
      add_matrix(weights, Role::router, 1, hidden);
    }
  }
}

void add_convolution(std::vector<Weight>& weights, std::int64_t channels, std::int64_t kernel,
                     bool bias) {
  if (channels > 0 && kernel > 0) {
    weights.push_back({.role = Role::state_other, .rows = channels, .cols = kernel});
    add_bias(weights, bias, channels);
  }
}

}  // namespace

void add_attention_weights(std::vector<Weight>& weights, const AttentionShape& shape,
                           std::int64_t hidden) {
  if (shape.kind == AttentionKind::none) {
    return;
  }
  if (shape.kind == AttentionKind::latent) {
    add_latent_attention(weights, shape, hidden);
    return;
  }
  const std::int64_t query = shape.heads * shape.key_dim * (shape.output_gate ? 2 : 1);
  const std::int64_t key = shape.kv_heads * shape.key_dim;
  const std::int64_t value = shape.shared_key_value ? 0 : shape.kv_heads * shape.value_dim;
  const std::int64_t source = shape.source_dim > 0 ? shape.source_dim : hidden;
  if (shape.fused) {
    add_matrix(weights, Role::fused_qkv, query + key + value, hidden, shape.query_bias);
  } else {
    add_matrix(weights, Role::query, query, hidden, shape.query_bias);
    add_matrix(weights, Role::key, key, source, shape.key_bias);
    add_matrix(weights, Role::value, value, source, shape.value_bias);
  }
  add_matrix(weights, Role::attention_output, hidden, shape.heads * shape.value_dim,
             shape.output_bias);
  add_head_norms(weights, shape);
  if (shape.sinks) {
    add_vector(weights, Role::other, shape.heads);
  }
}

void add_cross_attention_weights(std::vector<Weight>& weights, const AttentionShape& shape,
                                 std::int64_t hidden) {
  std::vector<Weight> block;
  add_attention_weights(block, shape, hidden);
  for (Weight& weight : block) {
    if (weight.role != Role::bias && weight.role != Role::norm) {
      weight.role = Role::cross_attention;
    }
    weights.push_back(weight);
  }
}

void add_ffn_weights(std::vector<Weight>& weights, const FfnShape& shape, std::int64_t hidden) {
  if (shape.hidden > 0) {
    if (shape.gated) {
      add_matrix(weights, Role::gate, shape.hidden, hidden, shape.bias);
    }
    add_matrix(weights, Role::up, shape.hidden, hidden, shape.bias);
    add_matrix(weights, Role::down, hidden, shape.hidden, shape.bias);
  }
  if (shape.experts > 0) {
    add_experts(weights, shape, hidden);
  }
}

void add_mixer_weights(std::vector<Weight>& weights, const MixerShape& shape, std::int64_t hidden) {
  const std::int64_t groups = 2 * shape.groups * shape.state;
  switch (shape.kind) {
    case MixerKind::none:
      return;
    case MixerKind::mamba1:
      add_matrix(weights, Role::state_projection, 2 * shape.inner, hidden, shape.bias);
      add_convolution(weights, shape.inner, shape.kernel, shape.convolution_bias);
      add_matrix(weights, Role::state_projection, shape.step_rank + 2 * shape.state, shape.inner);
      add_matrix(weights, Role::state_projection, shape.inner, shape.step_rank, true);
      add_vector(weights, Role::state_other, shape.inner, shape.state);  // A
      add_vector(weights, Role::state_other, shape.inner);               // D
      add_matrix(weights, Role::state_projection, hidden, shape.inner, shape.bias);
      return;
    case MixerKind::mamba2:
      add_matrix(weights, Role::state_projection, 2 * shape.inner + groups + shape.heads, hidden,
                 shape.bias);
      add_convolution(weights, shape.inner + groups, shape.kernel, shape.convolution_bias);
      add_vector(weights, Role::state_other, shape.heads, 3);  // A, D, time-step bias
      add_vector(weights, Role::norm, shape.inner);
      add_matrix(weights, Role::state_projection, hidden, shape.inner, shape.bias);
      return;
    case MixerKind::delta_net: {  // gated delta rule (arXiv 2412.06464)
      const std::int64_t key = shape.groups * shape.key_dim;
      const std::int64_t value = shape.heads * shape.value_dim;
      add_matrix(weights, Role::state_projection, 2 * key + 2 * value, hidden);
      add_matrix(weights, Role::state_projection, 2 * shape.heads, hidden);
      add_convolution(weights, 2 * key + value, shape.kernel, shape.convolution_bias);
      add_vector(weights, Role::state_other, shape.heads, 2);  // decay, time-step bias
      add_vector(weights, Role::norm, shape.value_dim);
      add_matrix(weights, Role::state_projection, hidden, value);
      return;
    }
    case MixerKind::short_convolution:  // LFM2: gated convolution
      add_matrix(weights, Role::state_projection, 3 * shape.inner, hidden, shape.bias);
      add_convolution(weights, shape.inner, shape.kernel, shape.convolution_bias);
      add_matrix(weights, Role::state_projection, hidden, shape.inner, shape.bias);
      return;
  }
}

}  // namespace gpu_advisor::model
