#include "gpu_advisor/model/model_spec.hpp"

namespace gpu_advisor::model {

std::int64_t Attention::cache_elements_per_token() const {
  switch (kind) {
    case AttentionKind::none:
    case AttentionKind::linear:
    case AttentionKind::cross:  // keys and values of another stream, not of this one's tokens
      return 0;
    case AttentionKind::latent:
      return cached ? std::int64_t{latent_dim} + rope_dim + index_dim : 0;
    case AttentionKind::full:
    case AttentionKind::sliding:
    case AttentionKind::chunked:
      break;
  }
  return cached ? std::int64_t{kv_heads} * (key_dim + value_dim) + index_dim : 0;
}

int Stack::layer_count() const {
  int count = 0;
  for (const LayerGroup& group : layers) {
    count += group.count;
  }
  return count;
}

namespace {

std::int64_t stored_elements(const std::vector<Weight>& weights) {
  std::int64_t sum = 0;
  for (const Weight& weight : weights) {
    sum += weight.tied ? 0 : weight.elements();
  }
  return sum;
}

double used_elements(const std::vector<Weight>& weights) {
  double sum = 0;
  for (const Weight& weight : weights) {
    sum += weight.tied ? 0 : static_cast<double>(weight.elements()) * weight.used_share;
  }
  return sum;
}

}  // namespace

std::int64_t Stack::parameters() const {
  if (layers.empty() && outside.empty()) {
    return aggregate_parameters.value_or(0);
  }
  std::int64_t sum = stored_elements(outside);
  for (const LayerGroup& group : layers) {
    sum += group.count * stored_elements(group.weights);
  }
  return sum;
}

double Stack::active_parameters() const {
  if (layers.empty() && outside.empty()) {
    return static_cast<double>(aggregate_parameters.value_or(0));
  }
  double sum = used_elements(outside);
  for (const LayerGroup& group : layers) {
    sum += group.count * used_elements(group.weights);
  }
  return sum;
}

std::int64_t ModelSpec::parameters() const {
  std::int64_t sum = 0;
  for (const Stack& stack : stacks) {
    sum += stack.parameters();
  }
  return sum;
}

double ModelSpec::active_parameters() const {
  double sum = 0;
  for (const Stack& stack : stacks) {
    sum += stack.active_parameters();
  }
  return sum;
}

std::int64_t ModelSpec::cache_elements_per_token() const {
  std::int64_t sum = 0;
  for (const Stack& stack : stacks) {
    for (const LayerGroup& group : stack.layers) {
      if (!group.attention.window) {
        sum += group.count * group.attention.cache_elements_per_token();
      }
    }
  }
  return sum;
}

}  // namespace gpu_advisor::model
