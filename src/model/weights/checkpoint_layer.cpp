#include <algorithm>
#include <fmt/format.h>

#include "checkpoint_layer_internal.hpp"

namespace gpu_advisor::model {
namespace {

// Llama, Mistral, Qwen and most models from a width of 2048 on have heads of 128, smaller ones of
// 64 (BERT, GPT-2, Qwen 2.5 0.5B).
constexpr std::int64_t kUsualHead = 128;
constexpr std::int64_t kSmallHead = 64;
constexpr std::int64_t kWideModel = 2048;
// Experts per token: 2 of at most 16 (Mixtral), 8 of more (DeepSeek-V3, Qwen 3, OLMoE).
constexpr int kFewExperts = 16;
constexpr int kUsedOfFew = 2;
constexpr int kUsedOfMany = 8;

int as_int(std::int64_t value) {
  constexpr std::int64_t kMost = 1 << 20;  // beyond any model; products stay within 64 bits
  return static_cast<int>(std::clamp<std::int64_t>(value, 0, kMost));
}

}  // namespace

/// A norm on queries and keys has the width of one head (Qwen 3, Gemma 3).
std::int64_t CheckpointLayers::head_width(const std::vector<Weight>& weights,
                                          std::int64_t queries) {
  constexpr std::int64_t kLeast = 32, kMost = 512;
  const std::int64_t hidden = cols_of(weights, Role::attention_output) == queries
                                  ? rows_of(weights, Role::attention_output)
                                  : queries;
  for (const Weight& weight : weights)
    if (weight.role == Role::norm && weight.rows >= kLeast && weight.rows <= kMost &&
        weight.rows < hidden && queries % weight.rows == 0)
      return weight.rows;
  const std::int64_t width =
      queries >= kWideModel && queries % kUsualHead == 0 ? kUsualHead : kSmallHead;
  if (queries % width != 0)
    return 0;
  assumptions_.insert(fmt::format(
      "the file does not say how wide a head is: {} taken; caches do not depend on it", width));
  return width;
}

/// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1): kv_b goes up from the
/// latent width; kv_a goes down to latent and rotary key; heads follow from the widths.
Attention CheckpointLayers::latent(const std::vector<Weight>& weights) const {
  Attention a{.kind = AttentionKind::latent};
  const auto is_down = [&weights](std::int64_t rows) {
    return std::ranges::any_of(weights, [rows](const Weight& weight) {
      return weight.role == Role::latent_down && weight.rows == rows;
    });
  };
  const Weight* query_up = nullptr;
  const Weight* kv_up = nullptr;
  for (const Weight& weight : weights)
    if (weight.role == Role::latent_up)
      (is_down(weight.cols) ? query_up : kv_up) = &weight;
  if (kv_up == nullptr)
    return a;
  a.latent_dim = as_int(kv_up->cols);
  for (const Weight& weight : weights)
    if (weight.role == Role::latent_down && weight.rows > kv_up->cols &&
        (query_up == nullptr || weight.rows != query_up->cols))
      a.rope_dim = as_int(weight.rows - kv_up->cols);
  const std::int64_t queries = query_up != nullptr ? query_up->rows : rows_of(weights, Role::query);
  const std::int64_t values = cols_of(weights, Role::attention_output);
  const std::int64_t nope = kv_up->rows - values;  // heads times the key part without position
  if (a.rope_dim > 0 && nope > 0 && queries > nope) {
    a.heads = as_int((queries - nope) / a.rope_dim);
    a.kv_heads = a.heads;
    if (a.heads > 0) {
      a.key_dim = as_int(queries / a.heads);
      a.value_dim = as_int(values / a.heads);
    }
  }
  return a;
}

Attention CheckpointLayers::attention(const std::vector<Weight>& weights) {
  Attention a;
  if (first_of(weights, Role::latent_up) != nullptr)
    return latent(weights);
  std::int64_t queries = rows_of(weights, Role::query);
  std::int64_t keys = rows_of(weights, Role::key);
  if (const Weight* fused = first_of(weights, Role::fused_qkv)) {
    queries = cols_of(weights, Role::attention_output);
    if (queries == 0 || queries >= fused->rows)
      queries = fused->rows / 3;
    keys = (fused->rows - queries) / 2;
  }
  if (queries <= 0 || keys <= 0) {
    const bool state = first_of(weights, Role::state_projection) != nullptr ||
                       first_of(weights, Role::state_other) != nullptr;
    a.kind = state ? AttentionKind::linear : AttentionKind::none;
    return a;
  }
  a.kind = AttentionKind::full;
  std::int64_t width = head_width(weights, queries);
  if (width == 0 || keys % width != 0)
    width = keys;  // one key head
  a.heads = as_int(queries / width);
  a.kv_heads = as_int(keys / width);
  a.key_dim = a.value_dim = as_int(width);
  return a;
}

LayerReading CheckpointLayers::read(const std::vector<Weight>& weights) {
  LayerReading reading;
  reading.attention = attention(weights);
  const Weight* experts = first_of(weights, Role::expert_down);
  int used = 0;
  if (experts != nullptr) {
    used = experts->copies <= kFewExperts ? kUsedOfFew : kUsedOfMany;
    assumptions_.insert(
        fmt::format("the file does not say how many of {} experts a token uses: {} taken",
                    experts->copies, used));
  }
  reading.ffn = read_feed_forward(weights, used);
  reading.name = reading.attention.kind == AttentionKind::linear ? "state"
                 : experts != nullptr                            ? "moe"
                                                                 : "dense";
  return reading;
}

}  // namespace gpu_advisor::model
