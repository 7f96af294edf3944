// What is assumed where a request is silent: the frameworks' and engines' own defaults.

#include "catch2.hpp"
#include "gpu_advisor/workload/resolve.hpp"

using namespace gpu_advisor;
using workload::Checkpointing;
using workload::Precision;
using workload::Request;

namespace {

const support::MemoryFiles kNoFiles{{}};

const catalog::Catalog& catalog_of_program() {
  static const catalog::Loaded loaded =
      catalog::load_catalog(kNoFiles, {}, {.offers = false, .calibration = false});
  return loaded.catalog.value();
}

const workload::Resolver& resolver() {
  static const model::PresetLibrary presets;
  static const workload::Resolver made(catalog_of_program(), presets, kNoFiles);
  return made;
}

Request tuning(const std::string& framework) {
  Request request;
  request.dimensions.parameters = 7e9;
  request.task = workload::Task::finetune;
  request.framework = framework;
  request.gpu = "A100-SXM-80GB";
  request.count = 8;
  return request;
}

workload::Layout layout_of(const Request& request) {
  const auto work = resolver().workload(request);
  REQUIRE(work);
  const auto machine = resolver().machine(request);
  REQUIRE(machine);
  const auto layout = resolver().layout(request, *work, *machine);
  REQUIRE(layout);
  return *layout;
}

}  // namespace

TEST_CASE("a framework's recipes decide what is recomputed when nobody says") {
  CHECK(layout_of(tuning("torchtitan")).checkpointing == Checkpointing::selective);
  CHECK(layout_of(tuning("unsloth")).checkpointing == Checkpointing::full);
  CHECK(layout_of(tuning("deepspeed")).checkpointing == Checkpointing::full);
  CHECK(layout_of(tuning("my own loop")).checkpointing == Checkpointing::none);
  Request asked = tuning("torchtitan");
  asked.checkpointing = Checkpointing::none;
  CHECK(layout_of(asked).checkpointing == Checkpointing::none);
}

TEST_CASE("a quantised base is tuned with recomputation, except by LitGPT") {
  Request request = tuning("hf peft");
  request.method = workload::Method::qlora;
  request.base_quant = "nf4";
  CHECK(layout_of(request).checkpointing == Checkpointing::full);
  request.framework = "litgpt";
  CHECK(layout_of(request).checkpointing == Checkpointing::none);
}

TEST_CASE("Megatron shards its optimizer over the data-parallel ranks") {
  Request request = tuning("megatron-lm");
  request.task = workload::Task::pretrain;
  CHECK(layout_of(request).zero_stage == 1);
}

TEST_CASE("transformers loads fp32 when it is told no type") {
  Request request = tuning("hf trainer");
  CHECK(resolver().workload(request)->precision == Precision::fp32);
  request.framework = "torchtitan";
  CHECK(resolver().workload(request)->precision == Precision::bf16);
}

TEST_CASE("Ollama serves four-bit weights unless told otherwise") {
  Request request;
  request.dimensions.parameters = 7e9;
  request.engine = "ollama";
  CHECK(resolver().workload(request)->quant.name == "q4_k_m");
}

TEST_CASE("a context that is given is kept, whatever the run writes") {
  Request request;
  request.dimensions.parameters = 7e9;
  request.context = 512;
  request.output_len = 1024;
  CHECK(resolver().workload(request)->context == 512);
  request.context.reset();
  request.input_len = 100;
  CHECK(resolver().workload(request)->context == 1124);
}

TEST_CASE("a cache in a block format takes its scales along") {
  Request request;
  request.dimensions.parameters = 7e9;
  request.kv_dtype = "q8_0";
  CHECK(resolver().workload(request)->kv_bits == 8.5);
  CHECK(resolver().workload(request)->kv_type == units::DataType::int8);
}

TEST_CASE("without a GPU there is still a machine to count for") {
  Request request = tuning("deepspeed");
  request.gpu.clear();
  const auto machine = resolver().machine(request);
  REQUIRE(machine);
  CHECK(machine->gpu == nullptr);
  CHECK(machine->count == 8);
}
