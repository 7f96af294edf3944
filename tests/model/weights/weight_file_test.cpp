#include "gpu_advisor/model/weight_file.hpp"

#include <algorithm>
#include <map>

#include "catch2.hpp"
#include "weight_bytes.hpp"

using namespace gpu_advisor;
using namespace gpu_advisor::model;
using namespace gpu_advisor::model::test;
using support::ErrorCode;
using support::MemoryFiles;

namespace {

using Files = std::map<std::string, std::string>;

constexpr const char* kIndex = "d/model.safetensors.index.json";

support::Result<ModelSpec> read_index(const std::string& text) {
  return read_weight_file(MemoryFiles({{kIndex, text}}), kIndex);
}

/// An index of a transformer of two layers, with this metadata.
std::string index(const std::string& metadata) {
  return R"({"metadata":)" + metadata +
         R"(,"weight_map":{"model.layers.0.self_attn.q_proj.weight":"a.safetensors",)"
         R"("model.layers.1.self_attn.q_proj.weight":"a.safetensors"}})";
}

bool says(const std::vector<std::string>& notes, std::string_view part) {
  return std::ranges::any_of(
      notes, [part](const std::string& note) { return note.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("an index alone gives its size, and the count that 16 bits make of it") {
  const auto spec = read_index(index(R"({"total_size": 2000000000})"));
  REQUIRE(spec);
  CHECK(spec->source == "safetensors-index");
  CHECK(spec->basis == ParameterBasis::inferred);
  CHECK(spec->stored->tensors == 2);
  CHECK(spec->stored->bytes == units::bytes(2e9));
  CHECK(spec->parameters() == 1'000'000'000);
  CHECK(spec->main().layer_count() == 2);
  CHECK(says(spec->assumptions, "16 bits taken"));
}

TEST_CASE("an index that counts its parameters is believed") {
  const auto spec =
      read_index(index(R"({"total_size": 2000000000, "total_parameters": 999999999})"));
  REQUIRE(spec);
  CHECK(spec->basis == ParameterBasis::stored);
  CHECK(spec->parameters() == 999'999'999);
}

TEST_CASE("sizes of other types are read, and said") {
  const auto fraction = read_index(index(R"({"total_size": 2000000000.0})"));
  REQUIRE(fraction);
  CHECK(fraction->stored->bytes == units::bytes(2e9));
  CHECK(says(fraction->warnings, "fraction"));
  const auto text = read_index(index(R"({"total_size": "2000000000"})"));
  REQUIRE(text);
  CHECK(text->stored->bytes == units::bytes(2e9));
  CHECK(says(text->warnings, "text"));
}

TEST_CASE("without shards and without a usable size nothing can be said") {
  for (const char* metadata : {R"({"total_size": 0})", "{}", R"({"total_size": -5})",
                               R"({"total_size": 1e300})", R"({"total_size": "much"})"}) {
    CAPTURE(metadata);
    const auto spec = read_index(index(metadata));
    REQUIRE_FALSE(spec);
    CHECK(spec.error().code == ErrorCode::unsupported_model);
    CHECK(spec.error().message.find("2 tensors in 1 files") != std::string::npos);
    CHECK(spec.error().location.pointer == "/metadata/total_size");
  }
}

TEST_CASE("shards beside the index decide, whatever its size says") {
  SafetensorsHeader shard;
  shard.bf16("model.layers.0.self_attn.q_proj.weight", {64, 64})
      .bf16("model.layers.1.self_attn.q_proj.weight", {64, 64});
  for (const char* metadata : {R"({"total_size": 0})", R"({"total_size": 77})", "{}"}) {
    const MemoryFiles files({{kIndex, index(metadata)}, {"d/a.safetensors", shard.file()}});
    const auto spec = read_weight_file(files, kIndex);
    REQUIRE(spec);
    CHECK(spec->parameters() == 2 * 64 * 64);
    CHECK(spec->stored->bytes == units::bytes(2 * 2 * 64 * 64));
    CHECK(says(spec->warnings, "total_size"));
  }
}

TEST_CASE("shards that cannot be read inside count by their files") {
  const std::string text =
      R"({"metadata":{"total_size":500},"weight_map":{"h.0.attn.c_attn.weight":"a.bin"}})";
  const MemoryFiles files(
      {{"d/pytorch_model.bin.index.json", text}, {"d/a.bin", std::string(400, 'x')}});
  const auto spec = read_weight_file(files, "d/pytorch_model.bin.index.json");
  REQUIRE(spec);
  CHECK(spec->source == "pytorch-index");
  CHECK(spec->stored->bytes == units::bytes(400));
  CHECK(says(spec->warnings, "more than its files hold"));
}

TEST_CASE("two documents glued together are no index") {
  const std::string one = R"({"weight_map":{"a":"b.bin"}})";
  const auto spec = read_index(one + "\n" + one);
  REQUIRE_FALSE(spec);
  CHECK(spec.error().code == ErrorCode::malformed_json);
  CHECK(spec.error().location.offset.value() >= one.size());
}

TEST_CASE("an index is refused where it is none") {
  const auto code = [](const std::string& text) { return read_index(text).error().code; };
  CHECK(code("{}") == ErrorCode::malformed_weights);
  CHECK(code(R"({"weight_map": {}})") == ErrorCode::malformed_weights);
  CHECK(code(R"({"weight_map": {"a": 3}})") == ErrorCode::malformed_weights);
  CHECK(code(R"({"weight_map": {"a": {"b": "c"}}})") == ErrorCode::malformed_weights);
  CHECK(code(R"({"weight_map": {"a": "../secret"}})") == ErrorCode::malformed_weights);
  CHECK(code(R"({"weight_map": {"a": "b", "a": "b"}})") == ErrorCode::malformed_weights);
  CHECK(code("[]") == ErrorCode::malformed_weights);
  CHECK(code("") == ErrorCode::malformed_json);
  CHECK(code(R"({"weight_map":)" + std::string(10000, '[')) == ErrorCode::malformed_weights);
}

TEST_CASE("files of other kinds are named for what they are") {
  const auto read = [](const std::string& name, const std::string& bytes) {
    return read_weight_file(MemoryFiles(Files{{name, bytes}}), name).error();
  };
  CHECK(read("m.bin", std::string("PK\x03\x04", 4)).message.find("PyTorch") != std::string::npos);
  CHECK(read("m.bin", "tjgg....").message.find("before GGUF") != std::string::npos);
  CHECK(read("m.pt", "\x80\x02xx").code == ErrorCode::unsupported_model);
  CHECK(read("m.safetensors", "tjgg").code == ErrorCode::malformed_weights);
  CHECK(read_weight_file(MemoryFiles(Files{}), "m.gguf").error().code == ErrorCode::file_not_found);
}

TEST_CASE("a folder's weights are found, and several sets are a question") {
  SafetensorsHeader file;
  file.bf16("model.layers.0.mlp.down_proj.weight", {32, 64});
  const auto none = read_weight_folder(MemoryFiles(Files{{"d/readme.md", "x"}}), "d");
  REQUIRE(none);
  CHECK_FALSE(none->has_value());
  const MemoryFiles usual(
      {{"d/model.safetensors", file.file()}, {"d/consolidated.safetensors", file.file()}});
  const auto found = read_weight_folder(usual, "d");
  REQUIRE(found);
  REQUIRE(found->has_value());
  CHECK((*found)->parameters() == 32 * 64);
  const MemoryFiles several({{"d/m-q4.gguf", GgufFile().file()}, {"d/m-q8.gguf", ""}});
  const auto question = read_weight_folder(several, "d");
  REQUIRE_FALSE(question);
  CHECK(question.error().code == ErrorCode::ambiguous_name);
}

TEST_CASE("weight files are known by their names") {
  CHECK(is_weight_file_name("a/b.gguf"));
  CHECK(is_weight_file_name("model.safetensors"));
  CHECK(is_weight_file_name("model.safetensors.index.json"));
  CHECK(is_weight_file_name("pytorch_model.bin.index.json"));
  CHECK_FALSE(is_weight_file_name("config.json"));
}

TEST_CASE("a model without a name of its own is called like its file or folder") {
  SafetensorsHeader file;
  file.bf16("model.layers.0.mlp.down_proj.weight", {32, 64});
  const MemoryFiles files({{"org/tiny/model.safetensors", file.file()},
                           {"org/tiny-00001-of-00001.safetensors", file.file()},
                           {"my.model-BF16.safetensors", file.file()},
                           {"model.safetensors", file.file()}});
  const auto name = [&files](const char* path) { return read_weight_file(files, path)->name; };
  CHECK(name("org/tiny/model.safetensors") == "tiny");
  CHECK(name("org/tiny-00001-of-00001.safetensors") == "tiny");
  CHECK(name("my.model-BF16.safetensors") == "my.model-BF16");
  CHECK(name("model.safetensors") == "model");
}
