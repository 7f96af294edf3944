#pragma once

#include <string_view>

namespace gpu_advisor::estimate {

/// What "bf16" or "fp16" training keeps under a framework.
enum class States {
  unknown,
  sixteen_bit,   // weights, gradients and moments all in the 16-bit type
  masters,       // 16-bit weights and gradients beside fp32 masters and moments
  fp32_weights,  // fp32 weights, gradients and moments; 16-bit copies only while a layer works
};

/// How the loss over the vocabulary is computed: what lives at its peak.
enum class Loss {
  unknown,
  full_copies,  // logits, their fp32 copy, log-softmax and gradient, all of the batch
  chunked,      // logits of all tokens, the loss chunk by chunk
  fused,        // one chunk of logits at a time
  parallel,     // split over the vocabulary or fused: softmax and gradient in place
};

/// Which weights an adapter is put on when the user does not say.
enum class Targets { unknown, attention, all_linear };

enum class Answer { unknown, no, yes };

/// What a training framework does with memory. Each table row says what it knows; the first row
/// whose mark occurs in the framework's name decides each field.
struct Framework {
  std::string_view mark;
  States states = States::unknown;
  Loss loss = Loss::unknown;
  Targets targets = Targets::unknown;
  Answer norm_in_fp32 = Answer::unknown;       // the norm keeps an fp32 copy of its input
  Answer fused_gate = Answer::unknown;         // gate activation and product are recomputed
  Answer sequence_parallel = Answer::unknown;  // tp also divides what is outside the products
  Answer step_copies = Answer::unknown;     // the optimizer step makes copies as large as a moment
  Answer fp32_gradients = Answer::unknown;  // gradients gather in fp32 buffers
  Answer fsdp = Answer::unknown;            // stages 2 and 3 are FSDP's, which shards masters too
  Answer flat_gradients = Answer::unknown;  // gradient buffers stay between steps
  Answer half_selective = Answer::unknown;  // "selective" recomputes about half of a layer
  Answer upcast_frozen = Answer::unknown;   // unquantised frozen weights are cast to fp32
  Answer keeps_frozen_inputs = Answer::unknown;  // of quantised products, though they do not learn
  Answer joint_qkv = Answer::unknown;        // values are a view that keeps queries and keys twice
  Answer adapter_dropout = Answer::unknown;  // adapters keep a dropped copy of their input
  std::string_view source;
};

/// The framework of this name, every unknown field at PyTorch's own behaviour.
[[nodiscard]] Framework framework_named(std::string_view name);

/// What an optimizer holds for each trained parameter.
struct Optimizer {
  std::string_view mark;
  double moments = 2;           // tensors like the parameters, in the type of the states
  double fixed_bytes = 0;       // bytes per parameter of quantised states; then `moments` is 0
  double step_copies = 1;       // temporaries like one moment, during the step
  bool embedding_full = false;  // embeddings keep full-width states beside quantised ones
  bool adam_outside = false;    // matrices as said, everything else as Adam
  bool on_host = false;         // states live in host memory
  bool paged = false;           // states may be evicted to host memory
  std::string_view source;
};

/// By the folded name ("adamw-8bit", "paged-adamw-8bit", "adamw-cpu-offload"); AdamW if unknown.
[[nodiscard]] Optimizer optimizer_named(std::string_view name);

}  // namespace gpu_advisor::estimate
