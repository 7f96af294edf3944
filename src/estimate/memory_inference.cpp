#include <algorithm>
#include <cmath>

#include "memory_inference_internal.hpp"

namespace gpu_advisor::estimate {
namespace {

using ops::Operation;
using ops::OpKind;
using units::bytes;

double requests_per_replica(const Question& question, const Amounts& amounts) {
  const double replicas = std::max(question.layout.dp, 1);
  return std::max(1.0, std::ceil(static_cast<double>(amounts.concurrency) / replicas));
}

double pages(double tokens, const Engine& engine) {
  return std::ceil(tokens / engine.page) * engine.page;
}

/// Cached heads cannot be split finer than one to a GPU: with fewer heads than GPUs each GPU holds
/// a copy. A latent cache has no heads and is held by every GPU of the group.
double cache_split(const Question& question, const Operation& op) {
  const model::Stack& stack = question.workload.model.stacks[static_cast<std::size_t>(op.stack)];
  const model::Attention& attention = stack.layers[static_cast<std::size_t>(op.group)].attention;
  if (attention.kind == model::AttentionKind::latent) {
    return 1;
  }
  return std::clamp(attention.kv_heads, 1, std::max(question.layout.tp, 1));
}

double cache_element_bytes(const workload::Workload& work) {
  return work.kv_bits > 0 ? work.kv_bits / 8 : units::bytes_per_element(work.kv_type);
}

// Recurrent states are held in fp32 by ggml and by the reference kernels of Mamba and of gated
// delta networks.
constexpr double kStateBytes = 4;

struct Widths {
  double ffn = 0;    // of one token: gate and up together
  double inner = 0;  // after the gate
  double attention = 0;
  double heads = 0;
};

Widths widest(const Question& question) {
  Widths widths;
  for (const model::LayerGroup& group : question.workload.model.main().layers) {
    const auto hidden = static_cast<double>(group.ffn.hidden);
    const double active = group.ffn.experts > 0 ? hidden * group.ffn.top_k : hidden;
    const double inner = active + static_cast<double>(group.ffn.shared_hidden);
    widths.inner = std::max(widths.inner, inner);
    widths.ffn = std::max(widths.ffn, inner * (group.ffn.gated ? 2 : 1));
    const model::Attention& attention = group.attention;
    widths.attention =
        std::max(widths.attention, static_cast<double>(attention.heads) * attention.key_dim +
                                       static_cast<double>(attention.kv_heads) *
                                           (attention.key_dim + attention.value_dim));
    widths.heads = std::max(widths.heads, static_cast<double>(attention.heads));
  }
  return widths;
}

/// ggml plans one buffer for the widest operation of the graph: the logits, the gated feed-forward
/// or the attention of one micro-batch, in fp32, beside the residual stream.
double ggml_work(const Question& question, double tokens) {
  const double hidden = static_cast<double>(question.workload.model.main().hidden);
  const double vocab = static_cast<double>(question.workload.model.main().vocab);
  const Widths widths = widest(question);
  const double logits = vocab + hidden;
  const double feed_forward = widths.ffn + 2 * hidden;
  const double attention = widths.attention + 2 * hidden;
  return tokens * 4 * std::max({logits, feed_forward, attention});
}

}  // namespace

CacheBytes cache_bytes(const Question& question, const Engine& engine, const Amounts& amounts) {
  const double element = cache_element_bytes(question.workload);
  const double requests = requests_per_replica(question, amounts);
  const double share = stage_share(question);
  CacheBytes sum;
  for (const Operation& op : question.ops.operations) {
    if (op.cache_elements_per_token <= 0 && op.state_elements <= 0) {
      continue;
    }
    const double context = static_cast<double>(amounts.context);
    const double held = op.window > 0 ? std::min(context, static_cast<double>(op.window)) : context;
    const double cache =
        op.cache_elements_per_token * pages(held, engine) * element * op.layers * requests;
    const double state = op.state_elements * kStateBytes * op.layers * requests;
    const double split = cache_split(question, op);
    sum.total += cache * question.layout.tp / split + state;
    sum.fullest += (cache / split + state / std::max(question.layout.tp, 1)) * share;
  }
  sum.total *= question.layout.dp;
  return sum;
}

double work_bytes(const Question& question, const Engine& engine, const Amounts& amounts) {
  const double requests = requests_per_replica(question, amounts);
  const double prompt = static_cast<double>(std::max<std::int64_t>(amounts.input_len, 1));
  // Servers and ggml plan for a whole chunk; others for the context, or for the prompts as they
  // come.
  const auto chunk = static_cast<double>(engine.chunk);
  const bool planned = engine.reserved_share > 0 || engine.fp32_work;
  const double asked = planned               ? chunk
                       : engine.static_cache ? static_cast<double>(amounts.context)
                                             : requests * prompt;
  const double tokens = std::min(asked, chunk);
  if (engine.fp32_work) {
    return ggml_work(question, tokens);
  }
  const Widths widths = widest(question);
  const double hidden = static_cast<double>(question.workload.model.main().hidden);
  const double split = std::max(question.layout.tp, 1);
  const double inside = std::max(widths.ffn + widths.inner, widths.attention * 2) / split;
  // Scores in 16 bits, their softmax in place, where no fused kernel spares them.
  const double scores =
      engine.score_matrices ? widths.heads / split * static_cast<double>(amounts.context) : 0;
  return tokens * 2 * (inside + 3 * hidden + scores);
}

double sampling_bytes(const Question& question, const Engine& engine, const Amounts& amounts) {
  if (engine.fp32_work) {
    return 0;  // inside ggml's one buffer
  }
  const double vocab = static_cast<double>(question.workload.model.main().vocab);
  const bool generates = std::ranges::any_of(question.ops.operations, [](const Operation& op) {
    return op.kind == OpKind::head && op.stack == 0;
  });
  // The last position of each request: 16-bit logits and their fp32 copy.
  return generates ? requests_per_replica(question, amounts) * vocab * 6 : 0;
}

Need inference_need(const Question& question, const Amounts& amounts) {
  const workload::Workload& work = question.workload;
  const Engine engine = engine_named(work.engine);
  const bool stored =
      work.model.stored && (!work.quant_given || work.model.stored->bytes_by_type.size() > 1);
  WeightNeed weights = weight_need(
      question, [&](const Operation& op) { return quantised_bytes(question, op, work.quant); });
  if (stored && weights.total > 0) {  // exact bytes of the file, split as the formula splits
    const double exact = work.model.stored->bytes / units::bytes(1);
    weights.fullest *= exact / weights.total;
    weights.total = exact;
  }
  const CacheBytes cache = cache_bytes(question, engine, amounts);
  Need need;
  need.parts.weights = bytes(weights.fullest);
  need.parts.kv_cache = bytes(cache.fullest);
  double workspace = 0;
  if (work.quant.weight_only && engine.reserved_share == 0 && !engine.fp32_work) {
    workspace = weights.largest_matrix * 2;  // a matrix expanded to 16 bits
  }
  need.parts.activations = bytes(work_bytes(question, engine, amounts) + workspace);
  need.parts.logits = bytes(sampling_bytes(question, engine, amounts));
  need.parts.runtime = runtime_bytes(question) + units::mib(engine.graphs_mib);
  // A cache grown by concatenation leaves freed blocks of every earlier length behind.
  const double growth =
      engine.static_cache ? 0 : memory_constant(question, "memory_cache_growth", 1.0);
  need.parts.fragmentation = need.parts.kv_cache * growth;
  need.total_weights = bytes(weights.total * std::max(question.layout.dp, 1));
  need.total_kv_cache = bytes(cache.total);
  return need;
}

}  // namespace gpu_advisor::estimate
