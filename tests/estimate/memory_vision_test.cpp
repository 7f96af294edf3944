#include "catch2.hpp"
#include "estimate/questions.hpp"

using namespace gpu_advisor;
using tests::Case;

namespace {

double in_gib(units::Bytes size) {
  return size / units::gib(1);
}

/// ResNet-50 as its published totals tell it: 25.56e6 parameters, 11.1e6 activations at 224 pixels.
Case convolutional(workload::Task task) {
  model::Stack stack;
  stack.role = model::StackRole::vision;
  stack.aggregate = model::Aggregate{
      .gmacs = 4.1, .activations_m = 11.1, .resolution = 224, .convolutional = true};
  stack.aggregate_parameters = 25557032;
  Case made;
  made.work.model.arch = model::Arch::cnn;
  made.work.model.stacks = {stack};
  made.work.task = task;
  made.work.precision = workload::Precision::fp32;
  made.work.optimizer = "sgd";
  made.work.framework = "pytorch";
  made.work.quant = *units::find_quantisation("fp16");
  made.work.resolution = 224;
  made.layout.micro_batch = 64;
  return made;
}

}  // namespace

TEST_CASE("a convolutional network keeps its outputs twice, in the type of the run") {
  Case made = convolutional(workload::Task::vision_train);
  // 64 samples x 11.1e6 outputs x 2 x 4 bytes
  CHECK(in_gib(made.memory().parts.activations) ==
        Catch::Approx(64 * 11.1e6 * 8 / units::gib(1).base()).epsilon(0.06));
  const double wide = in_gib(made.memory().parts.activations);
  made.work.precision = workload::Precision::amp_fp16;
  CHECK(in_gib(made.memory().parts.activations) == Catch::Approx(wide / 2).epsilon(0.01));
}

TEST_CASE("activations of pictures grow with their area") {
  Case made = convolutional(workload::Task::vision_train);
  const double small = in_gib(made.memory().parts.activations);
  made.work.resolution = 448;
  CHECK(in_gib(made.memory().parts.activations) == Catch::Approx(4 * small).epsilon(0.01));
}

TEST_CASE("classifying pictures needs a fraction of what training on them does") {
  const double training = convolutional(workload::Task::vision_train).gib();
  Case made = convolutional(workload::Task::vision_inference);
  made.work.concurrency = 64;
  CHECK(made.gib() < training / 3);
}

TEST_CASE("a GGUF file quantises the network of a pipeline and not its text encoder") {
  Case made = convolutional(workload::Task::diffusion_inference);
  model::Stack denoiser;
  denoiser.role = model::StackRole::denoiser;
  denoiser.aggregate_parameters = 12000000000;
  denoiser.aggregate = model::Aggregate{};
  model::Stack text;
  text.role = model::StackRole::text_encoder;
  text.aggregate_parameters = 4700000000;
  text.aggregate = model::Aggregate{};
  made.work.model.stacks = {denoiser, text};
  made.work.resolution = 1024;
  made.work.quant = *units::find_quantisation("q8_0");
  CHECK(in_gib(made.memory().parts.weights) ==
        Catch::Approx((12e9 * 8.5 / 8 + 4.7e9 * 2) / units::gib(1).base()).epsilon(0.01));
  made.work.quant = *units::find_quantisation("fp8");
  CHECK(in_gib(made.memory().parts.weights) ==
        Catch::Approx((12e9 + 4.7e9) / units::gib(1).base()).epsilon(0.01));
}
