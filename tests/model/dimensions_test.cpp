#include "catch2.hpp"
#include "gpu_advisor/model/reader.hpp"

using namespace gpu_advisor::model;

TEST_CASE("dimensions of a known model give its exact count") {
  const auto model = from_dimensions({.parameters = 6738415616.0,
                                      .layers = 32,
                                      .hidden = 4096,
                                      .heads = 32,
                                      .kv_heads = 32,
                                      .ffn_hidden = 11008,
                                      .vocab = 32000});
  REQUIRE(model);
  CHECK(model->parameters() == 6738415616);
  CHECK(model->main().layer_count() == 32);
  CHECK(model->cache_elements_per_token() == 2 * 32 * 4096);
  CHECK_FALSE(model->dimensions_inferred);
}

TEST_CASE("a count decides between tied and untied, gated and classic") {
  SECTION("tied: Llama 3.2 1B") {
    const auto model = from_dimensions({.parameters = 1235814400.0,
                                        .layers = 16,
                                        .hidden = 2048,
                                        .heads = 32,
                                        .kv_heads = 8,
                                        .ffn_hidden = 8192,
                                        .vocab = 128256});
    REQUIRE(model);
    CHECK(model->parameters() == 1235814400);
    CHECK(model->main().tied_embeddings);
  }
  SECTION("classic: GPT-3") {
    const auto model = from_dimensions({.parameters = 174.6e9,
                                        .layers = 96,
                                        .hidden = 12288,
                                        .heads = 96,
                                        .ffn_hidden = 49152,
                                        .vocab = 50257});
    REQUIRE(model);
    CHECK_FALSE(model->main().layers.front().ffn.gated);
    CHECK(static_cast<double>(model->parameters()) == Catch::Approx(174.6e9).epsilon(0.005));
  }
}

TEST_CASE("a parameter count alone infers dimensions and says so") {
  for (const double count : {1.24e8, 1e9, 3e9, 7e9, 13e9, 34e9, 70e9, 180e9, 405e9, 1e12}) {
    CAPTURE(count);
    const auto model = from_dimensions({.parameters = count});
    REQUIRE(model);
    CHECK(static_cast<double>(model->parameters()) == Catch::Approx(count).epsilon(1e-6));
    CHECK(model->dimensions_inferred);
    CHECK_FALSE(model->assumptions.empty());
    CHECK(model->kv_uncertainty >= 1);
  }
}

TEST_CASE("inferred heads divide by the tensor-parallel degrees that people use") {
  for (const double billions : {7.0, 20.0, 50.0, 110.0, 180.0, 300.0}) {
    CAPTURE(billions);
    Dimensions size;
    size.parameters = billions * 1e9;
    const auto inferred = from_dimensions(size);
    REQUIRE(inferred);
    CHECK(inferred->main().layers.front().attention.heads % 8 == 0);
  }
}

TEST_CASE("total and active parameters infer a mixture of experts") {
  const auto model = from_dimensions({.parameters = 30e9, .active_parameters = 3e9});
  REQUIRE(model);
  CHECK(model->arch == Arch::moe);
  CHECK(model->active_parameters() == Catch::Approx(3e9).epsilon(0.25));
  CHECK(static_cast<double>(model->parameters()) == Catch::Approx(30e9).epsilon(1e-6));
}

TEST_CASE("vision models without layers become one aggregate") {
  const auto model = from_dimensions({.arch = Arch::cnn,
                                      .parameters = 25.6e6,
                                      .gmacs = 4.1,
                                      .activations_m = 11.1,
                                      .resolution = 224});
  REQUIRE(model);
  REQUIRE(model->main().aggregate);
  CHECK(model->main().aggregate->convolutional);
  CHECK(model->parameters() == 25600000);
  CHECK(model->main().layers.empty());
}

TEST_CASE("absurd or missing dimensions are refused") {
  CHECK_FALSE(from_dimensions({}));
  CHECK_FALSE(from_dimensions({.layers = 32}));
  CHECK_FALSE(from_dimensions({.parameters = -1}));
  CHECK_FALSE(from_dimensions({.parameters = 7e9, .layers = 100000000}));
  const auto model = from_dimensions({.layers = 10000, .hidden = 1000000, .ffn_hidden = 10000000});
  REQUIRE_FALSE(model);
  CHECK(model.error().code == gpu_advisor::support::ErrorCode::out_of_range);
}
