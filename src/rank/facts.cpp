#include <algorithm>
#include <array>
#include <cmath>

#include "facts_internal.hpp"

namespace gpu_advisor::rank {
namespace {

using rules::Value;
using View = CandidateView;

Value text(std::string_view word) {
  return Value(std::string(word));
}
Value known(std::string_view word) {
  return word.empty() ? Value() : text(word);
}
Value integer(std::int64_t number) {
  return Value(static_cast<double>(number));
}
Value gib(units::Bytes size) {
  return Value(size / units::gib(1));
}

/// A number from an optional quantity, in this unit.
template <typename Q>
Value in_unit(const std::optional<Q>& amount, Q unit) {
  return amount ? Value(*amount / unit) : Value();
}
Value number(const std::optional<double>& value) {
  return value ? Value(*value) : Value();
}
Value whole(const std::optional<int>& value) {
  return value ? Value(*value) : Value();
}

const catalog::Sku& sku(const View& v) {
  return v.catalog.skus()[v.candidate.sku];
}
const catalog::PriceRow& price(const View& v) {
  return v.catalog.prices()[v.candidate.price];
}
const catalog::Accelerator& gpu(const View& v) {
  if (v.machine != nullptr)
    return *v.machine->gpu;
  return v.catalog.accelerators()[sku(v).accelerator];
}
const estimate::Memory& memory(const View& v) {
  return v.candidate.estimate.memory;
}
const workload::Layout& layout(const View& v) {
  return v.candidate.estimate.layout;
}
bool training(const View& v) {
  return workload::is_training(v.workload.task);
}
const model::ModelSpec& model(const View& v) {
  return v.workload.model;
}

template <typename Enum, std::size_t N>
std::string_view word_of(Enum value, const std::array<std::string_view, N>& words) {
  return words[static_cast<std::size_t>(value)];
}
constexpr std::array<std::string_view, 8> kVendors{"nvidia", "amd", "apple",  "intel",
                                                   "google", "aws", "huawei", "other"};
constexpr std::array<std::string_view, 3> kStatuses{"available", "announced", "end-of-life"};
constexpr std::array<std::string_view, 9> kLinks{"none",    "nvlink",   "infinity_fabric",
                                                 "ici",     "hccs",     "neuronlink",
                                                 "xe_link", "ethernet", "other"};
constexpr std::array<std::string_view, 7> kFabrics{"",    "none",     "infiniband", "roce",
                                                   "efa", "ethernet", "omni-path"};
constexpr std::array<std::string_view, 9> kArchs{
    "dense", "moe", "encoder", "cnn", "vit", "diffusion", "ssm-hybrid", "asr", "other"};

units::DataType compute_type(const View& v) {
  if (training(v))
    return workload::compute_type(v.workload.precision);
  return v.workload.quant.weight_only ? units::DataType::fp16 : v.workload.quant.compute;
}

Value supports(const View& v, units::DataType type) {
  const auto rate = gpu(v).matrix_rate(type);
  return Value(rate.has_value());
}

/// Ada and Blackwell GeForce cards have no peer-to-peer over PCIe (NVIDIA forum statement of
/// 2022-11).
Value peer_to_peer(const View& v) {
  const catalog::Accelerator& card = gpu(v);
  constexpr double kAda = 8.9;
  return Value(
      !(card.family.starts_with("geforce") && card.compute_capability.value_or(0) >= kAda));
}

Value consumer(const View& v) {
  const std::string& family = gpu(v).family;
  return Value(family.starts_with("geforce") || family == "titan" || family == "radeon" ||
               family == "arc");
}

Value price_age(const View& v) {
  if (!price(v).as_of.known() || !v.today.known())
    return {};
  return Value(catalog::days_between(price(v).as_of, v.today));
}

Value marketplace(const View& v) {
  const auto& providers = v.catalog.providers();
  const auto found = std::ranges::find(providers, sku(v).provider, &catalog::Provider::id);
  return Value(found != providers.end() && found->kind == "marketplace");
}

const units::Quantisation* weight_format(const View& v) {
  if (!training(v))
    return &v.workload.quant;
  return v.workload.base_quant ? &*v.workload.base_quant : nullptr;
}

template <typename Get>
Value of_format(const View& v, Get get) {
  const units::Quantisation* format = weight_format(v);
  return format == nullptr ? Value() : get(*format);
}

/// The largest value over the main stack's layer groups.
template <typename Get>
Value largest(const View& v, Get get) {
  int most = 0;
  for (const model::LayerGroup& group : model(v).main().layers)
    most = std::max(most, static_cast<int>(get(group)));
  return most > 0 ? Value(most) : Value();
}

Value budget_hourly(const View& v) {
  if (!v.limits.budget || v.limits.budget->period == units::BudgetPeriod::total)
    return {};
  const bool monthly = v.limits.budget->period == units::BudgetPeriod::month;
  return Value(v.limits.budget->amount / (monthly ? units::kHoursPerMonth : 1));
}

Value budget_share(const View& v) {
  const Value budget = budget_hourly(v);
  return budget.is_null() ? Value() : Value(v.candidate.cost.hourly.dollars() / *budget.number());
}

/// Weights, masters and two moments: 14 bytes a parameter in mixed precision; adapters only for
/// LoRA.
Value checkpoint(const View& v) {
  if (!training(v))
    return {};
  constexpr double kBytes = 14;
  const double parameters = static_cast<double>(model(v).parameters());
  return Value(parameters * kBytes / units::gib(1).base());
}

Value tokens_per_s(const View& v) {
  const estimate::Estimate& answer = v.candidate.estimate;
  if (answer.training && answer.training->has_tokens)
    return Value(answer.training->tokens_per_s_per_gpu.value * answer.layout.gpus());
  if (answer.inference && answer.inference->output_tok_s)
    return Value(answer.inference->output_tok_s->value);
  return {};
}

Value samples_per_s(const View& v) {
  const estimate::Estimate& answer = v.candidate.estimate;
  if (answer.training)
    return Value(answer.training->samples_per_s_per_gpu.value * answer.layout.gpus());
  if (answer.inference && answer.inference->samples_s)
    return Value(answer.inference->samples_s->value);
  return {};
}

template <typename Get>
Value of_training(const View& v, Get get) {
  const auto& speed = v.candidate.estimate.training;
  return speed ? Value(get(*speed)) : Value();
}

Value of_inference(const View& v,
                   std::optional<units::Interval<double>> estimate::InferenceSpeed::*figure) {
  const auto& speed = v.candidate.estimate.inference;
  if (!speed || !((*speed).*figure))
    return {};
  return Value(((*speed).*figure)->value);
}

double share_of_step(const estimate::TrainingSpeed& speed, units::Seconds part) {
  return speed.step_time.value > units::Seconds{} ? part / speed.step_time.value : 0;
}

Value bound(const View& v) {
  const auto& speed = v.candidate.estimate.training;
  if (!speed)
    return text("memory");
  if (share_of_step(*speed, speed->parts.input) > 0.5)
    return text("input");
  if (share_of_step(*speed, speed->parts.communication_exposed) > 0.5)
    return text("network");
  return text("compute");
}

Value basis(const View& v) {
  constexpr std::array<std::string_view, 3> kNames{"measured", "calibrated", "derived"};
  const estimate::Estimate& answer = v.candidate.estimate;
  if (answer.training)
    return text(word_of(answer.training->basis, kNames));
  if (answer.inference)
    return text(word_of(answer.inference->basis, kNames));
  return {};
}

Value cost_figure(const std::optional<units::Interval<double>>& figure) {
  return figure ? Value(figure->value) : Value();
}

std::vector<FactRow> gpu_rows() {
  return {
      {"gpu.id", [](const View& v) { return text(gpu(v).id); }},
      {"gpu.name", [](const View& v) { return text(gpu(v).name); }},
      {"gpu.vendor", [](const View& v) { return text(word_of(gpu(v).vendor, kVendors)); }},
      {"gpu.family", [](const View& v) { return text(gpu(v).family); }},
      {"gpu.architecture", [](const View& v) { return known(gpu(v).architecture); }},
      {"gpu.compute_capability", [](const View& v) { return number(gpu(v).compute_capability); }},
      {"gpu.target", [](const View& v) { return known(gpu(v).target); }},
      {"gpu.status", [](const View& v) { return text(word_of(gpu(v).status, kStatuses)); }},
      {"gpu.release_year",
       [](const View& v) {
         return gpu(v).release_date.known() ? Value(gpu(v).release_date.year) : Value();
       }},
      {"gpu.form_factor", [](const View& v) { return known(gpu(v).form_factor); }},
      {"gpu.memory_gib",
       [](const View& v) {
         return gib(v.machine != nullptr ? gpu(v).memory
                                         : sku(v).gpu_memory.value_or(gpu(v).memory));
       }},
      {"gpu.usable_memory_gib", [](const View& v) { return gib(memory(v).capacity); }},
      {"gpu.memory_type", [](const View& v) { return known(gpu(v).memory_type); }},
      {"gpu.memory_bandwidth_gbps",
       [](const View& v) { return in_unit(gpu(v).bandwidth, units::gb_per_second(1)); }},
      {"gpu.has_tensor_cores", [](const View& v) { return Value(gpu(v).fp16_matrix.has_value()); }},
      {"gpu.supports_bf16",
       [](const View& v) {
         const catalog::Accelerator& card = gpu(v);
         constexpr double kAmpere = 8.0;
         if (card.compute_capability)
           return Value(*card.compute_capability >= kAmpere);
         return card.bf16_matrix ? Value(true) : Value();
       }},
      {"gpu.supports_fp8", [](const View& v) { return supports(v, units::DataType::fp8); }},
      {"gpu.supports_fp4", [](const View& v) { return supports(v, units::DataType::fp4); }},
      {"gpu.supports_int8", [](const View& v) { return supports(v, units::DataType::int8); }},
      {"gpu.fp16_tflops",
       [](const View& v) { return in_unit(gpu(v).fp16_matrix, units::tflops_per_second(1)); }},
      {"gpu.fp32_tflops",
       [](const View& v) { return in_unit(gpu(v).fp32_vector, units::tflops_per_second(1)); }},
      {"gpu.fp16_vector_ratio",
       [](const View& v) {
         const catalog::Accelerator& card = gpu(v);
         constexpr double kSlowHalf = 6.1, kSlowRatio = 1.0 / 64;  // CUDA C programming guide
         if (card.compute_capability && *card.compute_capability == kSlowHalf)
           return Value(kSlowRatio);
         if (!card.fp16_vector || !card.fp32_vector)
           return Value();
         return Value(*card.fp16_vector / *card.fp32_vector);
       }},
      {"gpu.link", [](const View& v) { return text(word_of(gpu(v).link, kLinks)); }},
      {"gpu.nvlink", [](const View& v) { return Value(gpu(v).link == catalog::LinkKind::nvlink); }},
      {"gpu.link_gbps",
       [](const View& v) { return in_unit(gpu(v).link_bandwidth, units::gb_per_second(1)); }},
      {"gpu.p2p", peer_to_peer},
      {"gpu.pcie_generation", [](const View& v) { return whole(gpu(v).pcie_generation); }},
      {"gpu.pcie_lanes", [](const View& v) { return whole(gpu(v).pcie_lanes); }},
      {"gpu.tdp_w", [](const View& v) { return in_unit(gpu(v).tdp, units::watts(1)); }},
      {"gpu.ecc", [](const View& v) { return gpu(v).ecc ? Value(*gpu(v).ecc) : Value(); }},
      {"gpu.mig_max_instances", [](const View& v) { return whole(gpu(v).mig_max_instances); }},
      {"gpu.is_mig_slice",
       [](const View& v) {
         return Value(!gpu(v).parent.empty() || (v.machine == nullptr && sku(v).fractional()));
       }},
      {"gpu.unified_memory", [](const View& v) { return Value(gpu(v).unified_memory); }},
      {"gpu.consumer", consumer},
  };
}

std::vector<FactRow> offer_rows() {
  return {
      {"offer.provider", [](const View& v) { return text(sku(v).provider); }},
      {"offer.instance_type", [](const View& v) { return text(sku(v).instance_type); }},
      {"offer.region", [](const View& v) { return text(v.catalog.regions()[price(v).region]); }},
      {"offer.instances", [](const View& v) { return Value(v.candidate.instances); }},
      {"offer.gpus", [](const View& v) { return Value(sku(v).gpus); }},
      {"offer.total_gpus", [](const View& v) { return Value(v.candidate.gpus); }},
      {"offer.fractional", [](const View& v) { return Value(sku(v).fractional()); }},
      {"offer.vcpus", [](const View& v) { return number(sku(v).vcpus); }},
      {"offer.vcpus_per_gpu",
       [](const View& v) {
         return sku(v).vcpus ? Value(*sku(v).vcpus / std::max(sku(v).gpus, 1.0)) : Value();
       }},
      {"offer.ram_gib", [](const View& v) { return in_unit(sku(v).ram, units::gib(1)); }},
      {"offer.ram_per_gpu_gib",
       [](const View& v) {
         return sku(v).ram ? Value(*sku(v).ram / units::gib(1) / std::max(sku(v).gpus, 1.0))
                           : Value();
       }},
      {"offer.disk_gb", [](const View& v) { return in_unit(sku(v).local_disk, units::gb(1)); }},
      {"offer.network_gbps",
       [](const View& v) { return in_unit(sku(v).network, units::gbit_per_second(1)); }},
      {"offer.network_gbps_per_gpu",
       [](const View& v) {
         return sku(v).network ? Value(*sku(v).network / units::gbit_per_second(1) /
                                       std::max(sku(v).gpus, 1.0))
                               : Value();
       }},
      {"offer.fabric", [](const View& v) { return known(word_of(sku(v).fabric, kFabrics)); }},
      {"offer.rdma",
       [](const View& v) {
         using enum catalog::Fabric;
         const catalog::Fabric fabric = sku(v).fabric;
         if (fabric == unknown)
           return Value();
         return Value(fabric == infiniband || fabric == roce || fabric == efa);
       }},
      {"offer.in_node_link",
       [](const View& v) {
         return sku(v).link == catalog::NodeLink::unknown ? Value()
                                                          : text(catalog::name(sku(v).link));
       }},
      {"offer.pricing", [](const View& v) { return text(catalog::name(v.candidate.pricing)); }},
      {"offer.price_age_days", price_age},
      {"offer.currency",
       [](const View& v) { return text(v.catalog.currencies()[price(v).currency]); }},
      {"offer.status", [](const View& v) { return text(sku(v).status); }},
      {"offer.flag", [](const View& v) { return text(price(v).flag); }},
      {"offer.regions", [](const View& v) { return Value(v.candidate.more_regions + 1); }},
      {"offer.marketplace", marketplace},
  };
}

std::vector<FactRow> workload_rows() {
  return {
      {"workload.task", [](const View& v) { return text(workload::name(v.workload.task)); }},
      {"workload.training", [](const View& v) { return Value(training(v)); }},
      {"workload.vision",
       [](const View& v) {
         return Value(v.workload.task != workload::Task::inference &&
                      v.workload.task != workload::Task::pretrain &&
                      v.workload.task != workload::Task::finetune);
       }},
      {"workload.method",
       [](const View& v) {
         return training(v) ? text(workload::name(v.workload.method)) : Value();
       }},
      {"workload.precision",
       [](const View& v) {
         return training(v) ? text(workload::name(v.workload.precision)) : Value();
       }},
      {"workload.compute_type", [](const View& v) { return text(units::name(compute_type(v))); }},
      {"workload.quant",
       [](const View& v) { return of_format(v, [](const auto& q) { return text(q.name); }); }},
      {"workload.quant_bits",
       [](const View& v) {
         return of_format(v, [](const auto& q) { return Value(q.bits_per_weight); });
       }},
      {"workload.quant_family",
       [](const View& v) { return of_format(v, [](const auto& q) { return text(q.family); }); }},
      {"workload.kv_type",
       [](const View& v) { return training(v) ? Value() : text(units::name(v.workload.kv_type)); }},
      {"workload.engine",
       [](const View& v) { return training(v) ? Value() : text(v.workload.engine); }},
      {"workload.engine_given", [](const View& v) { return Value(v.workload.engine_given); }},
      {"workload.framework", [](const View& v) { return known(v.workload.framework); }},
      {"workload.optimizer",
       [](const View& v) { return training(v) ? text(v.workload.optimizer) : Value(); }},
      {"workload.flash_attention", [](const View& v) { return Value(v.workload.flash_attention); }},
      {"workload.checkpointing",
       [](const View& v) { return text(workload::name(layout(v).checkpointing)); }},
      {"workload.seq_len",
       [](const View& v) { return training(v) ? integer(v.workload.seq_len) : Value(); }},
      {"workload.micro_batch", [](const View& v) { return integer(layout(v).micro_batch); }},
      {"workload.global_batch",
       [](const View& v) {
         return v.workload.global_batch ? integer(*v.workload.global_batch) : Value();
       }},
      {"workload.lora_rank",
       [](const View& v) {
         return v.workload.method != workload::Method::full ? Value(v.workload.lora_rank) : Value();
       }},
      {"workload.concurrency", [](const View& v) { return integer(v.workload.concurrency); }},
      {"workload.context", [](const View& v) { return integer(v.workload.context); }},
      {"workload.input_len", [](const View& v) { return integer(v.workload.input_len); }},
      {"workload.output_len", [](const View& v) { return integer(v.workload.output_len); }},
      {"workload.qps", [](const View& v) { return number(v.workload.qps); }},
      {"workload.ttft_ms", [](const View& v) { return number(v.workload.ttft_ms); }},
      {"workload.tpot_ms", [](const View& v) { return number(v.workload.tpot_ms); }},
      {"workload.tokens", [](const View& v) { return number(v.workload.tokens); }},
      {"workload.samples", [](const View& v) { return number(v.workload.samples); }},
      {"workload.deadline_h",
       [](const View& v) { return in_unit(v.workload.deadline, units::hours(1)); }},
      {"workload.budget_hourly_usd", budget_hourly},
      {"workload.headroom", [](const View& v) { return Value(v.limits.headroom); }},
  };
}

std::vector<FactRow> model_rows() {
  return {
      {"model.name", [](const View& v) { return text(model(v).name); }},
      {"model.arch", [](const View& v) { return text(word_of(model(v).arch, kArchs)); }},
      {"model.params_b",
       [](const View& v) { return Value(static_cast<double>(model(v).parameters()) / 1e9); }},
      {"model.active_params_b",
       [](const View& v) { return Value(model(v).active_parameters() / 1e9); }},
      {"model.is_moe", [](const View& v) { return Value(model(v).arch == model::Arch::moe); }},
      {"model.experts",
       [](const View& v) {
         return largest(v, [](const auto& group) { return group.ffn.experts; });
       }},
      {"model.layers",
       [](const View& v) {
         const int layers = model(v).main().layer_count();
         return layers > 0 ? Value(layers) : Value();
       }},
      {"model.heads",
       [](const View& v) { return largest(v, [](const auto& g) { return g.attention.heads; }); }},
      {"model.kv_heads",
       [](const View& v) {
         return largest(v, [](const auto& g) { return g.attention.kv_heads; });
       }},
      {"model.vocab",
       [](const View& v) {
         return model(v).main().vocab > 0 ? integer(model(v).main().vocab) : Value();
       }},
      {"model.max_context",
       [](const View& v) {
         return model(v).max_context ? integer(*model(v).max_context) : Value();
       }},
      {"model.weights_gib", [](const View& v) { return gib(memory(v).total_weights); }},
      {"model.dimensions_inferred",
       [](const View& v) { return Value(model(v).dimensions_inferred); }},
      {"model.multimodal", [](const View& v) { return Value(model(v).stacks.size() > 1); }},
  };
}

std::vector<FactRow> memory_rows() {
  return {
      {"memory.needed_gib", [](const View& v) { return gib(memory(v).per_gpu.value); }},
      {"memory.needed_high_gib", [](const View& v) { return gib(memory(v).per_gpu.high); }},
      {"memory.total_gib", [](const View& v) { return gib(memory(v).total.value); }},
      {"memory.capacity_gib", [](const View& v) { return gib(memory(v).capacity); }},
      {"memory.headroom",
       [](const View& v) { return Value(1 - memory(v).per_gpu.value / memory(v).capacity); }},
      {"memory.fits", [](const View& v) { return Value(memory(v).fits); }},
      {"memory.fit_probability", [](const View& v) { return Value(memory(v).fit_probability); }},
      {"memory.reserved_gib",
       [](const View& v) { return in_unit(memory(v).reserved, units::gib(1)); }},
      {"memory.host_ram_needed_gib", [](const View& v) { return gib(memory(v).host_ram.value); }},
      {"memory.kv_cache_gib", [](const View& v) { return gib(memory(v).total_kv_cache); }},
      {"memory.weights_per_gpu_gib", [](const View& v) { return gib(memory(v).parts.weights); }},
      {"memory.optimizer_gib", [](const View& v) { return gib(memory(v).parts.optimizer); }},
      {"memory.activations_gib", [](const View& v) { return gib(memory(v).parts.activations); }},
      {"memory.max_context",
       [](const View& v) {
         return memory(v).max_context ? integer(*memory(v).max_context) : Value();
       }},
      {"memory.checkpoint_gib", checkpoint},
  };
}

std::vector<FactRow> layout_rows() {
  return {
      {"layout.gpus", [](const View& v) { return Value(layout(v).gpus()); }},
      {"layout.nodes", [](const View& v) { return Value(v.candidate.instances); }},
      {"layout.tp", [](const View& v) { return Value(layout(v).tp); }},
      {"layout.pp", [](const View& v) { return Value(layout(v).pp); }},
      {"layout.dp", [](const View& v) { return Value(layout(v).dp); }},
      {"layout.cp", [](const View& v) { return Value(layout(v).cp); }},
      {"layout.ep", [](const View& v) { return Value(layout(v).ep); }},
      {"layout.zero_stage", [](const View& v) { return Value(layout(v).zero_stage); }},
      {"layout.checkpointing",
       [](const View& v) { return text(workload::name(layout(v).checkpointing)); }},
  };
}

std::vector<FactRow> time_rows() {
  using estimate::InferenceSpeed;
  using estimate::TrainingSpeed;
  return {
      {"time.tokens_per_s", tokens_per_s},
      {"time.samples_per_s", samples_per_s},
      {"time.step_s",
       [](const View& v) {
         return of_training(
             v, [](const TrainingSpeed& s) { return s.step_time.value / units::seconds(1); });
       }},
      {"time.mfu",
       [](const View& v) {
         return of_training(v, [](const TrainingSpeed& s) { return s.mfu.value; });
       }},
      {"time.communication_share",
       [](const View& v) {
         return of_training(v, [](const TrainingSpeed& s) {
           return share_of_step(s, s.parts.communication_exposed);
         });
       }},
      {"time.input_share",
       [](const View& v) {
         return of_training(v,
                            [](const TrainingSpeed& s) { return share_of_step(s, s.parts.input); });
       }},
      {"time.ttft_ms", [](const View& v) { return of_inference(v, &InferenceSpeed::ttft_ms); }},
      {"time.tpot_ms", [](const View& v) { return of_inference(v, &InferenceSpeed::tpot_ms); }},
      {"time.decode_tok_s",
       [](const View& v) { return of_inference(v, &InferenceSpeed::decode_tok_s_per_request); }},
      {"time.job_hours", [](const View& v) { return cost_figure(v.candidate.cost.job_hours); }},
      {"time.bound", bound},
      {"time.basis", basis},
  };
}

std::vector<FactRow> cost_rows() {
  return {
      {"cost.hourly_usd", [](const View& v) { return Value(v.candidate.cost.hourly.dollars()); }},
      {"cost.monthly_usd", [](const View& v) { return Value(v.candidate.cost.monthly.dollars()); }},
      {"cost.per_gpu_hourly_usd",
       [](const View& v) { return Value(v.candidate.cost.hourly.dollars() / v.candidate.gpus); }},
      {"cost.job_usd", [](const View& v) { return cost_figure(v.candidate.cost.job_usd); }},
      {"cost.per_million_tokens_usd",
       [](const View& v) { return cost_figure(v.candidate.cost.per_million_output_tokens_usd); }},
      {"cost.budget_share", budget_share},
      {"cost.power_w",
       [](const View& v) { return Value(v.candidate.estimate.energy.power / units::watts(1)); }},
  };
}

}  // namespace

const std::vector<FactRow>& fact_rows() {
  static const std::vector<FactRow> kRows = [] {
    std::vector<FactRow> rows;
    for (const auto& part : {gpu_rows(), offer_rows(), workload_rows(), model_rows(), memory_rows(),
                             layout_rows(), time_rows(), cost_rows()})
      rows.insert(rows.end(), part.begin(), part.end());
    return rows;
  }();
  return kRows;
}

}  // namespace gpu_advisor::rank
