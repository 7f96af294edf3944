#include <algorithm>
#include <array>

#include "gpu_advisor/support/text.hpp"
#include "resolve_internal.hpp"

namespace gpu_advisor::workload {
namespace {

void assume(Workload& workload, std::string text) {
  workload.assumptions.push_back(std::move(text));
}

template <typename T>
void take(T& target, const std::optional<T>& given, Workload& workload, std::string_view what,
          const std::string& shown) {
  if (given)
    target = *given;
  else
    assume(workload, std::string(what) + " " + shown);
}

bool is_vision(const Workload& workload) {
  return workload.task == Task::vision_train || workload.task == Task::diffusion_train;
}

/// Precisions that are finer than the enum: what they run as.
Precision nearest_precision(const std::string& text) {
  const std::string lower = support::to_lower(text);
  for (const std::string_view mark : {"fp8", "fp4"})
    if (lower.find(mark) != std::string::npos)
      return Precision::fp8;
  if (lower.find("fp16") != std::string::npos || lower.find("half") != std::string::npos)
    return Precision::fp16;
  return lower.find("32") != std::string::npos ? Precision::fp32 : Precision::bf16;
}

/// Vision training scripts default to autocast, language models to bf16. Encoders, and what
/// transformers and PEFT load without being told a type, are fp32.
Precision usual_precision(const Request& request, const Workload& workload) {
  if (is_vision(workload))
    return Precision::amp_fp16;
  const std::string framework = support::to_lower(request.framework.value_or(""));
  const bool plain = framework.starts_with("hf") || framework.find("peft") != std::string::npos ||
                     framework.find("transformers") != std::string::npos;
  return workload.model.arch == model::Arch::encoder || (plain && !request.base_quant)
             ? Precision::fp32
             : Precision::bf16;
}

void resolve_precision(const Request& request, Workload& workload) {
  if (request.precision) {
    workload.precision = *request.precision;
  } else if (!request.precision_text.empty()) {
    workload.precision = nearest_precision(request.precision_text);
    assume(workload, "precision " + request.precision_text + " is computed as " +
                         std::string(name(workload.precision)));
  } else {
    workload.precision = usual_precision(request, workload);
    assume(workload, "precision " + std::string(name(workload.precision)));
  }
  workload.precision_text = request.precision_text.empty() ? std::string(name(workload.precision))
                                                           : request.precision_text;
}

void resolve_base(const Request& request, Workload& workload) {
  if (workload.method == Method::full)
    return;
  const std::string wanted =
      request.base_quant.value_or(workload.method == Method::qlora ? "nf4" : "");
  if (wanted.empty())
    return;
  workload.base_quant = units::find_quantisation(wanted);
  if (!workload.base_quant) {
    workload.base_quant = units::find_quantisation("nf4");
    assume(workload, "base weights \"" + wanted + "\" are unknown: counted as nf4");
  } else if (!request.base_quant) {
    assume(workload, "base weights nf4");
  }
}

void resolve_batch(const Request& request, Workload& workload) {
  workload.micro_batch_given = request.micro_batch.has_value();
  // Classifiers at usual sizes are trained with dozens of images at once; nobody trains them
  // singly.
  constexpr std::int64_t kImages = 32;
  constexpr int kUsualSide = 384;
  const bool images = workload.task == Task::vision_train && !request.global_batch &&
                      request.resolution.value_or(kUsualSide) <= kUsualSide;
  workload.micro_batch = images ? kImages : 1;
  take(workload.micro_batch, request.micro_batch, workload, "micro-batch",
       std::to_string(workload.micro_batch));
  workload.grad_accum = request.grad_accum.value_or(1);
  workload.global_batch = request.global_batch;
}

/// What is loaded where nobody says: Ollama and LM Studio fetch Q4_K_M, the others the checkpoint's
/// own type.
std::string usual_weights(const Request& request, const Workload& workload) {
  const std::string engine = support::to_lower(request.engine.value_or(""));
  if (engine.find("ollama") != std::string::npos || engine.find("lmstudio") != std::string::npos)
    return "q4_k_m";
  // Offline engines of TensorRT are built for 8 bits.
  if (request.concurrency_max && engine.find("tensorrt") != std::string::npos &&
      workload.task == Task::inference)
    return "fp8";
  return workload.model.default_dtype == units::DataType::fp16 ? "fp16" : "bf16";
}

/// The cache's type by name, or a block format ("q8_0") with its scales.
void take_cache_type(const std::string& text, Workload& workload) {
  if (const auto type = units::parse_data_type(text)) {
    workload.kv_type = *type;
    return;
  }
  const auto quant = units::find_quantisation(text);
  if (!quant || quant->bits_per_weight > 9) {
    assume(workload, "KV cache type \"" + text + "\" is unknown: counted as fp16");
    return;
  }
  workload.kv_bits = quant->bits_per_weight;
  workload.kv_type = quant->bits_per_weight > 6 ? units::DataType::int8 : units::DataType::int4;
}

}  // namespace

support::Status resolve_training(const Request& request, Workload& workload) {
  take(workload.method, request.method, workload, "method", "full");
  if (!request.method && request.base_quant)
    workload.method = Method::qlora;
  resolve_precision(request, workload);
  resolve_base(request, workload);
  resolve_batch(request, workload);
  if (is_vision(workload)) {
    workload.resolution = request.resolution;
    workload.seq_len = 1;
  } else {
    const std::int64_t longest = workload.model.max_context.value_or(2048);
    take(workload.seq_len, request.seq_len, workload, "sequence length",
         std::to_string(std::min<std::int64_t>(2048, longest)));
    if (!request.seq_len)
      workload.seq_len = std::min<std::int64_t>(2048, longest);
  }
  const std::string optimizer = workload.task == Task::vision_train ? "sgd" : "adamw";
  workload.optimizer = optimizer;
  take(workload.optimizer, request.optimizer, workload, "optimizer", optimizer);
  workload.framework = support::to_lower(request.framework.value_or(""));
  workload.checkpointing_given = request.checkpointing.has_value();
  take(workload.checkpointing, request.checkpointing, workload, "activation checkpointing", "none");
  workload.flash_attention = request.flash_attention.value_or(true);
  workload.zero_stage = request.zero_stage;
  if (workload.method != Method::full)
    take(workload.lora_rank, request.lora_rank, workload, "adapter rank", "16");
  workload.tokens = request.tokens;
  workload.samples = request.samples;
  workload.epochs = request.epochs;
  workload.deadline = request.deadline;
  return support::ok();
}

support::Status resolve_inference(const Request& request, const std::string& named_quantisation,
                                  Workload& workload) {
  workload.engine_given = request.engine.has_value();
  workload.quant_given = request.quant.has_value() || !named_quantisation.empty();
  const std::string stored = usual_weights(request, workload);
  const std::string wanted = request.quant.value_or(
      named_quantisation.empty()
          ? (request.precision_text.empty() ? stored : request.precision_text)
          : named_quantisation);
  auto quant = units::find_quantisation(wanted);
  if (!quant) {
    quant = units::find_quantisation("int4");
    assume(workload,
           "weights \"" + wanted + "\" are an unknown format: counted as 4-bit with group scales");
  } else if (!workload.quant_given) {
    assume(workload, "weights in " + wanted);
  }
  workload.quant = *quant;
  const bool gguf = workload.quant.family == "gguf";
  const bool language = workload.task == Task::inference;
  const std::string engine = !language                        ? "pytorch"
                             : gguf                           ? "llama.cpp"
                             : workload.quant.family == "mlx" ? "mlx"
                                                              : "vllm";
  workload.engine = support::to_lower(request.engine.value_or(engine));
  if (!request.engine)
    assume(workload, "engine " + engine);
  workload.kv_type = units::DataType::fp16;
  if (request.kv_dtype) {
    take_cache_type(*request.kv_dtype, workload);
  } else if (workload.model.quantisation && workload.model.quantisation->kv_cache == "fp8") {
    workload.kv_type = units::DataType::fp8;
  }
  workload.resolution = request.resolution;
  workload.precision = request.precision.value_or(Precision::fp16);
  workload.precision_text = request.precision_text;
  workload.concurrency_max = request.concurrency_max;
  if (request.concurrency_max && !workload.quant_given &&
      workload.engine.find("tensorrt") != std::string::npos)
    assume(workload,
           "products in the card's 8-bit type, for which TensorRT builds offline engines");
  take(workload.concurrency, request.concurrency, workload, "concurrency", "1");
  if (!language)
    return support::ok();
  const std::int64_t context = request.context.value_or(0);
  // Nothing to read or to write is one token of either: a run without any is no run.
  // Offline rates are published for chat data: questions and answers of about the same length.
  const bool chat = request.concurrency_max && !request.input_len && !request.output_len;
  constexpr std::int64_t kChat = 256;
  workload.output_len = std::max<std::int64_t>(request.output_len.value_or(chat ? kChat : 128), 1);
  // Programs for one person's machine are asked short questions.
  const bool personal = workload.engine.find("ollama") != std::string::npos ||
                        workload.engine.find("mlx") != std::string::npos ||
                        workload.engine.find("lmstudio") != std::string::npos;
  constexpr std::int64_t kQuestion = 64, kPrompt = 512;
  const std::int64_t room = context > workload.output_len ? context - workload.output_len : 512;
  workload.input_len = request.input_len.value_or(context > 0 ? std::min<std::int64_t>(room, 512)
                                                              : (chat       ? kChat
                                                                 : personal ? kQuestion
                                                                            : kPrompt));
  workload.input_len = std::max<std::int64_t>(workload.input_len, 1);
  if (!request.input_len)
    assume(workload, "prompt of " + std::to_string(workload.input_len) + " tokens");
  if (!request.output_len)
    assume(workload, "answer of " + std::to_string(workload.output_len) + " tokens");
  // A context that is given is what the engine sets aside, even if a run then slides past it.
  workload.context = context > 0 ? context : workload.input_len + workload.output_len;
  if (!request.context)
    assume(workload, "context of " + std::to_string(workload.context) + " tokens");
  workload.qps = request.qps;
  workload.ttft_ms = request.ttft_ms;
  workload.tpot_ms = request.tpot_ms;
  workload.min_tokens_per_s = request.min_tokens_per_s;
  return support::ok();
}

}  // namespace gpu_advisor::workload
