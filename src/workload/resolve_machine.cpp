#include <algorithm>

#include "gpu_advisor/support/text.hpp"
#include "gpu_advisor/workload/words.hpp"
#include "resolve_internal.hpp"

namespace gpu_advisor::workload {
namespace {

using support::Error;
using support::ErrorCode;
using support::Result;

/// GPUs per node of the servers that published runs used, where the row names no node count.
constexpr int kUsualNode = 8;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Frameworks and engines whose users shard everything by default.
bool shards_fully(const Workload& workload, int dp) {
  if (dp == 1 || workload.method != Method::full)
    return false;
  for (const std::string_view mark :
       {"fsdp", "torchtitan", "titan", "foundry", "composer", "litgpt"})
    if (contains(workload.framework, mark))
      return true;
  // Full fine-tuning of a model of billions of parameters is sharded by everybody who has several
  // GPUs.
  constexpr double kLarge = 1e9;
  return workload.task == Task::finetune &&
         static_cast<double>(workload.model.parameters()) > kLarge;
}

/// The sharding that a framework's own recipes switch on, where the user says nothing.
int usual_stage(const Workload& workload, int dp) {
  if (shards_fully(workload, dp))
    return 3;
  // Megatron's and NeMo's recipes use the distributed optimizer.
  const bool distributed =
      contains(workload.framework, "megatron") || contains(workload.framework, "nemo");
  return distributed && dp > 1 ? 1 : 0;
}

/// What a framework's own recipes recompute, where the user says nothing.
Checkpointing usual_checkpointing(const Workload& workload) {
  if (contains(workload.framework, "torchtitan"))
    return Checkpointing::selective;  // its llama recipes
  for (const std::string_view mark : {"unsloth", "factory", "torchtune"})
    if (contains(workload.framework, mark))
      return Checkpointing::full;
  // DeepSpeed-Chat's and the trainers' DeepSpeed recipes for tuning pass gradient_checkpointing.
  if (contains(workload.framework, "deepspeed") && workload.task == Task::finetune)
    return Checkpointing::full;
  // PEFT's prepare_model_for_kbit_training switches it on; LitGPT does not use that.
  if (workload.base_quant && !contains(workload.framework, "litgpt"))
    return Checkpointing::full;
  return workload.checkpointing;
}

bool splits_by_layer(const Workload& workload) {
  for (const std::string_view mark :
       {"llama.cpp", "ollama", "lmstudio", "exllama", "hf", "transformers"})
    if (contains(workload.engine, mark))
      return true;
  return false;
}

/// The largest tensor-parallel degree that divides both the heads and the count.
int dividing_tp(const Workload& workload, int count) {
  int heads = 0;
  for (const model::LayerGroup& group : workload.model.main().layers)
    heads = std::max(heads, group.attention.heads);
  for (int tp = count; tp > 1; --tp)
    if (count % tp == 0 && heads % tp == 0 && heads > 0)
      return tp;
  return 1;
}

/// The fewest GPUs whose memory holds the weights and as much again of caches as of them, half of
/// it for small models: offline work runs as many copies of the model as that leaves room for.
int smallest_tp(const Workload& workload, const Machine& machine, int most) {
  constexpr double kWeightsShare = 0.6;
  const double weights =
      static_cast<double>(workload.model.parameters()) * workload.quant.bits_per_weight / 8;
  const double room = machine.gpu->usable_memory() / units::bytes(1) * kWeightsShare;
  for (int tp = 1; tp < most; ++tp)
    if (most % tp == 0 && weights / tp <= room)
      return tp;
  return most;
}

Error impossible(std::string message) {
  return Error{.code = ErrorCode::unsupported_workload, .message = std::move(message)};
}

void complete_serving(const Request& request, const Workload& workload, const Machine& machine,
                      Layout& layout) {
  const int count = machine.count;
  if (request.tp || request.pp || request.dp || count == 1)
    return;
  if (workload.task != Task::inference || workload.model.arch == model::Arch::encoder) {
    layout.dp = count;
  } else if (splits_by_layer(workload)) {
    layout.pp = std::min(count, std::max(1, workload.model.main().layer_count()));
  } else {
    const int most = dividing_tp(workload, machine.gpus_per_node());
    const bool sized =
        workload.concurrency_max && machine.gpu != nullptr && machine.gpu->memory > units::Bytes{};
    layout.tp = sized ? smallest_tp(workload, machine, most) : most;
    layout.dp = count / layout.tp;
  }
}

void complete_batch(const Request& request, const Workload& workload, Layout& layout) {
  layout.micro_batch = workload.micro_batch;
  layout.grad_accum = workload.grad_accum;
  // A pipeline is fed with many times more micro-batches than it has stages.
  constexpr std::int64_t kFeed = 8;
  if (!request.global_batch && !request.grad_accum && layout.pp > 1)
    layout.grad_accum = kFeed * layout.pp;
  if (!request.global_batch)
    return;
  const std::int64_t replicas = layout.dp;
  if (!request.micro_batch)
    layout.micro_batch =
        std::max<std::int64_t>(1, *request.global_batch / replicas / layout.grad_accum);
  if (!request.grad_accum)
    layout.grad_accum =
        std::max<std::int64_t>(1, *request.global_batch / (layout.micro_batch * replicas));
}

}  // namespace

Result<Machine> resolve_machine(const catalog::Catalog& catalog, const Request& request) {
  if (request.gpu.empty()) {  // what is needed can be told without saying where
    Machine unnamed;
    unnamed.count = std::max(1, request.count.value_or(1));
    unnamed.nodes = std::clamp(request.nodes.value_or(1), 1, unnamed.count);
    return unnamed;
  }
  GPU_ADVISOR_TRY(const catalog::Catalog::Match match, catalog.find_accelerator(request.gpu));
  Machine machine;
  machine.gpu = match.accelerator;
  if (!match.note.empty())
    machine.assumptions.push_back(match.note);
  machine.count = request.count.value_or(1);
  machine.nodes = request.nodes.value_or((machine.count + kUsualNode - 1) / kUsualNode);
  if (machine.nodes > machine.count)
    return impossible("there are more nodes than GPUs");
  if (!request.nodes && machine.nodes > 1)
    machine.assumptions.push_back(std::to_string(machine.nodes) + " nodes of eight GPUs");
  if (!request.interconnect.empty()) {
    GPU_ADVISOR_TRY(machine.link, parse_word<catalog::NodeLink>(request.interconnect));
  } else if (machine.gpu->link == catalog::LinkKind::nvlink && machine.count > 1) {
    machine.link = catalog::NodeLink::nvlink;
    machine.assumptions.push_back("NVLink within the node");
  }
  if (!request.network.empty()) {
    GPU_ADVISOR_TRY(machine.fabric, parse_word<catalog::Fabric>(request.network));
  }
  if (request.network_gbps)
    machine.network = units::gbit_per_second(*request.network_gbps);
  return machine;
}

Result<Layout> resolve_layout(const Request& request, const Workload& workload,
                              const Machine& machine) {
  Layout layout;
  layout.tp = request.tp.value_or(1);
  layout.pp = request.pp.value_or(1);
  layout.cp = request.cp.value_or(1);
  layout.ep = request.ep.value_or(1);
  if (!is_training(workload.task))
    complete_serving(request, workload, machine, layout);
  const int split = layout.tp * layout.pp * layout.cp;
  if (split > machine.count || machine.count % split != 0) {
    return impossible("tp x pp x cp = " + std::to_string(split) + " does not divide " +
                      std::to_string(machine.count) + " GPUs");
  }
  layout.dp = machine.count / split;
  layout.checkpointing =
      workload.checkpointing_given ? workload.checkpointing : usual_checkpointing(workload);
  if (!is_training(workload.task))
    return layout;
  layout.zero_stage = workload.zero_stage.value_or(usual_stage(workload, layout.dp));
  complete_batch(request, workload, layout);
  return layout;
}

}  // namespace gpu_advisor::workload
