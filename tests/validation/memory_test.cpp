// Published memory figures against the model: each with its source and the tolerance it is held to.

#include <string>
#include <vector>

#include "catch2.hpp"
#include "estimate/questions.hpp"

using namespace gpu_advisor;
using tests::Case;
using tests::Shape;
using workload::Checkpointing;
using workload::Method;

namespace {

const Shape kLlama2Small{};
const Shape kLlama2Medium{.layers = 40, .hidden = 5120, .heads = 40, .kv_heads = 40, .ffn = 13824};
const Shape kLlama2Large{.layers = 80, .hidden = 8192, .heads = 64, .kv_heads = 8, .ffn = 28672};
const Shape kLlama3{.kv_heads = 8, .ffn = 14336, .vocab = 128256};
const Shape kMistral{.kv_heads = 8, .ffn = 14336};
const Shape kMixtral{.kv_heads = 8, .ffn = 14336, .experts = 8, .top_k = 2};
const Shape kQwenSmall{.vocab = 151936};
const Shape kQwenMedium{
    .layers = 40, .hidden = 5120, .heads = 40, .kv_heads = 40, .ffn = 13696, .vocab = 152064};

struct Published {
  std::string source;
  Case made;
  double gib;
  double tolerance;        // share
  bool outside_allocator;  // the figure counts the driver's context too
};

Case tuned(const Shape& shape, std::string framework, Method method, std::int64_t batch,
           std::int64_t length) {
  Case made = tests::training(shape);
  made.work.task = workload::Task::finetune;
  made.work.framework = std::move(framework);
  made.work.method = method;
  made.layout.micro_batch = batch;
  made.work.seq_len = length;
  return made;
}

Case with_base(Case made, const char* quantisation) {
  made.work.base_quant = units::find_quantisation(quantisation);
  return made;
}

Case unchecked(Case made) {
  made.layout.checkpointing = Checkpointing::none;
  made.work.lora_rank = 8;
  return made;
}

Case sharded(Case made, int gpus, int stage) {
  made.layout.dp = gpus;
  made.layout.zero_stage = stage;
  return made;
}

Case served(const char* quantisation, const Shape& shape, std::string engine, std::int64_t context,
            std::int64_t requests = 1) {
  Case made = tests::serving(quantisation, shape);
  made.work.engine = std::move(engine);
  made.work.context = context;
  made.work.input_len = 1;
  made.work.concurrency = requests;
  return made;
}

const std::string kFms = "foundation-model-stack/fms-acceleration scripts/benchmarks/refs";
const std::string kLitgpt = "Lightning-AI/litgpt tutorials/resource-tables.md";
const std::string kTitan = "pytorch/torchtitan benchmarks";
const std::string kLongContext = "stas00/ml-engineering insights/when-to-upgrade-gpus";
const std::string kQwen = "QwenLM/Qwen README";
const std::string kExllama = "turboderp/exllama README";
const std::string kLlamaCpp = "llama.cpp buffer sizes as logged, XiongjieDai notebooks";

std::vector<Published> training_figures() {
  const auto full = Method::full;
  const auto lora = Method::lora;
  const auto qlora = Method::qlora;
  Case titan = sharded(tuned(kLlama3, "torchtitan", full, 2, 8192), 8, 3);
  titan.layout.checkpointing = Checkpointing::selective;
  Case longest = sharded(tuned(kLlama3, "deepspeed+hf", full, 1, 262144), 8, 3);
  longest.work.optimizer = "adamw-cpu-offload";
  longest.gpu = tests::gpu_with(units::gib(139.6));  // H200
  return {
      {kLongContext, longest, 124.5, 0.03, false},
      {kFms, tuned(kMistral, "hf trainer", full, 4, 4096), 67.46, 0.05, false},
      {kFms, tuned(kMistral, "hf trainer", lora, 8, 4096), 36.08, 0.06, false},
      {kFms, sharded(tuned(kMistral, "hf trainer", lora, 4, 4096), 2, 3), 20.45, 0.06, false},
      {kFms, with_base(tuned(kMistral, "hf trainer", qlora, 8, 4096), "gptq4"), 26.49, 0.06, false},
      {kFms, with_base(tuned(kMixtral, "hf trainer", qlora, 4, 4096), "gptq4"), 33.57, 0.06, false},
      {kFms, with_base(tuned(kLlama2Large, "hf trainer", qlora, 4, 4096), "gptq4"), 62.46, 0.10,
       false},
      {kLitgpt, unchecked(tuned(kLlama2Small, "litgpt", lora, 1, 1304)), 19.84, 0.05, false},
      {kLitgpt, unchecked(tuned(kLlama2Small, "litgpt", lora, 2, 1304)), 27.07, 0.05, false},
      {kLitgpt, unchecked(tuned(kLlama2Medium, "litgpt", lora, 1, 1304)), 35.50, 0.05, false},
      {kTitan, titan, 77.0, 0.08, false},
  };
}

std::vector<Published> serving_figures() {
  return {
      {kLlamaCpp, served("q4_0", kLlama2Small, "llama.cpp", 512), 3.8126, 0.03, false},
      {kLlamaCpp, served("fp16", kLlama2Medium, "llama.cpp", 512), 24.403, 0.03, false},
      {kLlamaCpp, served("q4_0", kLlama2Large, "llama.cpp", 512), 36.362, 0.03, false},
      {kExllama, served("gptq-int4", kLlama2Small, "exllama", 2048), 5.072, 0.04, false},
      {kExllama, served("gptq-int4", kLlama2Medium, "exllama", 2048), 8.913, 0.04, false},
      {kQwen, served("bf16", kQwenSmall, "hf", 2048), 16.99, 0.05, true},
      {kQwen, served("bf16", kQwenMedium, "hf", 2048), 30.15, 0.05, true},
      {kQwen, served("bf16", kQwenSmall, "hf", 1024, 32), 48.7, 0.08, true},
      {kQwen, served("bf16", kQwenSmall, "hf", 8192), 23.2, 0.06, true},
  };
}

void check(const std::vector<Published>& figures) {
  for (const Published& figure : figures) {
    CAPTURE(figure.source, figure.gib);
    const auto memory = figure.made.memory();
    const units::Bytes aside = figure.outside_allocator ? units::bytes(0) : memory.parts.runtime;
    const double estimated = (memory.per_gpu.value - aside) / units::gib(1);
    CHECK(estimated == Catch::Approx(figure.gib).epsilon(figure.tolerance));
  }
}

}  // namespace

TEST_CASE("training memory is what was measured") {
  check(training_figures());
}

TEST_CASE("inference memory is what was measured") {
  check(serving_figures());
}

TEST_CASE("ZeRO's stages give the table of its paper") {
  // Rajbhandari et al. 2020, figure 1: 7.5e9 parameters on 64 GPUs: 120, 31.4, 16.6 and 1.9 GB.
  Case made = tests::training();
  made.work.framework = "deepspeed";
  const double parameters = static_cast<double>(ops::describe(made.work.model).parameters());
  made.layout.dp = 64;
  const double published[] = {120, 31.4, 16.6, 1.9};
  for (int stage = 0; stage <= 3; ++stage) {
    made.layout.zero_stage = stage;
    const auto parts = made.memory().parts;
    const auto states = parts.weights + parts.gradients + parts.optimizer;
    CHECK(states / units::gb(1) * 7.5e9 / parameters ==
          Catch::Approx(published[stage]).epsilon(0.02));
  }
}
