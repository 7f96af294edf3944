#include <vector>

#include "catch2.hpp"
#include "estimate/questions.hpp"

using namespace gpu_advisor;
using tests::Case;
using workload::Checkpointing;

namespace {

const std::vector<Checkpointing> kModes = {Checkpointing::none, Checkpointing::selective,
                                           Checkpointing::full};
const std::vector<std::string> kFrameworks = {
    "", "deepspeed", "megatron-lm", "torchtitan", "hf trainer", "axolotl", "litgpt", "unsloth"};
const std::vector<std::string> kEngines = {"vllm", "llama.cpp", "transformers", "sglang"};

/// Training cases over frameworks, checkpointing and methods.
std::vector<Case> trainings() {
  std::vector<Case> cases;
  for (const auto& framework : kFrameworks) {
    for (const Checkpointing mode : kModes) {
      for (const auto method : {workload::Method::full, workload::Method::lora}) {
        Case made = tests::training();
        made.work.framework = framework;
        made.work.method = method;
        made.layout.checkpointing = mode;
        cases.push_back(made);
      }
    }
  }
  return cases;
}

std::vector<Case> servings() {
  std::vector<Case> cases;
  for (const auto& engine : kEngines) {
    for (const char* quantisation : {"bf16", "q4_k_m", "awq-int4"}) {
      Case made = tests::serving(quantisation);
      made.work.engine = engine;
      cases.push_back(made);
    }
  }
  return cases;
}

}  // namespace

TEST_CASE("more memory never turns a fit into no fit") {
  for (Case made : servings()) {
    bool fitted = false;
    for (const double gib : {2.0, 4.0, 8.0, 12.0, 16.0, 24.0, 48.0, 80.0, 192.0}) {
      made.gpu = tests::gpu_with(units::gib(gib));
      const auto memory = made.memory();
      CHECK((memory.fits || !fitted));
      fitted = fitted || memory.fits;
    }
    CHECK(fitted);
  }
}

TEST_CASE("a longer context never needs less") {
  for (Case made : servings()) {
    double before = 0;
    for (const std::int64_t context : {64, 512, 513, 4096, 32768, 131072}) {
      made.work.context = context;
      CHECK(made.gib() >= before);
      before = made.gib();
    }
  }
}

TEST_CASE("longer sequences never need less in training") {
  for (Case made : trainings()) {
    double before = 0;
    for (const std::int64_t length :
         {128, 512, 2048, 4096, 8192, 16384, 24000, 32768, 65536, 95000, 96000, 262144}) {
      made.work.seq_len = length;
      CHECK(made.gib() >= before);
      before = made.gib();
    }
  }
}

TEST_CASE("a larger batch never needs less") {
  for (Case made : trainings()) {
    double before = 0;
    for (const std::int64_t batch : {1, 2, 3, 8, 64}) {
      made.layout.micro_batch = batch;
      CHECK(made.gib() >= before);
      before = made.gib();
    }
  }
  for (Case made : servings()) {
    double before = 0;
    for (const std::int64_t requests : {1, 2, 16, 256}) {
      made.work.concurrency = requests;
      CHECK(made.gib() >= before);
      before = made.gib();
    }
  }
}

TEST_CASE("more layers never need less") {
  for (const auto& framework : kFrameworks) {
    double before = 0;
    for (const int layers : {1, 8, 31, 32, 80}) {
      Case made = tests::training({.layers = layers});
      made.work.framework = framework;
      CHECK(made.gib() >= before);
      before = made.gib();
    }
  }
}

TEST_CASE("a mixture of experts needs at least all of its parameters") {
  const tests::Shape mixture{.kv_heads = 8, .ffn = 14336, .experts = 8, .top_k = 2};
  Case made = tests::serving("bf16", mixture);
  const double parameters = static_cast<double>(ops::describe(made.work.model).parameters());
  CHECK(made.memory().per_gpu.value > units::bytes(2 * parameters));
  CHECK(made.memory().per_gpu.low >= units::bytes(2 * parameters));
}

TEST_CASE("sharding never raises the need of a GPU beyond fixed costs") {
  const units::Bytes fixed = units::gib(0.25);  // communicators
  for (Case made : trainings()) {
    made.layout.dp = 8;
    if (made.work.framework == "deepspeed") {
      continue;  // its stages bring buckets of their own, tested by hand
    }
    const auto whole = made.memory().per_gpu.value;
    made.layout.zero_stage = 1;
    const auto first = made.memory().per_gpu.value;
    made.layout.zero_stage = 2;
    const auto second = made.memory().per_gpu.value;
    CHECK(first <= whole + fixed);
    CHECK(second <= first + fixed);
  }
  for (Case made : servings()) {
    auto before = made.memory().per_gpu.value + fixed;
    for (const int degree : {2, 4, 8}) {
      made.layout.tp = degree;
      CHECK(made.memory().per_gpu.value <= before);
      before = made.memory().per_gpu.value;
    }
  }
}

TEST_CASE("more checkpointing never needs more") {
  for (Case made : trainings()) {
    made.layout.micro_batch = 8;
    made.layout.checkpointing = Checkpointing::none;
    const double none = made.gib();
    made.layout.checkpointing = Checkpointing::full;
    CHECK(made.gib() <= none);
  }
}

TEST_CASE("the total is at least what the fullest GPU needs") {
  for (const auto& cases : {trainings(), servings()}) {
    for (Case made : cases) {
      made.layout.pp = 2;
      const auto memory = made.memory();
      CHECK(memory.total.value >= memory.per_gpu.value);
    }
  }
}
