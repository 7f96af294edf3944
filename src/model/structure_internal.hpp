#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu_advisor/model/model_spec.hpp"

namespace gpu_advisor::model {

/// Norms on queries and keys: one vector of the head's width for all heads, or one over all heads.
enum class HeadNorm { none, per_head, whole, per_head_with_bias };

/// Everything that decides the weights of an attention block. Unused numbers are 0.
struct AttentionShape {
  AttentionKind kind = AttentionKind::full;  // none: the layer has no attention
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t key_dim = 0;
  std::int64_t value_dim = 0;
  std::int64_t source_dim = 0;  // cross attention: width of the other stream; 0: this one's
  bool query_bias = false;
  bool key_bias = false;
  bool value_bias = false;
  bool output_bias = false;
  HeadNorm head_norm = HeadNorm::none;
  bool fused = false;                  // one matrix for query, key and value
  bool sinks = false;                  // one learned logit per head (gpt-oss)
  bool output_gate = false;            // queries come with a gate of their size (Qwen3-Next)
  bool shared_key_value = false;       // the value is the key (Gemma 4 global layers)
  std::optional<std::int64_t> window;  // sliding, chunked
  std::int64_t query_rank = 0;         // MLA; 0: full-rank queries
  std::int64_t latent_rank = 0;        // MLA
  std::int64_t nope_dim = 0;           // MLA: key part without position
  std::int64_t rope_dim = 0;           // MLA: shared rotary key
  std::int64_t index_heads = 0;        // DeepSeek sparse attention
  std::int64_t index_dim = 0;
  bool cached = true;
  bool causal = true;
  bool operator==(const AttentionShape&) const = default;
};

/// Everything that decides the weights of a feed-forward block.
struct FfnShape {
  std::int64_t hidden = 0;  // dense width; 0: none, or experts instead
  bool gated = true;
  bool bias = false;
  std::int64_t experts = 0;
  std::int64_t top_k = 0;
  std::int64_t expert_hidden = 0;
  bool expert_bias = false;
  bool router_bias = false;        // bias or score correction, one per expert
  std::int64_t shared_hidden = 0;  // all shared experts together
  std::int64_t shared_count = 0;   // shared experts
  bool shared_gate = false;        // one vector that weighs the shared expert (Qwen2-MoE)
  std::int64_t expert_input = 0;   // latent experts (Nemotron 3): width they work in; 0: hidden
  std::int64_t router_hidden_extra = 0;  // further router vectors of the model's width
  bool operator==(const FfnShape&) const = default;
};

/// Mixers with a state instead of a cache.
enum class MixerKind { none, mamba1, mamba2, delta_net, short_convolution };

struct MixerShape {
  MixerKind kind = MixerKind::none;
  std::int64_t inner = 0;      // mamba: inner width; short convolution: width
  std::int64_t state = 0;      // mamba: state size per channel or head
  std::int64_t heads = 0;      // mamba2; delta net: value heads
  std::int64_t groups = 0;     // mamba2: B/C groups; delta net: key heads
  std::int64_t key_dim = 0;    // delta net: per head
  std::int64_t value_dim = 0;  // delta net: per head
  std::int64_t kernel = 0;     // convolution length
  std::int64_t step_rank = 0;  // mamba1: rank of the time step
  bool bias = false;           // of the projections
  bool convolution_bias = false;
  bool operator==(const MixerShape&) const = default;
};

/// One layer.
struct LayerShape {
  std::string name = "dense";
  AttentionShape attention;
  MixerShape mixer;
  FfnShape ffn;
  std::int64_t norms = 2;        // of the model's width
  bool norm_bias = false;        // LayerNorm with weight and bias
  std::int64_t cross_heads = 0;  // encoder-decoder: a second attention over the encoder; 0: none
  AttentionShape cross;          // its shape
  std::int64_t other = 0;        // further elements per layer (scales, gates)
  bool operator==(const LayerShape&) const = default;
};

/// The weights and descriptions of one layer.
[[nodiscard]] LayerGroup make_group(const LayerShape& shape, std::int64_t hidden, int count);

/// Adds a layer to a stack: counted with an equal earlier one, wherever that stands.
class LayerCollector {
 public:
  void add(const LayerShape& shape, int count = 1);
  [[nodiscard]] std::vector<LayerGroup> groups(std::int64_t hidden) const;

 private:
  struct Entry {
    LayerShape shape;
    int count = 0;
  };
  std::vector<Entry> entries_;
};

/// A matrix and, where wanted, its bias.
void add_matrix(std::vector<Weight>& weights, Role role, std::int64_t rows, std::int64_t cols,
                bool bias = false);
/// `copies` vectors of one width.
void add_vector(std::vector<Weight>& weights, Role role, std::int64_t width,
                std::int64_t copies = 1);
/// The blocks alone, for families that combine them in their own way.
void add_attention_weights(std::vector<Weight>& weights, const AttentionShape& shape,
                           std::int64_t hidden);
void add_cross_attention_weights(std::vector<Weight>& weights, const AttentionShape& shape,
                                 std::int64_t hidden);
void add_ffn_weights(std::vector<Weight>& weights, const FfnShape& shape, std::int64_t hidden);
void add_mixer_weights(std::vector<Weight>& weights, const MixerShape& shape, std::int64_t hidden);
[[nodiscard]] Attention describe_attention(const AttentionShape& shape);
[[nodiscard]] Attention describe_mixer(const MixerShape& shape);
[[nodiscard]] FeedForward describe_ffn(const FfnShape& shape);

/// What stands around the layers of a text model.
struct Surroundings {
  std::int64_t vocab = 0;
  std::int64_t embedding_dim = 0;  // where it differs from the model's width (factorised); 0: same
  std::int64_t positions = 0;      // learned position vectors
  std::int64_t token_types = 0;
  bool embedding_norm = false;
  bool final_norm = true;
  bool norm_bias = false;
  bool head = true;
  bool tied = false;
  bool head_bias = false;
};
[[nodiscard]] std::vector<Weight> make_surroundings(const Surroundings& around,
                                                    std::int64_t hidden);

}  // namespace gpu_advisor::model
