#include <set>

#include "catch2.hpp"
#include "gpu_advisor/model/reader.hpp"
#include "gpu_advisor/support/json.hpp"
#include "model/families/family_internal.hpp"
#include "model/hf_config_internal.hpp"

// Configs with their counts: tests/fixtures/models/configs.json. Where a repository publishes the
// count (safetensors metadata, an index, file sizes), "published" is that number.

using namespace gpu_advisor;
using support::ErrorCode;
using support::Json;
using support::MemoryFiles;

namespace {

const Json& fixtures() {
  static const Json json = [] {
    const auto files = support::disk_files();
    const std::string path = GPU_ADVISOR_SOURCE_DIR "/tests/fixtures/models/configs.json";
    return support::parse_json(files->read(path, 1U << 24U).value(), path).value();
  }();
  return json;
}

support::Result<model::ModelSpec> read(const std::string& text) {
  return model::read_model(MemoryFiles({{"config.json", text}}), "config.json");
}

}  // namespace

TEST_CASE("configs of every family give their parameter count") {
  for (const Json& row : fixtures().at("rows")) {
    CAPTURE(row.at("name").get<std::string>());
    const auto model = model::model_from_config(row.at("config"), "config.json");
    REQUIRE(model);
    CHECK(model->parameters() == row.at("parameters").get<std::int64_t>());
    CHECK(model->active_parameters() == Catch::Approx(row.at("active").get<double>()));
    const auto published = row.at("published").get<double>();
    if (published > 0) {
      const auto draft = static_cast<double>(model->draft_parameters.value_or(0));
      const auto ours = static_cast<double>(model->parameters());
      CHECK((published == Catch::Approx(ours).epsilon(0.005) ||
             published == Catch::Approx(ours + draft).epsilon(0.005)));
    }
    if (row.contains("quantisation")) {
      REQUIRE(model->quantisation);
      CHECK(model->quantisation->canonical == row.at("quantisation").get<std::string>());
    }
  }
}

TEST_CASE("no family stands twice in the table") {
  std::set<std::string_view> bases;
  for (const model::FamilyRow& row : model::family_rows()) {
    CAPTURE(row.base, row.model_type);
    CHECK((row.base.empty() || bases.insert(row.base).second));
    CHECK(row.read != nullptr);
  }
}

TEST_CASE("an unknown architecture with the usual keys is a plain transformer and says so") {
  const auto model = read(
      R"({"architectures": ["FutureForCausalLM"], "hidden_size": 64, "num_hidden_layers": 2,
          "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 100})");
  REQUIRE(model);
  CHECK(model->basis == model::ParameterBasis::inferred);
  CHECK_FALSE(model->assumptions.empty());
}

TEST_CASE("a config without dimensions is refused") {
  const auto model = read(R"({"architectures": ["FutureModel"], "foo": 1})");
  REQUIRE_FALSE(model);
  CHECK(model.error().code == ErrorCode::unsupported_model);
}

TEST_CASE("absurd dimensions are refused with their place") {
  const std::string head =
      R"({"model_type": "llama", "num_attention_heads": 4, "vocab_size": 100, )";
  const auto negative = read(head + R"("hidden_size": 64, "num_hidden_layers": -1})");
  REQUIRE_FALSE(negative);
  CHECK(negative.error().code == ErrorCode::out_of_range);
  CHECK(negative.error().location.pointer == "/num_hidden_layers");
  CHECK_FALSE(read(head + R"("hidden_size": 64, "num_hidden_layers": 100000000})"));
  CHECK_FALSE(read(head + R"("hidden_size": 1e300, "num_hidden_layers": 2})"));
  CHECK_FALSE(read(head + R"("hidden_size": "64", "num_hidden_layers": 2})"));
  const auto wide = read(
      R"({"model_type": "qwen3_moe", "hidden_size": 1048576, "num_hidden_layers": 16384,
          "num_attention_heads": 1048576, "head_dim": 1048576, "num_experts": 1048576,
          "moe_intermediate_size": 1048576, "vocab_size": 67108864})");
  REQUIRE_FALSE(wide);
  CHECK(wide.error().code == ErrorCode::out_of_range);
}

TEST_CASE("Python's Infinity in a config does no harm") {
  const auto model = read(
      R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "vocab_size": 100,
          "num_attention_heads": 4, "time_step_limit": [0.0, Infinity], "note": "Infinity"})");
  CHECK(model);
}

TEST_CASE("quantisation beside a config is found") {
  const std::string config =
      R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "vocab_size": 100,
          "num_attention_heads": 4})";
  const auto model = model::read_model(
      MemoryFiles({{"m/config.json", config},
                   {"m/hf_quant_config.json",
                    R"({"quantization": {"quant_algo": "FP8", "kv_cache_quant_algo": "FP8"}})"}}),
      "m");
  REQUIRE(model);
  REQUIRE(model->quantisation);
  CHECK(model->quantisation->canonical == "fp8");
  CHECK(model->quantisation->kv_cache == "fp8");
}

TEST_CASE("a diffusers folder lists its parts, the denoiser first") {
  const std::string clip =
      R"({"architectures": ["CLIPTextModel"], "hidden_size": 768, "intermediate_size": 3072,
          "num_attention_heads": 12, "num_hidden_layers": 12, "vocab_size": 49408,
          "max_position_embeddings": 77})";
  const std::string vae =
      R"({"_class_name": "AutoencoderKL", "block_out_channels": [128, 256, 512, 512],
          "in_channels": 3, "out_channels": 3, "latent_channels": 4, "layers_per_block": 2})";
  const std::string unet =
      R"({"_class_name": "UNet2DConditionModel", "block_out_channels": [320, 640, 1280, 1280],
          "cross_attention_dim": 768, "in_channels": 4, "out_channels": 4, "layers_per_block": 2,
          "down_block_types": ["CrossAttnDownBlock2D", "CrossAttnDownBlock2D",
                               "CrossAttnDownBlock2D", "DownBlock2D"],
          "up_block_types": ["UpBlock2D", "CrossAttnUpBlock2D", "CrossAttnUpBlock2D",
                             "CrossAttnUpBlock2D"]})";
  const std::string index =
      R"({"_class_name": "StableDiffusionPipeline", "unet": ["diffusers", "UNet2DConditionModel"],
          "text_encoder": ["transformers", "CLIPTextModel"],
          "vae": ["diffusers", "AutoencoderKL"]})";
  const auto model = model::read_model(MemoryFiles({{"p/model_index.json", index},
                                                    {"p/unet/config.json", unet},
                                                    {"p/vae/config.json", vae},
                                                    {"p/text_encoder/config.json", clip}}),
                                       "p");
  REQUIRE(model);
  REQUIRE(model->stacks.size() == 3);
  CHECK(model->main().role == model::StackRole::denoiser);
  CHECK(model->stacks[0].parameters() == 859520964);  // published: 860 M
  CHECK(model->stacks[1].parameters() == 123060480);
  CHECK(model->stacks[2].parameters() == 83653863);  // published: 83.65 M
}

TEST_CASE("a sentence-transformers folder is an embedding model") {
  const std::string bert =
      R"({"architectures": ["BertModel"], "model_type": "bert", "hidden_size": 384,
          "intermediate_size": 1536, "num_attention_heads": 12, "num_hidden_layers": 6,
          "vocab_size": 30522, "max_position_embeddings": 512, "type_vocab_size": 2})";
  const std::string modules =
      R"([{"path": "", "type": "sentence_transformers.models.Transformer"},
          {"path": "2_Dense", "type": "sentence_transformers.models.Dense"}])";
  const auto model = model::read_model(
      MemoryFiles({{"s/config.json", bert},
                   {"s/modules.json", modules},
                   {"s/2_Dense/config.json", R"({"in_features": 384, "out_features": 128})"}}),
      "s");
  REQUIRE(model);
  CHECK(model->modality == "embedding");
  CHECK(model->parameters() == 22713216 + 384 * 128 + 128);
}
