#include <algorithm>
#include <map>
#include <tuple>

#include "placed_weight_internal.hpp"

namespace gpu_advisor::model {
namespace {

constexpr std::size_t kMostStacks = 64;  // a model has a handful of towers

auto key_of(const Weight& weight) {
  return std::tuple(weight.role, weight.rows, weight.cols, weight.taps);
}

/// Weights of one layer: equal tensors become one with copies. Experts in lists of their own stand
/// apart from whole tensors of the same shape.
std::vector<Weight> joined(const std::vector<const PlacedWeight*>& weights) {
  std::map<std::tuple<Role, std::int64_t, std::int64_t, std::int64_t, bool>, Weight> sums;
  std::vector<Weight> result;
  for (const PlacedWeight* placed : weights) {
    const Weight& weight = placed->weight;
    const auto key = std::tuple_cat(key_of(weight), std::tuple(placed->place.expert >= 0));
    const auto [at, added] = sums.try_emplace(key, weight);
    if (!added)
      at->second.copies += weight.copies;
  }
  for (const auto& [key, weight] : sums)
    result.push_back(weight);
  return result;
}

bool equal(const std::vector<Weight>& a, const std::vector<Weight>& b) {
  return std::ranges::equal(a, b, [](const Weight& x, const Weight& y) {
    return key_of(x) == key_of(y) && x.copies == y.copies && x.used_share == y.used_share;
  });
}

bool equal(const LayerReading& a, const LayerReading& b) {
  const Attention &x = a.attention, &y = b.attention;
  return a.name == b.name && x.kind == y.kind && x.heads == y.heads && x.kv_heads == y.kv_heads &&
         x.key_dim == y.key_dim && x.value_dim == y.value_dim && x.window == y.window &&
         x.latent_dim == y.latent_dim && x.state_elements == y.state_elements &&
         x.conv_elements == y.conv_elements;
}

void use_share_of_experts(std::vector<Weight>& weights, const FeedForward& ffn) {
  for (Weight& weight : weights)
    if ((weight.role == Role::expert_gate || weight.role == Role::expert_up ||
         weight.role == Role::expert_down) &&
        ffn.experts > 0 && ffn.top_k > 0)
      weight.used_share = std::min(1.0, static_cast<double>(ffn.top_k) / ffn.experts);
}

/// Weights by stack and layer; layer -1 holds what is outside.
using ByLayer = std::map<int, std::vector<const PlacedWeight*>>;

Stack build(const ByLayer& layers, const ReadLayer& read) {
  struct Kind {
    LayerReading reading;
    LayerGroup group;
  };
  std::vector<Kind> kinds;
  for (const auto& [layer, placed] : layers) {
    if (layer < 0)
      continue;
    std::vector<Weight> weights = joined(placed);
    const LayerReading reading = read(layer, weights);
    use_share_of_experts(weights, reading.ffn);
    const auto same = std::ranges::find_if(kinds, [&](const Kind& kind) {
      return equal(kind.reading, reading) && equal(kind.group.weights, weights);
    });
    if (same != kinds.end())
      ++same->group.count;
    else
      kinds.push_back({reading,
                       {.name = reading.name,
                        .count = 1,
                        .attention = reading.attention,
                        .ffn = reading.ffn,
                        .weights = std::move(weights)}});
  }
  Stack stack;
  for (Kind& kind : kinds)
    stack.layers.push_back(std::move(kind.group));
  return stack;
}

/// The stack whose name shares the longest beginning with a tensor's name; the first otherwise.
std::size_t nearest_stack(std::string_view name, const std::vector<std::string>& stacks) {
  std::size_t best = 0, longest = 0;
  for (std::size_t i = 0; i < stacks.size(); ++i) {
    const auto [at, other] = std::ranges::mismatch(name, stacks[i]);
    const auto shared = static_cast<std::size_t>(at - name.begin());
    if (shared > longest) {
      longest = shared;
      best = i;
    }
  }
  return best;
}

void describe_surroundings(Stack& stack) {
  for (const Weight& weight : stack.outside)
    if (weight.role == Role::token_embedding) {
      stack.vocab = std::max(stack.vocab, weight.rows);
      stack.hidden = weight.cols;
    }
  // The width of a layer: most of its norms are vectors of it.
  for (const LayerGroup& group : stack.layers)
    for (const Weight& weight : group.weights)
      if (stack.hidden == 0 && weight.role == Role::norm)
        stack.hidden = weight.rows;
}

}  // namespace

BuiltStacks build_stacks(std::vector<PlacedWeight> weights, const ReadLayer& read) {
  std::map<std::string, ByLayer> by_stack;
  for (const PlacedWeight& placed : weights)
    if (placed.place.layer >= 0)
      by_stack[placed.place.stack][placed.place.layer].push_back(&placed);
  if (by_stack.size() > kMostStacks) {  // names of another kind
    by_stack.clear();
    for (PlacedWeight& placed : weights)
      placed.place.layer = -1;
  }
  BuiltStacks built;
  for (const auto& [name, layers] : by_stack) {
    built.stacks.push_back(build(layers, read));
    built.stack_names.push_back(name);
  }
  if (built.stacks.empty()) {
    built.stacks.emplace_back();
    built.stack_names.emplace_back();
  }
  std::vector<std::vector<const PlacedWeight*>> outside(built.stacks.size());
  for (const PlacedWeight& placed : weights)
    if (placed.place.layer < 0)
      outside[nearest_stack(placed.place.part, built.stack_names)].push_back(&placed);
  for (std::size_t i = 0; i < built.stacks.size(); ++i) {
    built.stacks[i].outside = joined(outside[i]);
    describe_surroundings(built.stacks[i]);
  }
  std::vector<std::size_t> order(built.stacks.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::ranges::stable_sort(order, [&built](std::size_t a, std::size_t b) {
    return built.stacks[a].parameters() > built.stacks[b].parameters();
  });
  BuiltStacks sorted;
  for (const std::size_t i : order) {
    sorted.stacks.push_back(std::move(built.stacks[i]));
    sorted.stack_names.push_back(std::move(built.stack_names[i]));
  }
  return sorted;
}

const Weight* first_of(const std::vector<Weight>& weights, Role role) {
  const auto found = std::ranges::find(weights, role, &Weight::role);
  return found == weights.end() ? nullptr : &*found;
}

std::int64_t rows_of(const std::vector<Weight>& weights, Role role) {
  const Weight* weight = first_of(weights, role);
  return weight == nullptr ? 0 : weight->rows;
}

std::int64_t cols_of(const std::vector<Weight>& weights, Role role) {
  const Weight* weight = first_of(weights, role);
  return weight == nullptr ? 0 : weight->cols;
}

FeedForward read_feed_forward(const std::vector<Weight>& weights, int top_k) {
  FeedForward ffn;
  if (const Weight* down = first_of(weights, Role::expert_down)) {
    const Weight* up = first_of(weights, Role::expert_up);
    ffn.experts = static_cast<int>(std::min<std::int64_t>(down->copies, 1 << 20));
    ffn.hidden = down->cols;
    ffn.gated = first_of(weights, Role::expert_gate) != nullptr;
    ffn.top_k = std::min(top_k, ffn.experts);
    if (up != nullptr && ffn.hidden == 0)
      ffn.hidden = up->rows;
  } else if (const Weight* dense = first_of(weights, Role::down)) {
    ffn.hidden = dense->cols;
    const std::int64_t fused = rows_of(weights, Role::fused_gate_up);
    const std::int64_t up = rows_of(weights, Role::up);
    ffn.gated = first_of(weights, Role::gate) != nullptr || fused > 0 || up >= 2 * dense->cols;
  }
  if (const Weight* shared = first_of(weights, Role::shared_expert)) {
    ffn.shared_experts = 1;
    ffn.shared_hidden = std::min(shared->rows, shared->cols);
    for (const Weight& weight : weights)  // the gate of a shared expert is a single row
      if (weight.role == Role::shared_expert && std::min(weight.rows, weight.cols) > 1)
        ffn.shared_hidden = std::min(weight.rows, weight.cols);
  }
  return ffn;
}

}  // namespace gpu_advisor::model
