#include "catch2.hpp"
#include "estimate/questions.hpp"

using namespace gpu_advisor;
using tests::Case;

namespace {

/// Figures of an A100's data sheet.
Case on_a_card(Case made) {
  catalog::Accelerator& gpu = made.gpu;
  gpu.name = "test GPU";
  gpu.bandwidth = units::gb_per_second(2039);
  gpu.fp32_vector = units::tflops_per_second(19.5);
  gpu.tf32_matrix = units::tflops_per_second(156);
  gpu.fp16_matrix = gpu.bf16_matrix = units::tflops_per_second(312);
  gpu.tensor_cores = 432;
  gpu.sms = 108;
  gpu.link = catalog::LinkKind::nvlink;
  gpu.link_bandwidth = units::gb_per_second(600);
  made.work.engine = "vllm";
  made.work.input_len = 512;
  made.work.output_len = 128;
  return made;
}

estimate::Estimate answer(const Case& made, catalog::NodeLink link = catalog::NodeLink::nvlink) {
  const auto operations = ops::describe(made.work.model);
  workload::Machine machine;
  machine.gpu = &made.gpu;
  machine.count = made.layout.gpus();
  machine.link = link;
  return estimate::estimate({made.work, operations, machine, made.layout, made.calibration});
}

double decoding(const Case& made) {
  return answer(made).inference->decode_tok_s_per_request->value;
}

}  // namespace

TEST_CASE("decoding never beats the memory") {
  const Case made = on_a_card(tests::serving());
  const double weights = static_cast<double>(made.work.model.parameters()) * 2;
  CHECK(decoding(made) < 2039e9 / weights * 1.1);  // an input embedding is looked up, not read
}

TEST_CASE("a prompt never beats the peak") {
  const Case made = on_a_card(tests::serving());
  const auto operations = ops::describe(made.work.model);
  const double flops = operations.forward_flops_per_token(256);
  CHECK(answer(made).inference->prefill_tok_s->value < 312e12 / flops * 1.1);
}

TEST_CASE("utilisation stays below four fifths") {
  const Case made = on_a_card(tests::training());
  CHECK(answer(made).training->mfu.value > 0);
  CHECK(answer(made).training->mfu.value < 0.8);
}

TEST_CASE("more bandwidth alone never costs speed") {
  Case serving = on_a_card(tests::serving()), training = on_a_card(tests::training());
  double decoded = 0, trained = 0;
  for (const double rate : {300.0, 900.0, 2039.0, 3350.0, 8000.0}) {
    serving.gpu.bandwidth = training.gpu.bandwidth = units::gb_per_second(rate);
    CHECK(decoding(serving) >= decoded);
    CHECK(answer(training).training->tokens_per_s_per_gpu.value >= trained);
    decoded = decoding(serving);
    trained = answer(training).training->tokens_per_s_per_gpu.value;
  }
}

TEST_CASE("a longer prompt takes longer to the first token") {
  Case made = on_a_card(tests::serving());
  double before = 0;
  for (const int length : {16, 128, 1024, 8192, 32768}) {
    made.work.input_len = length;
    const double now = answer(made).inference->ttft_ms->value;
    CHECK(now > before);
    before = now;
  }
}

TEST_CASE("a faster link never slows a step") {
  Case made = on_a_card(tests::training());
  for (const int zero : {0, 3}) {
    made.layout.dp = 4;
    made.layout.tp = 2;
    made.layout.zero_stage = zero;
    const auto slow = answer(made, catalog::NodeLink::pcie).training->step_time.value;
    const auto fast = answer(made, catalog::NodeLink::nvlink).training->step_time.value;
    CHECK(fast <= slow);
  }
}
