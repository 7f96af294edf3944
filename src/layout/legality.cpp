#include <algorithm>
#include <tuple>

#include "legality_internal.hpp"

namespace gpu_advisor::layout {
namespace {

using workload::Layout;
using workload::Machine;
using workload::Workload;

std::vector<int> divisors(int n) {
  std::vector<int> found;
  for (int d = 1; d <= n; ++d)
    if (n % d == 0)
      found.push_back(d);
  return found;
}

std::vector<int> choices(const std::optional<int>& fixed, int bound, bool open) {
  if (fixed)
    return {*fixed};
  if (!open)
    return {1};
  return divisors(bound);
}

/// Splits beyond data parallelism make sense for networks with layers that we know one by one.
bool has_layers(const Workload& workload) {
  return workload.model.main().layer_count() > 0;
}

/// Pipelines are worth their bubble only between nodes, or where an engine splits by layers because
/// its cards share no fast link (llama.cpp's default).
bool pipelines(const Workload& workload, const Machine& machine) {
  return has_layers(workload) && (machine.nodes > 1 || (workload.engine == "llama.cpp" &&
                                                        !workload::is_training(workload.task)));
}

bool divides_experts(const Workload& workload, int ep) {
  return std::ranges::all_of(workload.model.main().layers, [ep](const model::LayerGroup& group) {
    return group.ffn.experts == 0 || group.ffn.experts % ep == 0;
  });
}

bool divides_heads(const Workload& workload, int tp) {
  return std::ranges::all_of(workload.model.main().layers, [tp](const model::LayerGroup& group) {
    const model::Attention& attention = group.attention;
    if (attention.heads > 0 && attention.heads % tp != 0)
      return false;
    const int kv = attention.kv_heads;
    return kv == 0 || kv % tp == 0 || tp % kv == 0;
  });
}

auto simplicity(const Layout& layout) {
  const int kinds = (layout.tp > 1) + (layout.pp > 1) + (layout.cp > 1) + (layout.ep > 1);
  return std::tuple(kinds, layout.pp, layout.tp, layout.cp, layout.ep);
}

}  // namespace

std::vector<Layout> degree_choices(const Workload& workload, const Machine& machine,
                                   const Limits& limits) {
  std::vector<Layout> found;
  const int gpus = machine.count;
  // Adapters are trained beside whole matrices: PEFT and the frameworks on it shard no tensors.
  const bool split = has_layers(workload) && workload.method == workload::Method::full;
  for (const int tp : choices(limits.tp, std::min(gpus, machine.gpus_per_node()), split))
    for (const int pp : choices(limits.pp, gpus, pipelines(workload, machine)))
      for (const int cp : choices(limits.cp, 1, false)) {
        if (tp * pp * cp > gpus || gpus % (tp * pp * cp) != 0)
          continue;
        Layout layout{.tp = tp, .pp = pp, .dp = gpus / (tp * pp * cp), .cp = cp};
        layout.ep = limits.ep.value_or(1);
        if (limits.dp && *limits.dp != layout.dp)
          continue;
        layout.micro_batch = workload.micro_batch;
        layout.grad_accum = workload.grad_accum;
        layout.checkpointing = workload.checkpointing;
        found.push_back(layout);
      }
  std::ranges::stable_sort(found, {}, simplicity);
  return found;
}

std::string_view illegal_because(const Workload& workload, const Machine& machine,
                                 const Layout& degrees) {
  if (degrees.gpus() != machine.count)
    return "degrees_do_not_multiply_to_gpus";
  if (degrees.tp > machine.gpus_per_node())
    return "tensor_parallel_beyond_node";
  if (degrees.tp > 1 && !divides_heads(workload, degrees.tp))
    return "heads_not_divisible";
  if (degrees.pp > 1 && degrees.pp > workload.model.main().layer_count())
    return "more_stages_than_layers";
  if (degrees.ep > 1 && !divides_experts(workload, degrees.ep))
    return "experts_not_divisible";
  if (workload::is_training(workload.task) && workload.global_batch &&
      *workload.global_batch < degrees.dp)
    return "global_batch_smaller_than_replicas";
  return {};
}

}  // namespace gpu_advisor::layout
