#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpu_advisor/units/data_type.hpp"
#include "gpu_advisor/units/quantity.hpp"

namespace gpu_advisor::model {

enum class Arch { dense, moe, encoder, cnn, vit, diffusion, ssm_hybrid, asr, other };

/// What a weight does. Decides how operations, sharding, quantisation and adapters treat it.
enum class Role {
  token_embedding,
  position_embedding,
  query,
  key,
  value,
  fused_qkv,
  attention_output,
  latent_down,
  latent_up,  // MLA low-rank projections
  gate,
  up,
  fused_gate_up,
  down,  // feed-forward
  router,
  expert_gate,
  expert_up,
  expert_down,
  shared_expert,  // mixture of experts
  state_projection,
  state_other,  // SSM and linear attention: matrices; the small rest
  cross_attention,
  norm,
  bias,
  head,
  pooler,
  convolution,
  projector,
  indexer,
  other
};

/// A tensor, or several of the same shape, with exact size. `rows` x `cols` is out x in of a
/// matrix; vectors have cols 1. Elements = rows * cols * copies.
struct Weight {
  Role role = Role::other;
  std::int64_t rows = 0;
  std::int64_t cols = 1;
  std::int64_t copies = 1;  // experts, or repeats of one shape within a layer
  double used_share = 1;    // of the copies, per token: top_k / experts for routed experts
  bool tied = false;        // shares storage with another weight: counts no parameters
  std::int64_t taps = 1;    // convolutions: kernel positions (already within cols)
  [[nodiscard]] std::int64_t elements() const { return rows * cols * copies; }
};

enum class AttentionKind { none, full, sliding, chunked, latent /*MLA*/, linear /*state*/, cross };

/// The attention of one layer, for caches, scores and states. Head counts before any sharding.
struct Attention {
  AttentionKind kind = AttentionKind::none;
  int heads = 0;
  int kv_heads = 0;
  int key_dim = 0;                     // per head, of queries and keys
  int value_dim = 0;                   // per head
  std::optional<std::int64_t> window;  // tokens, of sliding and chunked layers
  int latent_dim = 0;                  // MLA: kv_lora_rank
  int rope_dim = 0;                    // MLA: shared rotary key
  int index_dim = 0;                   // sparse attention indexer: cached key elements per token
  std::int64_t state_elements = 0;     // linear layers: recurrent state per sequence
  std::int64_t conv_elements = 0;      // linear layers: convolution state per sequence
  bool cached = true;                  // false: reuses another layer's cache, or an encoder
  bool causal = true;
  /// Cached elements per token and layer (16-bit entries times two bytes give bytes).
  [[nodiscard]] std::int64_t cache_elements_per_token() const;
};

struct FeedForward {
  bool gated = false;
  std::int64_t hidden = 0;  // of one expert for MoE
  int experts = 0;          // routed; 0: dense
  int top_k = 0;
  int shared_experts = 0;
  std::int64_t shared_hidden = 0;  // width of all shared experts together
};

/// `count` equal layers.
struct LayerGroup {
  std::string name;  // "dense", "moe", "sliding", "mamba", …
  int count = 0;
  Attention attention;
  FeedForward ffn;
  std::vector<Weight> weights;  // of one layer, exact
};

/// Published totals of a network whose layers are not described one by one (vision, diffusion,
/// speech): per sample at `resolution`.
struct Aggregate {
  std::optional<double> gmacs;          // 10^9 multiply-accumulates per sample
  std::optional<double> activations_m;  // 10^6 activation elements per sample
  std::optional<int> resolution;        // pixels of the square side the figures are for
  bool convolutional = false;           // figures scale with pixels; else with patches
};

/// What a stack of layers is in the whole.
enum class StackRole {
  decoder,
  encoder,
  vision,
  audio,
  text_encoder,
  denoiser,
  autoencoder,
  prior,
  other
};

/// A sequence of layers with its own token stream.
struct Stack {
  StackRole role = StackRole::decoder;
  std::string name;  // "language model", "vision tower", "unet", …
  std::int64_t hidden = 0;
  std::int64_t vocab = 0;  // 0: no token embedding
  bool tied_embeddings = false;
  std::vector<LayerGroup> layers;
  std::vector<Weight> outside;         // embeddings, final norm, head, …
  std::optional<Aggregate> aggregate;  // published totals, used where `layers` is empty
  std::optional<std::int64_t> aggregate_parameters;  // exact or published, where not from weights
  std::optional<int> patch;                          // vision: pixels of a patch side
  std::optional<int> latent_factor;                  // diffusion: pixels per latent position side
  [[nodiscard]] int layer_count() const;
  [[nodiscard]] std::int64_t parameters() const;
  [[nodiscard]] double active_parameters() const;  // per token: routed experts by used_share
};

/// What a weight file or index tells: exact bytes.
struct StoredWeights {
  std::int64_t tensors = 0;
  units::Bytes bytes;
  std::int64_t elements = 0;                                        // parameters stored
  std::vector<std::pair<std::string, std::int64_t>> bytes_by_type;  // "Q4_K" → bytes
};

/// How a checkpoint says its weights are quantised.
struct QuantisationInfo {
  std::string
      method;  // "gptq", "awq", "fp8", "bitsandbytes", "compressed-tensors", "mxfp4", "gguf", …
  double bits = 0;
  std::optional<int> group_size;
  std::string canonical;              // a name of units::quantisations(), or empty
  std::vector<std::string> excluded;  // modules that stay in 16 bits
  std::string kv_cache;               // "fp8" when the checkpoint says so
};

enum class ParameterBasis { exact, stored, published, inferred };

/// A model in neutral form: what every reader produces and everything above reads.
struct ModelSpec {
  std::string name;
  std::string id;  // preset id; empty when from a file
  std::string family;
  std::string architecture_class;  // "LlamaForCausalLM"
  Arch arch = Arch::other;
  std::string modality;  // text, vision, vision-language, diffusion, embedding, encoder, audio
  std::string
      source;  // "preset", "hf-config", "safetensors", "gguf", "dimensions", "parameters", …
  std::string license;
  std::string release_date;
  ParameterBasis basis = ParameterBasis::exact;
  std::vector<Stack> stacks;                         // the main one first
  std::optional<std::int64_t> published_parameters;  // a preset's published count, for comparison
  std::optional<std::int64_t> published_active;
  units::DataType default_dtype = units::DataType::bf16;
  std::optional<std::int64_t> max_context;
  std::optional<StoredWeights> stored;
  std::optional<QuantisationInfo> quantisation;
  /// Weights of multi-token prediction layers: in the files beside `parameters()`, loaded only for
  /// speculative decoding.
  std::optional<std::int64_t> draft_parameters;
  bool dimensions_inferred = false;  // from --params alone
  double kv_uncertainty = 1;         // factor by which unknown KV heads may be off; 1: known
  std::vector<std::string> assumptions;
  std::vector<std::string> warnings;

  [[nodiscard]] std::int64_t parameters() const;   // all stacks
  [[nodiscard]] double active_parameters() const;  // per token
  [[nodiscard]] const Stack& main() const { return stacks.front(); }
  /// KV-cache elements per token, all layers, context longer than any window (INTERFACE.md).
  [[nodiscard]] std::int64_t cache_elements_per_token() const;
};

/// Dimensions as a user or a CSV row gives them; all optional but parameters or layers+hidden.
struct Dimensions {
  std::string name;
  std::optional<Arch> arch;
  std::optional<double> parameters, active_parameters;
  std::optional<std::int64_t> layers, hidden, heads, kv_heads, head_dim, ffn_hidden, vocab, experts,
      top_k;
  std::optional<double> gmacs, activations_m;
  std::optional<int> resolution;
};

}  // namespace gpu_advisor::model
