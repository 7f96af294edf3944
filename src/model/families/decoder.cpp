#include <algorithm>

#include "decoder_internal.hpp"

namespace gpu_advisor::model {
namespace {

AttentionShape read_attention(const FamilyInput& input, std::int64_t hidden) {
  const Config& config = input.config;
  const DecoderTraits& traits = input.traits;
  AttentionShape a;
  a.heads = config.size({"num_attention_heads", "n_head", "n_heads", "num_heads", "attn_heads"});
  a.kv_heads = config.size_or(
      {"num_key_value_heads", "n_head_kv", "num_kv_heads", "multi_query_group_num", "n_kv_heads"},
      a.heads);
  if (config.has("multi_query_attention") && !config.flag_or({"multi_query_attention"}, true)) {
    a.kv_heads = a.heads;
  } else if (config.flag_or({"multi_query"}, false)) {
    a.kv_heads = 1;
  }
  const std::int64_t width = hidden / std::max<std::int64_t>(a.heads, 1);
  a.key_dim = config.size_or({"head_dim", "kv_channels", "attention_head_dim"}, width);
  if (a.key_dim == 0) {
    a.key_dim = width;
  }
  a.value_dim = config.size_or({"v_head_dim"}, a.key_dim);
  if (a.value_dim == 0) {
    a.value_dim = a.key_dim;
  }
  const bool every = config.flag_or({"attention_bias"}, false);
  a.query_bias = a.key_bias = a.value_bias = config.flag_or(
      {"qkv_bias", "add_qkv_bias", "use_qkv_bias", "attention_bias", "bias", "use_bias"},
      traits.qkv_bias);
  a.output_bias =
      every ? !config.has("qkv_bias") : config.flag_or({"bias", "use_bias"}, traits.output_bias);
  a.head_norm = config.flag_or({"use_qk_norm"}, true) ? traits.head_norm : HeadNorm::none;
  a.fused = traits.fused_qkv;
  return a;
}

bool is_gated(const FamilyInput& input) {
  const std::string activation = input.config.word_or(
      {"hidden_act", "hidden_activation", "activation_function", "mlp_hidden_act"}, "");
  return activation == "relu2" ? false : input.traits.gated;
}

/// Windows by the list of layer types, by a pattern, or for every layer.
AttentionKind windowed_kind(const FamilyInput& input, std::int64_t index,
                            const std::vector<std::string>& types) {
  if (!types.empty()) {
    const std::string& type = types[static_cast<std::size_t>(index) % types.size()];
    return type == "sliding_attention"   ? AttentionKind::sliding
           : type == "chunked_attention" ? AttentionKind::chunked
           : type == "linear_attention" || type == "conv" || type == "mamba" ? AttentionKind::linear
                                                                             : AttentionKind::full;
  }
  const std::int64_t every =
      input.config.is_list("sliding_window_pattern") ||
              !input.config.word_or({"sliding_window_pattern"}, "").empty()
          ? input.traits.full_every
          : input.config.size_or({"sliding_window_pattern"}, input.traits.full_every);
  const bool full = every > 0 && (index + 1) % every == 0;
  return full ? AttentionKind::full : AttentionKind::sliding;
}

void read_windows(const FamilyInput& input, Decoder& decoder) {
  const Config& config = input.config;
  decoder.window = config.entries_or(
      {"sliding_window", "sliding_window_size", "attention_chunk_size", "window_size"}, 0,
      std::int64_t{1} << 40);
  const std::int64_t context =
      config.entries_or({"max_position_embeddings"}, 0, std::int64_t{1} << 40);
  const bool useless = context > 0 && decoder.window >= context;
  if (decoder.window == 0 || useless || !config.flag_or({"use_sliding_window"}, true)) {
    decoder.window = 0;
  }
  const std::vector<std::string> types = config.words("layer_types");
  decoder.attention.assign(static_cast<std::size_t>(decoder.layers), AttentionKind::full);
  if (decoder.window == 0 && types.empty()) {
    return;
  }
  for (std::int64_t i = 0; i < decoder.layers; ++i) {
    const AttentionKind kind = windowed_kind(input, i, types);
    const bool windowed = kind == AttentionKind::sliding || kind == AttentionKind::chunked;
    decoder.attention[static_cast<std::size_t>(i)] =
        windowed && decoder.window == 0 ? AttentionKind::full : kind;
  }
}

/// Which layers hold experts: all but the first few, every n-th, a list of 0 and 1.
void read_expert_layers(const FamilyInput& input, Decoder& decoder) {
  const Config& config = input.config;
  decoder.experts.assign(static_cast<std::size_t>(decoder.layers), 0);
  if (decoder.layer.ffn.experts == 0) {
    return;
  }
  const std::vector<std::int64_t> frequency = config.sizes("moe_layer_freq");
  const std::vector<std::int64_t> dense_only = config.sizes("mlp_only_layers");
  const std::int64_t first =
      config.entries_or({"first_k_dense_replace", "num_dense_layers", "moe_layer_start_index"}, 0);
  const std::int64_t every = std::max<std::int64_t>(
      1, config.size_or({"decoder_sparse_step", "interleave_moe_layer_step", "moe_layer_interval"},
                        1));
  for (std::int64_t i = 0; i < decoder.layers; ++i) {
    const auto at = static_cast<std::size_t>(i);
    bool experts = i >= first && (i + 1) % every == 0;
    if (frequency.size() > 1) {
      experts = at < frequency.size() && frequency[at] != 0;
    } else if (!frequency.empty() && frequency[0] > 1) {
      experts = experts && i % frequency[0] == 0;
    }
    experts = experts && std::ranges::find(dense_only, i) == dense_only.end();
    decoder.experts[at] = experts ? 1 : 0;
  }
}

}  // namespace

FfnShape read_experts(const FamilyInput& input, const FfnShape& dense) {
  const Config& config = input.config;
  FfnShape ffn = dense;
  ffn.experts = config.size_or(
      {"num_local_experts", "n_routed_experts", "num_experts", "moe_num_experts"}, 0);
  if (ffn.experts <= 1) {
    ffn.experts = 0;
    return ffn;
  }
  ffn.hidden = 0;
  ffn.top_k = std::min(ffn.experts,
                       config.size_or({"num_experts_per_tok", "num_experts_per_token",
                                       "experts_per_token", "top_k_experts", "moe_topk", "moe_k"},
                                      2));
  ffn.expert_hidden =
      config.size_or({"moe_intermediate_size", "expert_ffn_hidden_size"}, dense.hidden);
  ffn.router_bias =
      config.flag_or({"use_moe_router_bias", "use_routing_bias"}, input.traits.router_bias);
  ffn.shared_count =
      config.size_or({"n_shared_experts", "num_shared_experts", "moe_num_shared_experts"}, 0);
  ffn.shared_hidden =
      config.size_or({"shared_expert_intermediate_size", "moe_shared_expert_intermediate_size",
                      "shared_intermediate_size"},
                     ffn.shared_count * config.size_or({"share_expert_dim"}, ffn.expert_hidden));
  if (ffn.shared_hidden > 0) {
    ffn.shared_count = std::max<std::int64_t>(ffn.shared_count, 1);
    ffn.shared_gate = input.traits.shared_gate;
  }
  return ffn;
}

Surroundings read_surroundings(const FamilyInput& input) {
  const Config& config = input.config;
  const DecoderTraits& traits = input.traits;
  Surroundings around;
  around.vocab =
      config.entries_or({"padded_vocab_size", "embedding_size", "vocab_size", "n_vocab"}, 0);
  around.norm_bias = traits.norm_bias;
  around.embedding_norm = traits.embedding_norm;
  around.head = input.head == TaskHead::causal;
  around.tied = config.flag_or(
      {"tie_word_embeddings", "tied_embeddings", "weight_tying", "tie_embedding"}, traits.tied);
  around.head_bias = around.head && config.flag_or({"lm_head_bias"}, traits.head_bias);
  if (traits.position_offset >= 0) {
    around.positions =
        config.entries_or({"n_positions", "max_position_embeddings", "n_ctx"}, 1024) +
        traits.position_offset;
  }
  return around;
}

Decoder read_decoder(const FamilyInput& input) {
  const Config& config = input.config;
  const DecoderTraits& traits = input.traits;
  Decoder decoder;
  decoder.layers = config.layers({"num_hidden_layers", "n_layer", "n_layers", "num_layers"});
  decoder.hidden = config.size({"hidden_size", "n_embd", "n_embed", "d_model", "model_dim"});
  decoder.layer.attention = read_attention(input, decoder.hidden);
  FfnShape& dense = decoder.dense;
  dense.hidden = config.size_or({"intermediate_size_mlp", "intermediate_size", "ffn_hidden_size",
                                 "n_inner", "ffn_dim", "inner_dim"},
                                0);
  if (dense.hidden == 0 && !config.has("moe_intermediate_size")) {
    dense.hidden = 4 * decoder.hidden;
  }
  dense.gated = is_gated(input);
  dense.bias = config.flag_or({"mlp_bias", "add_bias_linear", "use_bias", "bias"}, traits.ffn_bias);
  decoder.layer.ffn = read_experts(input, dense);
  decoder.layer.norms = traits.norms;
  decoder.layer.norm_bias = traits.norm_bias;
  decoder.around = read_surroundings(input);
  decoder.vocab = decoder.around.vocab;
  read_windows(input, decoder);
  read_expert_layers(input, decoder);
  return decoder;
}

LayerShape layer_at(const Decoder& decoder, std::int64_t index) {
  const auto at = static_cast<std::size_t>(index);
  LayerShape layer = decoder.layer;
  layer.name = "dense";
  if (at >= decoder.experts.size()) {  // a model without layers
    return layer;
  }
  if (decoder.experts[at] == 0) {
    layer.ffn = decoder.dense;
  } else {
    layer.name = "moe";
  }
  const AttentionKind kind = decoder.attention[at];
  if (kind == AttentionKind::sliding || kind == AttentionKind::chunked) {
    layer.attention.kind = kind;
    layer.attention.window = decoder.window;
    layer.name += kind == AttentionKind::sliding ? " sliding" : " chunked";
  }
  return layer;
}

Stack decoder_stack(const Decoder& decoder) {
  LayerCollector layers;
  for (std::int64_t i = 0; i < decoder.layers; ++i) {
    layers.add(layer_at(decoder, i));
  }
  Stack stack;
  stack.role = StackRole::decoder;
  stack.name = "language model";
  stack.hidden = decoder.hidden;
  stack.vocab = decoder.vocab;
  stack.tied_embeddings = decoder.around.tied;
  stack.layers = layers.groups(decoder.hidden);
  stack.outside = make_surroundings(decoder.around, decoder.hidden);
  return stack;
}

void finish_decoder(const Decoder& decoder, const FamilyInput& input, ModelSpec& model) {
  model.stacks.push_back(decoder_stack(decoder));
  Stack& stack = model.stacks.back();
  if (input.head == TaskHead::classification) {
    const std::int64_t labels = input.config.size_or({"num_labels"}, 2);
    add_matrix(stack.outside, Role::pooler, labels, decoder.hidden);
  }
}

void add_draft_layers(ModelSpec& model, const Decoder& decoder, std::int64_t count,
                      std::int64_t extra_per_layer) {
  if (count <= 0 || decoder.layers <= 0) {
    return;
  }
  Stack drafts;
  drafts.layers = {
      make_group(layer_at(decoder, decoder.layers - 1), decoder.hidden, static_cast<int>(count))};
  model.draft_parameters =
      model.draft_parameters.value_or(0) + drafts.parameters() + count * extra_per_layer;
}

void read_plain_decoder(const FamilyInput& input, ModelSpec& model) {
  finish_decoder(read_decoder(input), input, model);
}

/// ChatGLM: the class "ChatGLMModel" has an output layer too.
void read_chatglm(const FamilyInput& input, ModelSpec& model) {
  const FamilyInput whole{.config = input.config, .head = TaskHead::causal, .traits = input.traits};
  finish_decoder(read_decoder(whole), whole, model);
}

/// Apertus: the activation (xIELU) has two learned numbers in each layer.
void read_apertus(const FamilyInput& input, ModelSpec& model) {
  Decoder decoder = read_decoder(input);
  decoder.layer.other = 2;
  finish_decoder(decoder, input, model);
}

/// The first OLMo: norms without weights.
void read_olmo(const FamilyInput& input, ModelSpec& model) {
  Decoder decoder = read_decoder(input);
  decoder.around.final_norm = false;
  finish_decoder(decoder, input, model);
}

/// The first Qwen: `intermediate_size` counts gate and up projection together.
void read_qwen1(const FamilyInput& input, ModelSpec& model) {
  Decoder decoder = read_decoder(input);
  decoder.dense.hidden /= 2;
  decoder.layer.ffn.hidden /= 2;
  decoder.dense.bias = decoder.layer.ffn.bias = false;
  finish_decoder(decoder, input, model);
}

}  // namespace gpu_advisor::model
