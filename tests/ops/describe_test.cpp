#include "catch2.hpp"
#include "gpu_advisor/ops/operation.hpp"
#include "ops/models.hpp"

using namespace gpu_advisor;
using Catch::Approx;

TEST_CASE("operations add up to the exact parameter count") {
  const auto list = ops::describe(tests::llama_like());
  CHECK(list.parameters() == 6738415616);  // Llama-2-7B, as its checkpoint's index says
}

TEST_CASE("a tied head multiplies but counts no parameters") {
  model::ModelSpec model = tests::llama_like();
  const auto untied = ops::describe(model);
  model.stacks[0].outside[2].tied = true;
  const auto tied = ops::describe(model);
  CHECK(untied.parameters() - tied.parameters() == 32000 * 4096);
  CHECK(untied.forward_flops_per_token(0) == tied.forward_flops_per_token(0));
}

TEST_CASE("a forward pass takes two operations per matrix element and token") {
  const auto list = ops::describe(tests::llama_like());
  const double matrices = 6738415616.0 - 32000.0 * 4096 - 65.0 * 4096;
  CHECK(list.forward_flops_per_token(0) == Approx(2 * matrices));
  const double attention = list.forward_flops_per_token(1000) - list.forward_flops_per_token(0);
  CHECK(attention == Approx(4.0 * 32 * 4096 * 1000));  // scores and values
}

TEST_CASE("only the chosen experts work but all are stored") {
  const auto list =
      ops::describe(tests::llama_like({.kv_heads = 8, .ffn = 14336, .experts = 8, .top_k = 2}));
  CHECK(list.parameters() == 46702792704);  // Mixtral 8x7B
  CHECK(list.active_parameters() == Approx(12.88e9).epsilon(0.01));
}

TEST_CASE("a window bounds the context that a token looks at") {
  model::ModelSpec model = tests::llama_like();
  model.stacks[0].layers[0].attention.window = 100;
  const auto list = ops::describe(model);
  CHECK(list.forward_flops_per_token(5000) == list.forward_flops_per_token(100));
}

TEST_CASE("a gated layer keeps the tensors that its backward pass reads") {
  const auto list = ops::describe(tests::llama_like());
  double elements = 0;
  for (const auto& tensor : list.saved) {
    if (tensor.kind != ops::SavedKind::scores) {
      elements += tensor.elements_per_token;
    }
  }
  // Two norm inputs, two product inputs, q, k, v and output; gate, its activation, up, product.
  CHECK(elements == Approx(8 * 4096 + 4 * 11008));
}

TEST_CASE("an aggregate is one operation with the published totals") {
  model::ModelSpec model;
  model::Stack stack;
  stack.aggregate = model::Aggregate{.gmacs = 4.1, .activations_m = 11.1, .resolution = 224};
  stack.aggregate_parameters = 25557032;
  model.stacks = {stack};
  const auto list = ops::describe(model);
  REQUIRE(list.operations.size() == 1);
  CHECK(list.parameters() == 25557032);
  CHECK(list.operations[0].flops_per_token == Approx(8.2e9));
}
