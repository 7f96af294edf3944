#include <array>
#include <string_view>

#include "memory_framework_internal.hpp"

namespace gpu_advisor::estimate {
namespace {

using enum Answer;

// From the frameworks' own code and documentation, as named in `source`.
constexpr std::array kFrameworks = {
    Framework{.mark = "megatron",
              .states = States::masters,
              .loss = Loss::parallel,
              .norm_in_fp32 = no,
              .fused_gate = yes,
              .sequence_parallel = yes,
              .step_copies = no,
              .fp32_gradients = yes,
              .flat_gradients = yes,
              .source = "Megatron-LM docs, distributed optimizer: 18 bytes per parameter"},
    Framework{.mark = "nemo",
              .states = States::masters,
              .loss = Loss::parallel,
              .norm_in_fp32 = no,
              .fused_gate = yes,
              .sequence_parallel = yes,
              .step_copies = no,
              .fp32_gradients = yes,
              .flat_gradients = yes,
              .source = "NeMo runs Megatron-Core"},
    Framework{.mark = "deepspeed",
              .states = States::masters,
              .step_copies = yes,
              .flat_gradients = yes,
              .source = "Rajbhandari et al. 2020 (ZeRO), section 3.1: 16 bytes per parameter"},
    Framework{.mark = "fsdp",
              .states = States::fp32_weights,
              .fsdp = yes,
              .source = "PyTorch FSDP mixed precision: fp32 shards"},
    Framework{.mark = "torchtitan",
              .states = States::fp32_weights,
              .loss = Loss::full_copies,
              .norm_in_fp32 = no,
              .fused_gate = yes,
              .sequence_parallel = yes,
              .step_copies = no,
              .fsdp = yes,
              .half_selective = yes,
              .source = "torchtitan docs/fsdp.md: fp32 shards, bf16 gathers, fused AdamW"},
    Framework{.mark = "composer",
              .states = States::fp32_weights,
              .loss = Loss::parallel,
              .step_copies = no,
              .fsdp = yes,
              .source = "llm-foundry: FSDP mixed precision over fp32 shards, fused cross-entropy"},
    Framework{.mark = "foundry",
              .states = States::fp32_weights,
              .loss = Loss::parallel,
              .step_copies = no,
              .fsdp = yes,
              .source = "llm-foundry: FSDP mixed precision over fp32 shards, fused cross-entropy"},
    Framework{.mark = "unsloth",
              .states = States::sixteen_bit,
              .loss = Loss::fused,
              .targets = Targets::all_linear,
              .norm_in_fp32 = no,
              .fused_gate = yes,
              .step_copies = no,
              .source = "unsloth kernels: chunked cross-entropy, fused norm and gate"},
    Framework{.mark = "liger",
              .loss = Loss::fused,
              .norm_in_fp32 = no,
              .fused_gate = yes,
              .source = "Hsu et al. 2024 (Liger Kernel, arXiv 2410.10989)"},
    Framework{.mark = "litgpt",
              .states = States::sixteen_bit,
              .loss = Loss::chunked,
              .targets = Targets::attention,
              .step_copies = yes,
              .keeps_frozen_inputs = yes,
              .joint_qkv = yes,
              .adapter_dropout = yes,
              .source = "litgpt: bf16-true, lm_head_chunk_size 128, adapters on query and value"},
    Framework{.mark = "torchtune",
              .states = States::sixteen_bit,
              .loss = Loss::chunked,
              .norm_in_fp32 = no,
              .source = "torchtune: bf16 recipes, chunked cross-entropy"},
    Framework{.mark = "axolotl",
              .states = States::sixteen_bit,
              .loss = Loss::fused,
              .targets = Targets::all_linear,
              .step_copies = no,
              .source = "axolotl examples: cut cross-entropy, lora_target_linear, fused AdamW"},
    Framework{.mark = "peft",
              .states = States::sixteen_bit,
              .targets = Targets::attention,
              .upcast_frozen = yes,
              .source = "PEFT: default target modules; prepare_model_for_kbit_training"},
    Framework{.mark = "qlora",
              .targets = Targets::all_linear,
              .upcast_frozen = yes,
              .source = "Dettmers et al. 2023 (QLoRA): adapters on all linear layers"},
    Framework{
        .mark = "trl", .upcast_frozen = yes, .source = "TRL: prepare_model_for_kbit_training"},
    Framework{.mark = "factory",
              .states = States::sixteen_bit,
              .targets = Targets::all_linear,
              .source = "LLaMA-Factory: lora_target all"},
    Framework{.mark = "hf",
              .states = States::sixteen_bit,
              .targets = Targets::attention,
              .step_copies = yes,
              .source = "transformers Trainer: the type that the model is loaded in"},
    Framework{.mark = "transformers",
              .states = States::sixteen_bit,
              .targets = Targets::attention,
              .step_copies = yes,
              .source = "transformers Trainer: the type that the model is loaded in"},
    Framework{.mark = "trainer",
              .states = States::sixteen_bit,
              .targets = Targets::attention,
              .step_copies = yes,
              .source = "transformers Trainer: the type that the model is loaded in"},
    Framework{.mark = "pytorch",
              .states = States::sixteen_bit,
              .step_copies = yes,
              .source = "torch.optim.AdamW, foreach: temporaries of one moment"},
};

constexpr Framework kPlain = {.mark = "",
                              .states = States::masters,
                              .targets = Targets::all_linear,
                              .norm_in_fp32 = yes,
                              .fused_gate = no,
                              .sequence_parallel = no,
                              .step_copies = no,
                              .fp32_gradients = no,
                              .fsdp = no,
                              .flat_gradients = no,
                              .half_selective = no,
                              .upcast_frozen = no,
                              .keeps_frozen_inputs = no,
                              .joint_qkv = no,
                              .adapter_dropout = no,
                              .source = "Micikevicius et al. 2018 (mixed precision training)"};

template <typename T>
void take(T& field, T value) {
  if (field == T::unknown) {
    field = value;
  }
}

void fill(Framework& into, const Framework& row) {
  take(into.states, row.states);
  if (into.mark.empty()) {
    into.mark = row.mark;
  }
  take(into.loss, row.loss);
  take(into.targets, row.targets);
  take(into.norm_in_fp32, row.norm_in_fp32);
  take(into.fused_gate, row.fused_gate);
  take(into.sequence_parallel, row.sequence_parallel);
  take(into.step_copies, row.step_copies);
  take(into.fp32_gradients, row.fp32_gradients);
  take(into.fsdp, row.fsdp);
  take(into.flat_gradients, row.flat_gradients);
  take(into.half_selective, row.half_selective);
  take(into.upcast_frozen, row.upcast_frozen);
  take(into.keeps_frozen_inputs, row.keeps_frozen_inputs);
  take(into.joint_qkv, row.joint_qkv);
  take(into.adapter_dropout, row.adapter_dropout);
  if (into.source.empty()) {
    into.source = row.source;
  }
}

// The order matters: a name is matched by the first mark that it contains.
constexpr std::array kOptimizers = {
    Optimizer{.mark = "offload",
              .step_copies = 0,
              .on_host = true,
              .source = "Ren et al. 2021 (ZeRO-Offload): states and step on the host"},
    Optimizer{.mark = "adafactor",
              .moments = 0,
              .fixed_bytes = 0.02,
              .step_copies = 0,
              .source = "Shazeer and Stern 2018: a row and a column sum per matrix"},
    Optimizer{.mark = "lion-8bit",
              .moments = 0,
              .fixed_bytes = 1.02,
              .step_copies = 0,
              .source = "bitsandbytes: one 8-bit moment, block size 256"},
    Optimizer{.mark = "8bit",
              .moments = 0,
              .fixed_bytes = 2.03,
              .step_copies = 0,
              .embedding_full = true,
              .source = "Dettmers et al. 2022 (8-bit optimizers); embeddings stay 32-bit"},
    Optimizer{.mark = "4bit",
              .moments = 0,
              .fixed_bytes = 1.06,
              .step_copies = 0,
              .source = "torchao low-bit optimizers, block size 128"},
    Optimizer{.mark = "lion", .moments = 1, .source = "Chen et al. 2023: one moment"},
    Optimizer{.mark = "sgd", .moments = 1, .step_copies = 0, .source = "momentum"},
    Optimizer{.mark = "momentum", .moments = 1, .step_copies = 0, .source = "momentum"},
    Optimizer{.mark = "rmsprop", .moments = 1, .step_copies = 0, .source = "one moment"},
    Optimizer{.mark = "adagrad", .moments = 1, .step_copies = 0, .source = "one moment"},
    Optimizer{.mark = "muon",
              .moments = 1,
              .adam_outside = true,
              .source = "Jordan et al. 2024: momentum for matrices, AdamW for the rest"},
    Optimizer{.mark = "lamb", .source = "You et al. 2020: two moments"},
    Optimizer{.mark = "adam", .source = "Kingma and Ba 2015: two moments"},
};

}  // namespace

Framework framework_named(std::string_view name) {
  Framework result;
  for (const Framework& row : kFrameworks) {
    if (name.find(row.mark) != std::string_view::npos) {
      fill(result, row);
    }
  }
  fill(result, kPlain);
  return result;
}

Optimizer optimizer_named(std::string_view name) {
  Optimizer result = kOptimizers.back();
  for (const Optimizer& row : kOptimizers) {
    if (name.find(row.mark) != std::string_view::npos) {
      result = row;
      break;
    }
  }
  result.paged = name.find("paged") != std::string_view::npos;
  return result;
}

}  // namespace gpu_advisor::estimate
