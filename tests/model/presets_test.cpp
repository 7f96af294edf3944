#include "gpu_advisor/model/presets.hpp"

#include <map>

#include "catch2.hpp"
#include "gpu_advisor/support/embedded.hpp"
#include "model/preset_file_internal.hpp"

using namespace gpu_advisor;
using model::PresetLibrary;
using model::PresetSummary;
using support::ErrorCode;
using support::MemoryFiles;

namespace {

const PresetLibrary& library() {
  static const PresetLibrary presets = PresetLibrary::load(MemoryFiles({}), {}).value();
  return presets;
}

std::string id_of(std::string_view name) {
  const auto found = library().resolve(name);
  return found ? found->id : found.error().to_text();
}

std::int64_t sum(const model::ModelSpec& spec) {
  std::int64_t total = 0;
  for (const model::Stack& stack : spec.stacks) {
    for (const model::Weight& weight : stack.outside) {
      total += weight.tied ? 0 : weight.rows * weight.cols * weight.copies;
    }
    for (const model::LayerGroup& group : stack.layers) {
      for (const model::Weight& weight : group.weights) {
        total += weight.tied ? 0 : group.count * weight.rows * weight.cols * weight.copies;
      }
    }
    if (stack.layers.empty() && stack.outside.empty()) {
      total += stack.aggregate_parameters.value_or(0);
    }
  }
  return total;
}

}  // namespace

TEST_CASE("every embedded preset passes the strict reader") {
  std::size_t rows = 0;
  for (const support::EmbeddedFile& file : support::embedded_files()) {
    if (file.path.starts_with("models/")) {
      const auto strict = model::read_presets(std::string(file.path), file.content);
      REQUIRE(strict);
      rows += strict->size();
    }
  }
  CHECK(rows == library().summaries().size());
  CHECK(rows >= 416);
}

TEST_CASE("presets build, and their weights sum up to their count") {
  std::size_t refused = 0;
  std::size_t exact = 0;
  for (const PresetSummary& summary : library().summaries()) {
    CAPTURE(summary.id);
    const auto spec = library().build(summary.id);
    if (!spec) {  // nothing is known of its size
      CHECK(summary.parameters == 0);
      ++refused;
      continue;
    }
    CHECK(spec->parameters() == sum(*spec));
    CHECK(spec->id == summary.id);
    exact +=
        spec->published_parameters && spec->parameters() == *spec->published_parameters ? 1 : 0;
  }
  CHECK(refused == 0);
  CHECK(exact >= 330);
}

TEST_CASE("names that people use find their preset") {
  const std::map<std::string, std::string> names{
      {"meta-llama/Llama-2-7b-hf", "meta-llama/Llama-2-7b-hf"},
      {"LLaMA2-7B", "meta-llama/Llama-2-7b-hf"},
      {"Llama 2 7 B", "meta-llama/Llama-2-7b-hf"},
      {"NousResearch/Llama-2-7b-hf", "meta-llama/Llama-2-7b-hf"},
      {"Llama-3-8B", "meta-llama/Meta-Llama-3-8B"},
      {"LLaMA 3 8B", "meta-llama/Meta-Llama-3-8B"},
      {"llama3.1:8b-instruct-q4_K_M", "meta-llama/Llama-3.1-8B"},
      {"Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf", "meta-llama/Llama-3.1-8B"},
      {"LLaMA-7B", "huggyllama/llama-7b"},
      {"Qwen2.5-7B-Instruct-AWQ", "Qwen/Qwen2.5-7B-Instruct"},
      {"resnet50", "timm/resnet50"},
      {"ResNet-50", "timm/resnet50"},
      {"SDXL", "stabilityai/stable-diffusion-xl-base-1.0"},
      {"Mixtral 8x7B", "mistralai/Mixtral-8x7B-v0.1"},
      {"gpt2", "openai-community/gpt2"},
      {"bert-large-uncased", "google-bert/bert-large-uncased"},
      {"BERT-large", "google-bert/bert-large-uncased"},
      {"gpt-oss:20b", "openai/gpt-oss-20b"},
      {"phi-2", "microsoft/phi-2"},
      {"Falcon-180B", "tiiuae/falcon-180B"},
  };
  for (const auto& [name, id] : names) {
    CAPTURE(name);
    CHECK(id_of(name) == id);
  }
}

TEST_CASE("a quantisation in a name is understood") {
  CHECK(library().resolve("Qwen2.5-7B-Instruct-AWQ")->quantisation == "awq-int4");
  CHECK(library().resolve("llama3.1:8b-instruct-q4_K_M")->quantisation == "q4_k_m");
  CHECK(library().resolve("Llama-2-7b-hf")->quantisation.empty());
}

TEST_CASE("a size that no preset has is never another size") {
  CHECK_FALSE(library().resolve("Llama-2-17B"));
  CHECK_FALSE(library().resolve("Qwen3-9B"));
  CHECK_FALSE(library().resolve("ResNet-200"));
}

TEST_CASE("an unknown name lists the nearest, an open one its choices") {
  const auto unknown = library().resolve("Lama-2-7b");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().code == ErrorCode::unknown_name);
  CHECK(unknown.error().hint.find("Llama-2-7b") != std::string::npos);
  const auto open = library().resolve("Llama-2");
  REQUIRE_FALSE(open);
  CHECK(open.error().code == ErrorCode::ambiguous_name);
  CHECK(open.error().message.find("meta-llama/Llama-2-70b-hf") != std::string::npos);
}

TEST_CASE("an overlay adds and replaces presets, a broken one names its place") {
  const std::string head = R"({"schema": "gpu-advisor/models@1", "rows": [)";
  const auto good = PresetLibrary::load(
      MemoryFiles(
          {{"o/models/own.json",
            head + R"({"id": "me/tiny", "modality": "text", "parameters": 1000000000}]})"}}),
      {"o"});
  REQUIRE(good);
  CHECK(good->resolve("tiny")->id == "me/tiny");
  CHECK(good->build("me/tiny")->parameters() == 1000000000);
  const auto broken = PresetLibrary::load(
      MemoryFiles({{"o/models/own.json",
                    head + R"({"id": "me/tiny", "modality": "text", "paramters": 1}]})"}}),
      {"o"});
  REQUIRE_FALSE(broken);
  CHECK(broken.error().code == ErrorCode::unknown_key);
  CHECK(broken.error().location.file == "o/models/own.json");
}
