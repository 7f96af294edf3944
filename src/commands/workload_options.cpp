#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "gpu_advisor/support/text.hpp"
#include "gpu_advisor/units/parse.hpp"
#include "gpu_advisor/workload/words.hpp"
#include "workload_options_internal.hpp"

namespace gpu_advisor::commands {
namespace {

using support::Result;
using support::Status;
using workload::Request;

template <typename T>
Status take(const Values& values, std::string_view name, Parser<T> parse, std::optional<T>& out) {
  GPU_ADVISOR_TRY(auto value, read_option<T>(values, name, parse));
  if (value)
    out = std::move(value);
  return support::ok();
}

Status take_whole(const Values& values, std::string_view name, std::optional<std::int64_t>& out) {
  return take<std::int64_t>(values, name, parse_whole, out);
}

Status take_int(const Values& values, std::string_view name, std::optional<int>& out) {
  GPU_ADVISOR_TRY(const auto value, read_option<std::int64_t>(values, name, parse_whole));
  if (value)
    out = static_cast<int>(*value);
  return support::ok();
}

/// A word of a closed list; parse_options has already refused others, so this cannot fail on them.
template <typename Word>
Status take_word(const Values& values, std::string_view name, std::optional<Word>& out) {
  return take<Word>(values, name, workload::parse_word<Word>, out);
}

Result<double> parse_parameters_number(std::string_view text) {
  GPU_ADVISOR_TRY(const std::int64_t count, units::parse_parameters(text));
  return static_cast<double>(count);
}

Status take_model(const Values& values, Request& request) {
  const auto model = values.get("--model");
  if (model && values.has("--params"))
    return usage_error("--params", "contradicts --model",
                       "give one of both; a model brings its size with it");
  if (!model && !values.has("--params"))
    return usage_error("--params", "no model",
                       "give --params 7B, or --model with a name or a file");
  if (model)
    request.model_name = *model;
  GPU_ADVISOR_CHECKED(
      take<double>(values, "--params", parse_parameters_number, request.dimensions.parameters));
  GPU_ADVISOR_CHECKED(take<double>(values, "--active-params", parse_parameters_number,
                                   request.dimensions.active_parameters));
  if (request.dimensions.active_parameters && request.dimensions.parameters &&
      *request.dimensions.active_parameters > *request.dimensions.parameters)
    return usage_error("--active-params", "more than --params");
  if (request.dimensions.active_parameters)
    request.dimensions.arch = model::Arch::moe;
  return support::ok();
}

Status take_training(const Values& values, Request& request) {
  GPU_ADVISOR_CHECKED(take_word(values, "--method", request.method));
  if (const auto precision = values.get("--precision")) {
    request.precision_text = *precision;
    GPU_ADVISOR_CHECKED(take_word(values, "--precision", request.precision));
  }
  GPU_ADVISOR_CHECKED(take_whole(values, "--seq-len", request.seq_len));
  GPU_ADVISOR_CHECKED(take_whole(values, "--micro-batch", request.micro_batch));
  GPU_ADVISOR_CHECKED(take_whole(values, "--global-batch", request.global_batch));
  request.optimizer = values.get("--optimizer");
  request.framework = values.get("--framework");
  request.base_quant = values.get("--base-quant");
  GPU_ADVISOR_CHECKED(take_int(values, "--lora-rank", request.lora_rank));
  GPU_ADVISOR_CHECKED(take_int(values, "--resolution", request.resolution));
  GPU_ADVISOR_CHECKED(take_word(values, "--activation-checkpointing", request.checkpointing));
  if (const auto stage = values.get("--zero-stage"))
    request.zero_stage = stage->front() - '0';
  GPU_ADVISOR_CHECKED(take<double>(values, "--tokens", units::parse_count, request.tokens));
  GPU_ADVISOR_CHECKED(take<double>(values, "--samples", units::parse_count, request.samples));
  GPU_ADVISOR_CHECKED(take<double>(values, "--epochs", parse_positive, request.epochs));
  return take<units::Seconds>(values, "--deadline", units::parse_duration, request.deadline);
}

Status take_inference(const Values& values, Request& request) {
  request.engine = values.get("--engine");
  request.quant = values.get("--quant");
  if (request.quant && !units::find_quantisation(*request.quant))
    return usage_error("--quant", "unknown weight format \"" + *request.quant + "\"",
                       "known are bf16, fp8, int8, awq-int4, gptq-int4, nf4, nvfp4, mxfp4, q4_k_m, "
                       "q8_0 and others");
  request.kv_dtype = values.get("--kv-dtype");
  GPU_ADVISOR_CHECKED(take_whole(values, "--context", request.context));
  GPU_ADVISOR_CHECKED(take_whole(values, "--input-len", request.input_len));
  GPU_ADVISOR_CHECKED(take_whole(values, "--output-len", request.output_len));
  if (values.get("--concurrency") == "max")
    request.concurrency_max = true;
  else
    GPU_ADVISOR_CHECKED(take_whole(values, "--concurrency", request.concurrency));
  GPU_ADVISOR_CHECKED(take<double>(values, "--qps", parse_positive, request.qps));
  GPU_ADVISOR_CHECKED(take<double>(values, "--ttft-ms", parse_positive, request.ttft_ms));
  GPU_ADVISOR_CHECKED(take<double>(values, "--tpot-ms", parse_positive, request.tpot_ms));
  // A rate of arrivals is served by as many requests at once as memory allows.
  if (request.qps && !request.concurrency)
    request.concurrency_max = true;
  return take<double>(values, "--min-tokens-per-s", parse_positive, request.min_tokens_per_s);
}

/// "8" or "1..16", "8..", "..16".
Status take_gpu_range(const Values& values, rank::Limits& limits) {
  const auto text = values.get("--gpus");
  if (!text)
    return support::ok();
  const std::size_t dots = text->find("..");
  const auto part = [](const std::string& number, std::optional<int>& out) -> Status {
    if (number.empty())
      return support::ok();
    const auto count = parse_whole(number);
    if (!count)
      return usage_error("--gpus", "expected a count such as 8 or a range such as 1..16");
    out = static_cast<int>(*count);
    return support::ok();
  };
  if (dots == std::string::npos) {
    GPU_ADVISOR_CHECKED(part(*text, limits.min_gpus));
    limits.max_gpus = limits.min_gpus;
    return support::ok();
  }
  GPU_ADVISOR_CHECKED(part(text->substr(0, dots), limits.min_gpus));
  GPU_ADVISOR_CHECKED(part(text->substr(dots + 2), limits.max_gpus));
  if (limits.min_gpus && limits.max_gpus && *limits.min_gpus > *limits.max_gpus)
    return usage_error("--gpus", "the range begins above its end");
  return support::ok();
}

/// The count at the end of "nvidia:A100:80GB:1..8" bounds the GPUs like --gpus.
Status take_counts_of_patterns(const Values& values, rank::Limits& limits) {
  for (const std::string& pattern : values.all("--gpu")) {
    const auto parts = support::split(pattern, ':');
    const std::string last(parts.back());
    if (parts.size() < 2 || last.empty() ||
        last.find_first_not_of("0123456789.") != std::string::npos)
      continue;
    if (values.has("--gpus"))
      return usage_error("--gpu", "a count in \"" + pattern + "\" contradicts --gpus");
    Values only;
    only.add("--gpus", last);
    GPU_ADVISOR_CHECKED(take_gpu_range(only, limits));
  }
  return support::ok();
}

Status take_pricing(const Values& values, rank::Limits& limits) {
  const std::string wanted = values.get("--pricing").value_or("on-demand");
  using enum catalog::Pricing;
  if (wanted == "any") {
    limits.pricing = {on_demand, spot, reserved_1y, reserved_3y};
    return support::ok();
  }
  for (const catalog::Pricing pricing : {on_demand, spot, reserved_1y, reserved_3y})
    if (wanted == catalog::name(pricing))
      limits.pricing = {pricing};
  return support::ok();
}

}  // namespace

const std::vector<Option>& workload_options() {
  static const std::vector<Option> kOptions{
      {"--params", "", Arity::one, "COUNT", "Model size: 7B, 350M, 1.5T"},
      {"--active-params", "", Arity::one, "COUNT",
       "Parameters used per token of a mixture of experts"},
      {"--model", "", Arity::one, "MODEL",
       "Preset name, config.json or its folder, .gguf, .safetensors, index"},
      {"--task", "", Arity::one,
       "inference|pretrain|finetune|vision-train|vision-inference|diffusion-train|diffusion-"
       "inference",
       "What is to be done (default inference)"},
      {"--method", "", Arity::one, "full|lora|qlora", "How weights are trained"},
      {"--precision", "", Arity::one, "fp32|tf32|fp16|bf16|fp8|amp-fp16|amp-bf16",
       "Training precision"},
      {"--quant", "", Arity::one, "FORMAT",
       "Weight format when serving: bf16, fp8, awq-int4, q4_k_m, …"},
      {"--base-quant", "", Arity::one, "FORMAT",
       "Frozen base weights of QLoRA: nf4, nf4-dq, int8, gptq4, …"},
      {"--kv-dtype", "", Arity::one, "TYPE", "KV-cache type: fp16, fp8, int8"},
      {"--engine", "", Arity::one, "NAME",
       "Serving engine: vllm, llama.cpp, trt-llm, transformers, mlx, …"},
      {"--framework", "", Arity::one, "NAME",
       "Training framework: hf, fsdp, deepspeed, megatron, axolotl, …"},
      {"--seq-len", "", Arity::one, "TOKENS", "Training sequence length"},
      {"--resolution", "", Arity::one, "PIXELS", "Side of the images"},
      {"--micro-batch", "", Arity::one, "N", "Sequences or samples per GPU and pass"},
      {"--global-batch", "", Arity::one, "N", "Sequences or samples per optimizer step"},
      {"--optimizer", "", Arity::one, "NAME", "adamw, adamw-8bit, adafactor, lion, sgd, muon, …"},
      {"--activation-checkpointing", "", Arity::one, "none|selective|full",
       "What is computed again for the backward pass"},
      {"--lora-rank", "", Arity::one, "N", "Adapter rank"},
      {"--context", "", Arity::one, "TOKENS", "Longest sequence to hold"},
      {"--input-len", "--isl", Arity::one, "TOKENS", "Prompt length"},
      {"--output-len", "--osl", Arity::one, "TOKENS", "Answer length"},
      {"--concurrency", "", Arity::one, "N or max", "Requests at once"},
      {"--qps", "", Arity::one, "RATE", "Requests per second to serve"},
      {"--ttft-ms", "", Arity::one, "MS", "Time to first token, at most"},
      {"--tpot-ms", "", Arity::one, "MS", "Time per output token, at most"},
      {"--min-tokens-per-s", "", Arity::one, "RATE", "Tokens per second, at least"},
      {"--tokens", "", Arity::one, "COUNT", "Tokens to train on: 300B, 1T"},
      {"--samples", "", Arity::one, "COUNT", "Samples to train on"},
      {"--epochs", "", Arity::one, "N", "Passes over them"},
      {"--deadline", "", Arity::one, "TIME", "72h, 90d"},
      {"--zero-stage", "", Arity::one, "0|1|2|3", "ZeRO stage; 3 is FSDP's full sharding"},
  };
  return kOptions;
}

const std::vector<Option>& layout_options() {
  static const std::vector<Option> kOptions{
      {"--tp", "", Arity::one, "N", "Tensor-parallel degree"},
      {"--pp", "", Arity::one, "N", "Pipeline stages"},
      {"--dp", "", Arity::one, "N", "Data-parallel degree"},
      {"--cp", "", Arity::one, "N", "Context-parallel degree"},
      {"--ep", "", Arity::one, "N", "Expert-parallel degree"},
      {"--nodes", "", Arity::one, "N", "Instances"},
  };
  return kOptions;
}

const std::vector<Option>& limit_options() {
  static const std::vector<Option> kOptions{
      {"--budget", "", Arity::one, "AMOUNT",
       "2 or 2/h, 1500/month, 20000/total, for the whole deployment"},
      {"--currency", "", Arity::one, "CODE", "Currency of the budget and the answer (default USD)"},
      {"--vram", "", Arity::one, "GIB", "Memory per GPU, at least"},
      {"--gpus", "", Arity::one, "N or A..B", "GPUs of the deployment"},
      {"--gpu", "", Arity::many, "PATTERN",
       "Only these: name, glob, nvidia:A100:80GB:1..8, 24GB..80GB"},
      {"--exclude-gpu", "", Arity::many, "PATTERN", "Not these"},
      {"--provider", "", Arity::many, "NAME", "Only these providers (globs)"},
      {"--region", "", Arity::many, "NAME", "Only these regions (globs)"},
      {"--pricing", "", Arity::one, "on-demand|spot|reserved-1y|reserved-3y|any",
       "Pricing model (default on-demand)"},
      {"--max-price-age", "", Arity::one, "TIME", "No older prices: 90d"},
      {"--headroom", "", Arity::one, "SHARE", "GPU memory to leave free: 10%"},
      {"--require-nvlink", "", Arity::flag, "", "Several GPUs of a node must share NVLink"},
      {"--require-rdma", "", Arity::flag, "", "Instances must reach each other by RDMA"},
  };
  return kOptions;
}

Result<Request> request_of(const Values& values) {
  Request request;
  GPU_ADVISOR_CHECKED(take_model(values, request));
  GPU_ADVISOR_CHECKED(take_word(values, "--task", request.task));
  GPU_ADVISOR_CHECKED(take_training(values, request));
  GPU_ADVISOR_CHECKED(take_inference(values, request));
  // A method of training says that the task is to fine-tune.
  if (!request.task && request.method)
    request.task = workload::Task::finetune;
  return request;
}

Result<layout::Limits> layout_limits_of(const Values& values) {
  layout::Limits limits;
  GPU_ADVISOR_CHECKED(take_int(values, "--tp", limits.tp));
  GPU_ADVISOR_CHECKED(take_int(values, "--pp", limits.pp));
  GPU_ADVISOR_CHECKED(take_int(values, "--dp", limits.dp));
  GPU_ADVISOR_CHECKED(take_int(values, "--cp", limits.cp));
  GPU_ADVISOR_CHECKED(take_int(values, "--ep", limits.ep));
  if (const auto stage = values.get("--zero-stage"))
    limits.zero_stage = stage->front() - '0';
  return limits;
}

Result<rank::Limits> limits_of(const Values& values, double per_usd) {
  rank::Limits limits;
  GPU_ADVISOR_CHECKED(take<units::Budget>(values, "--budget", units::parse_budget, limits.budget));
  if (limits.budget)
    limits.budget->amount /= per_usd;
  GPU_ADVISOR_CHECKED(take<units::Bytes>(values, "--vram", units::parse_memory, limits.min_vram));
  GPU_ADVISOR_CHECKED(take_gpu_range(values, limits));
  GPU_ADVISOR_CHECKED(take_counts_of_patterns(values, limits));
  GPU_ADVISOR_CHECKED(take_int(values, "--nodes", limits.nodes));
  limits.gpus = values.all("--gpu");
  limits.exclude_gpus = values.all("--exclude-gpu");
  limits.providers = values.all("--provider");
  limits.regions = values.all("--region");
  GPU_ADVISOR_CHECKED(take_pricing(values, limits));
  GPU_ADVISOR_TRY(const auto age,
                  read_option<units::Seconds>(values, "--max-price-age", units::parse_duration));
  if (age)
    limits.max_price_age_days = static_cast<int>(std::lround(*age / units::hours(24)));
  GPU_ADVISOR_TRY(const auto headroom,
                  read_option<double>(values, "--headroom", units::parse_share));
  limits.headroom = headroom.value_or(0);
  limits.require_nvlink = values.has("--require-nvlink");
  limits.require_rdma = values.has("--require-rdma");
  GPU_ADVISOR_TRY(limits.layout, layout_limits_of(values));
  return limits;
}

std::vector<std::string> idle_flags(const Values& values, workload::Task task) {
  constexpr std::array<std::string_view, 15> kTraining{"--method",
                                                       "--precision",
                                                       "--seq-len",
                                                       "--micro-batch",
                                                       "--global-batch",
                                                       "--optimizer",
                                                       "--activation-checkpointing",
                                                       "--zero-stage",
                                                       "--lora-rank",
                                                       "--base-quant",
                                                       "--framework",
                                                       "--tokens",
                                                       "--samples",
                                                       "--epochs",
                                                       "--deadline"};
  constexpr std::array<std::string_view, 11> kServing{
      "--quant",       "--kv-dtype", "--engine",  "--context", "--input-len",       "--output-len",
      "--concurrency", "--qps",      "--ttft-ms", "--tpot-ms", "--min-tokens-per-s"};
  std::vector<std::string> notes;
  const auto note = [&values, &notes, task](std::string_view flag) {
    if (values.has(flag))
      notes.push_back(fmt::format("{} does nothing for {}", flag, workload::name(task)));
  };
  if (workload::is_training(task))
    std::ranges::for_each(kServing, note);
  else
    std::ranges::for_each(kTraining, note);
  return notes;
}

}  // namespace gpu_advisor::commands
