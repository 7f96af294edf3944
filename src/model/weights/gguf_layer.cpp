#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "gguf_layer_internal.hpp"

namespace gpu_advisor::model {
namespace {

struct WindowPattern {
  std::string_view architecture;
  std::int64_t every;  // the last of so many layers attends to everything
};
/// `set_swa_pattern` of llama.cpp (src/llama-model.cpp) by architecture.
constexpr std::array kPatterns{WindowPattern{"gemma2", 2},  WindowPattern{"gemma3", 6},
                               WindowPattern{"gemma3n", 5}, WindowPattern{"cohere2", 4},
                               WindowPattern{"gpt-oss", 2}, WindowPattern{"gemma-embedding", 6},
                               WindowPattern{"exaone4", 4}, WindowPattern{"olmo2", 4}};

constexpr std::int64_t kMostStateFactor = 1 << 20;

int as_int(std::int64_t value) {
  constexpr std::int64_t kMost = 1 << 20;  // beyond any model; products stay within 64 bits
  return static_cast<int>(std::min(value, kMost));
}

}  // namespace

bool gguf_is_causal(const GgufHeader& header) {
  return header.number(header.architecture() + ".attention.causal").value_or(1) != 0;
}

GgufLayers::GgufLayers(const GgufHeader& header, std::vector<std::string>& assumptions)
    : header_(&header) {
  const auto window = header.field("attention.sliding_window");
  if (!window || *window == 0)
    return;
  const bool listed =
      header.find(header.architecture() + ".attention.sliding_window_pattern") != nullptr;
  const auto pattern =
      std::ranges::find(kPatterns, header.architecture(), &WindowPattern::architecture);
  if (!listed && pattern == kPatterns.end()) {
    assumptions.push_back(fmt::format(
        "the file gives a sliding window of {} tokens but not which layers have it: all layers are "
        "taken to attend to everything",
        *window));
    return;
  }
  window_ = window;
  pattern_ = pattern == kPatterns.end() ? 0 : pattern->every;
}

bool GgufLayers::slides(std::size_t layer) const {
  if (!window_)
    return false;
  const GgufValue* list =
      header_->find(header_->architecture() + ".attention.sliding_window_pattern");
  if (list != nullptr && !list->numbers.empty())
    return layer < list->numbers.size() && list->numbers[layer] != 0;
  const std::int64_t every =
      list != nullptr && list->number ? static_cast<std::int64_t>(*list->number) : pattern_;
  return every <= 0 || static_cast<std::int64_t>(layer) % every < every - 1;
}

/// llama_hparams::n_embd_r and n_embd_s of llama.cpp (src/llama-hparams.cpp).
void GgufLayers::add_state(Attention& attention) const {
  const auto field = [this](std::string_view name) {
    return std::min(header_->field(name).value_or(0), kMostStateFactor);
  };
  const std::int64_t inner = field("ssm.inner_size"), state = field("ssm.state_size");
  const std::int64_t kernel = field("ssm.conv_kernel"), groups = field("ssm.group_count");
  attention.state_elements = inner * state;
  const std::int64_t width = inner + std::min(2 * groups * state, kMostStateFactor * 64);
  attention.conv_elements = kernel > 0 ? (kernel - 1) * width : 0;
}

Attention GgufLayers::attention(std::size_t layer, const std::vector<Weight>& weights) const {
  const GgufHeader& h = *header_;
  const bool bare = std::ranges::all_of(weights, [](const Weight& w) { return w.rows == 0; });
  const bool state = first_of(weights, Role::state_projection) != nullptr ||
                     first_of(weights, Role::state_other) != nullptr;
  const bool attends = first_of(weights, Role::key) != nullptr ||
                       first_of(weights, Role::fused_qkv) != nullptr ||
                       first_of(weights, Role::latent_down) != nullptr;
  Attention a;
  const bool only_state = state && first_of(weights, Role::attention_output) == nullptr;
  if (state)
    add_state(a);
  if (only_state || (!attends && !bare)) {
    a.kind = state ? AttentionKind::linear : AttentionKind::none;
    return a;
  }
  const std::int64_t heads = h.field("attention.head_count", layer).value_or(0);
  const std::int64_t hidden = h.field("embedding_length").value_or(0);
  const std::int64_t head_dim = heads > 0 ? hidden / heads : 0;
  a.kind = heads > 0 ? AttentionKind::full : AttentionKind::none;
  a.heads = as_int(heads);
  a.kv_heads = as_int(h.field("attention.head_count_kv", layer).value_or(heads));
  a.key_dim = as_int(h.field("attention.key_length").value_or(head_dim));
  a.value_dim = as_int(h.field("attention.value_length").value_or(head_dim));
  a.causal = a.cached = gguf_is_causal(h);
  if (const auto rank = h.field("attention.kv_lora_rank"); rank && *rank > 0) {
    a.kind = AttentionKind::latent;
    a.latent_dim = as_int(*rank);
    a.rope_dim = as_int(h.field("rope.dimension_count").value_or(0));
    a.key_dim = as_int(h.field("attention.key_length_mla").value_or(a.key_dim));
    a.value_dim = as_int(h.field("attention.value_length_mla").value_or(a.value_dim));
  } else if (slides(layer)) {
    a.kind = AttentionKind::sliding;
    a.window = window_;
  }
  return a;
}

LayerReading GgufLayers::read(std::size_t layer, const std::vector<Weight>& weights) const {
  const GgufHeader& h = *header_;
  LayerReading reading;
  reading.attention = attention(layer, weights);
  const int used = as_int(h.field("expert_used_count").value_or(0));
  reading.ffn = read_feed_forward(weights, used);
  if (reading.ffn.hidden == 0 && !weights.empty() && weights.front().rows == 0) {
    reading.ffn.experts = as_int(h.field("expert_count").value_or(0));
    reading.ffn.top_k = used;
    reading.ffn.hidden = h.field("feed_forward_length", layer).value_or(0);
  }
  const AttentionKind kind = reading.attention.kind;
  reading.name = kind == AttentionKind::linear    ? "state"
                 : kind == AttentionKind::sliding ? "sliding"
                 : reading.ffn.experts > 0        ? "moe"
                                                  : "dense";
  return reading;
}

}  // namespace gpu_advisor::model
