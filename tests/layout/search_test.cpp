#include "gpu_advisor/layout/search.hpp"

#include <algorithm>

#include "catch2.hpp"

namespace {

using namespace gpu_advisor;

/// A decoder with `heads` query and `kv_heads` key heads; the weights do not matter for legality.
workload::Workload decoder(int layers, int heads, int kv_heads, int experts = 0) {
  model::LayerGroup group;
  group.count = layers;
  group.attention.kind = model::AttentionKind::full;
  group.attention.heads = heads;
  group.attention.kv_heads = kv_heads;
  group.attention.key_dim = group.attention.value_dim = 128;
  group.ffn.experts = experts;
  model::Stack stack;
  stack.hidden = heads * 128;
  stack.layers = {group};
  workload::Workload workload;
  workload.model.stacks = {stack};
  return workload;
}

workload::Machine machine(const catalog::Accelerator& gpu, int count, int nodes = 1) {
  workload::Machine made;
  made.gpu = &gpu;
  made.count = count;
  made.nodes = nodes;
  return made;
}

bool offers_tp(const layout::Layouts& layouts, int tp) {
  return std::ranges::any_of(layouts.legal, [tp](const workload::Layout& l) { return l.tp == tp; });
}

const catalog::Accelerator kGpu{};

}  // namespace

TEST_CASE("the degrees of every legal layout multiply to the GPU count") {
  for (const int gpus : {1, 2, 3, 4, 6, 8, 12}) {
    const auto layouts = layout::enumerate(decoder(32, 32, 8), machine(kGpu, gpus), {});
    REQUIRE_FALSE(layouts.legal.empty());
    for (const workload::Layout& found : layouts.legal)
      CHECK(found.gpus() == gpus);
  }
}

TEST_CASE("tensor parallelism divides the heads, and six GPUs do not divide 32 of them") {
  const auto layouts = layout::enumerate(decoder(32, 32, 8), machine(kGpu, 6), {});
  CHECK(offers_tp(layouts, 2));
  CHECK_FALSE(offers_tp(layouts, 3));
  CHECK_FALSE(offers_tp(layouts, 6));
  const auto refused =
      std::ranges::find(layouts.refused, "heads_not_divisible", &layout::Refusal::reason);
  REQUIRE(refused != layouts.refused.end());
  CHECK(refused->count == 2);
}

TEST_CASE("key heads are replicated where the degree is a multiple of them") {
  const auto layouts = layout::enumerate(decoder(28, 28, 4), machine(kGpu, 28), {});
  CHECK(offers_tp(layouts, 28));
  CHECK(offers_tp(layouts, 4));
  CHECK_FALSE(offers_tp(layouts, 7));  // 4 key heads neither divide by 7 nor 7 by 4
}

TEST_CASE("tensor parallelism stays within a node") {
  const auto layouts = layout::enumerate(decoder(80, 64, 8), machine(kGpu, 16, 2), {});
  CHECK(offers_tp(layouts, 8));
  CHECK_FALSE(offers_tp(layouts, 16));
  layout::Limits fixed;
  fixed.tp = 16;
  const auto forced = layout::enumerate(decoder(80, 64, 8), machine(kGpu, 16, 2), fixed);
  CHECK(forced.legal.empty());
  REQUIRE(forced.refused.size() == 1);
  CHECK(forced.refused.front().reason == "tensor_parallel_beyond_node");
}

TEST_CASE("what the user fixed stays fixed") {
  layout::Limits fixed;
  fixed.tp = 2;
  fixed.dp = 4;
  const auto layouts = layout::enumerate(decoder(32, 32, 8), machine(kGpu, 8), fixed);
  REQUIRE(layouts.legal.size() == 1);
  CHECK(layouts.legal.front().tp == 2);
  CHECK(layouts.legal.front().dp == 4);
}

TEST_CASE("expert parallelism divides the experts") {
  layout::Limits fixed;
  fixed.ep = 3;
  const auto layouts = layout::enumerate(decoder(32, 32, 8, 8), machine(kGpu, 6), fixed);
  CHECK(layouts.legal.empty());
}

TEST_CASE("training keeps the global batch and refuses more replicas than samples") {
  workload::Workload training = decoder(32, 32, 8);
  training.task = workload::Task::finetune;
  training.global_batch = 4;
  layout::Limits pure_data;
  pure_data.tp = 1;
  const auto eight = layout::enumerate(training, machine(kGpu, 8), pure_data);
  CHECK(eight.legal.empty());
  const auto two = layout::enumerate(training, machine(kGpu, 2), pure_data);
  REQUIRE_FALSE(two.legal.empty());
  for (const workload::Layout& found : two.legal)
    CHECK(found.micro_batch * found.grad_accum * found.dp == 4);
}

TEST_CASE("a frozen base is replicated or fully sharded, never sharded by its optimizer alone") {
  workload::Workload training = decoder(32, 32, 8);
  training.task = workload::Task::finetune;
  training.method = workload::Method::lora;
  const auto layouts = layout::enumerate(training, machine(kGpu, 4), {});
  for (const workload::Layout& found : layouts.legal)
    CHECK((found.zero_stage == 0 || found.zero_stage == 3));
}

TEST_CASE(
    "adapters are trained on whole matrices: no tensor parallelism unless the user fixes it") {
  workload::Workload training = decoder(32, 32, 8);
  training.task = workload::Task::finetune;
  training.method = workload::Method::qlora;
  const auto layouts = layout::enumerate(training, machine(kGpu, 8), {});
  CHECK_FALSE(offers_tp(layouts, 2));
  layout::Limits fixed;
  fixed.tp = 2;
  CHECK(offers_tp(layout::enumerate(training, machine(kGpu, 8), fixed), 2));
}
