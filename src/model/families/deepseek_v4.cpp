#include "decoder_internal.hpp"

namespace gpu_advisor::model {

/// DeepSeek-V4: one wide key-value head, low-rank queries and grouped low-rank outputs, compressed
/// keys in most layers, several residual streams. The parts that its config leaves open are read by
/// their names; the count is marked as inferred.
void read_deepseek_v4(const FamilyInput& input, ModelSpec& model) {
  const Config& config = input.config;
  Decoder decoder = read_decoder(input);
  const std::int64_t h = decoder.hidden;
  const AttentionShape plain = decoder.layer.attention;
  const std::int64_t query_rank = config.size_or({"q_lora_rank"}, 0);
  const std::int64_t output_rank = config.size_or({"o_lora_rank"}, 0);
  const std::int64_t groups = std::max<std::int64_t>(config.size_or({"o_groups"}, 1), 1);
  const std::int64_t query = plain.heads * plain.key_dim;
  std::vector<Weight> attention;
  add_matrix(attention, Role::latent_down, query_rank, h);
  add_vector(attention, Role::norm, query_rank);
  add_matrix(attention, Role::latent_up, query, query_rank);
  add_matrix(attention, Role::key, plain.key_dim, h);  // key and value are one
  add_vector(attention, Role::norm, plain.key_dim);
  add_matrix(attention, Role::attention_output, groups * output_rank, query / groups);
  add_matrix(attention, Role::attention_output, h, groups * output_rank);
  add_vector(attention, Role::other, plain.heads);
  const std::vector<std::int64_t> ratios = config.sizes("compress_ratios");
  LayerCollector layers;
  LayerShape layer = layer_at(decoder, std::max<std::int64_t>(decoder.layers - 1, 0));
  layer.attention = AttentionShape{.kind = AttentionKind::none};
  for (std::int64_t i = 0; i < decoder.layers; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool compressed = at < ratios.size() && ratios[at] > 0;
    layer.name = compressed ? "moe compressed" : "moe sliding";
    layer.other = compressed ? 2 * h * plain.key_dim : 0;
    layers.add(layer);
  }
  decoder.layers = 0;
  finish_decoder(decoder, input, model);
  Stack& stack = model.stacks.back();
  stack.layers = layers.groups(h);
  for (LayerGroup& group : stack.layers) {
    AttentionShape described = plain;
    described.kind = group.name == "moe sliding" ? AttentionKind::sliding : AttentionKind::full;
    if (described.kind == AttentionKind::sliding) {
      described.window = decoder.window;
    }
    group.attention = describe_attention(described);
    group.weights.insert(group.weights.begin(), attention.begin(), attention.end());
  }
  model.basis = ParameterBasis::inferred;
  model.assumptions.emplace_back("DeepSeek-V4's compressors and residual streams are approximated");
}

}  // namespace gpu_advisor::model
