#include <algorithm>

#include "catch2.hpp"
#include "gpu_advisor/model/weight_file.hpp"
#include "weight_bytes.hpp"

using namespace gpu_advisor;
using namespace gpu_advisor::model;
using gpu_advisor::model::test::safetensors;
using gpu_advisor::model::test::SafetensorsHeader;
using support::ErrorCode;

namespace {

support::Result<ModelSpec> read(const std::string& bytes) {
  return read_weight_file(support::MemoryFiles({{"m.safetensors", bytes}}), "m.safetensors");
}

/// Message and pointer of the refusal of a header.
support::Error refusal(std::string_view header) {
  const auto spec = read(safetensors(header));
  REQUIRE_FALSE(spec);
  CHECK(spec.error().code == ErrorCode::malformed_weights);
  return spec.error();
}

bool says(const std::vector<std::string>& notes, std::string_view part) {
  return std::ranges::any_of(
      notes, [part](const std::string& note) { return note.find(part) != std::string::npos; });
}

SafetensorsHeader llama(int layers) {
  SafetensorsHeader header;
  header.bf16("model.embed_tokens.weight", {1000, 2048});
  for (int i = 0; i < layers; ++i) {
    const std::string layer = "model.layers." + std::to_string(i) + ".";
    header.bf16(layer + "self_attn.q_proj.weight", {2048, 2048})
        .bf16(layer + "self_attn.k_proj.weight", {512, 2048})
        .bf16(layer + "self_attn.v_proj.weight", {512, 2048})
        .bf16(layer + "self_attn.o_proj.weight", {2048, 2048})
        .bf16(layer + "mlp.gate_proj.weight", {5632, 2048})
        .bf16(layer + "mlp.up_proj.weight", {5632, 2048})
        .bf16(layer + "mlp.down_proj.weight", {2048, 5632})
        .bf16(layer + "input_layernorm.weight", {2048})
        .bf16(layer + "post_attention_layernorm.weight", {2048});
  }
  return header.bf16("model.norm.weight", {2048});
}

}  // namespace

TEST_CASE("safetensors: counts and bytes come from the header, by type") {
  SafetensorsHeader header;
  header.add("a", "F32", {2, 3}, 32).bf16("b", {4}).add("c", "F4", {4, 4}, 4);
  const auto spec = read(header.file() + std::string(static_cast<std::size_t>(header.bytes()), 0));
  REQUIRE(spec);
  CHECK(spec->stored->tensors == 3);
  CHECK(spec->stored->elements == 26);
  CHECK(spec->stored->bytes == units::bytes(40));
  CHECK(spec->stored->bytes_by_type ==
        std::vector<std::pair<std::string, std::int64_t>>{{"F32", 24}, {"BF16", 8}, {"F4", 8}});
  CHECK(spec->parameters() == 26);
  CHECK_FALSE(says(spec->warnings, "bytes"));
}

TEST_CASE("safetensors: a file without its data is read and says so") {
  const auto spec = read(llama(1).file());
  REQUIRE(spec);
  CHECK(says(spec->warnings, "not loaded whole"));
}

TEST_CASE("safetensors: the structure of a transformer follows from names and shapes") {
  const auto spec = read(llama(3).file());
  REQUIRE(spec);
  const Stack& stack = spec->main();
  CHECK(spec->arch == Arch::dense);
  CHECK(spec->basis == ParameterBasis::stored);
  CHECK(stack.layer_count() == 3);
  REQUIRE(stack.layers.size() == 1);
  CHECK(stack.hidden == 2048);
  CHECK(stack.vocab == 1000);
  CHECK(stack.tied_embeddings);
  CHECK(stack.layers[0].ffn.hidden == 5632);
  CHECK(stack.layers[0].ffn.gated);
  CHECK(stack.layers[0].attention.heads == 16);
  CHECK(stack.layers[0].attention.kv_heads == 4);
  CHECK(says(spec->assumptions, "how wide a head is"));
  // Caches do not depend on the assumed width of a head.
  CHECK(spec->cache_elements_per_token() == 3 * 2 * 512);
  CHECK(spec->parameters() == spec->stored->elements);
}

TEST_CASE("safetensors: a norm on queries gives the width of a head") {
  SafetensorsHeader header;
  header.bf16("model.layers.0.self_attn.q_proj.weight", {2048, 1024})
      .bf16("model.layers.0.self_attn.k_proj.weight", {1024, 1024})
      .bf16("model.layers.0.self_attn.o_proj.weight", {1024, 2048})
      .bf16("model.layers.0.self_attn.q_norm.weight", {256});
  const auto spec = read(header.file());
  REQUIRE(spec);
  CHECK(spec->main().layers[0].attention.key_dim == 256);
  CHECK(spec->main().layers[0].attention.heads == 8);
  CHECK_FALSE(says(spec->assumptions, "how wide a head is"));
}

TEST_CASE("safetensors: fused queries, keys and values are told apart by the output") {
  SafetensorsHeader header;
  header.bf16("transformer.h.0.self_attention.query_key_value.weight", {2304, 2048})
      .bf16("transformer.h.0.self_attention.dense.weight", {2048, 2048});
  const auto spec = read(header.file());
  REQUIRE(spec);
  CHECK(spec->main().layers[0].attention.kv_heads == 1);
  CHECK(spec->main().layers[0].attention.heads == 16);
}

TEST_CASE("safetensors: matrices of GPT-2 are turned to out times in") {
  SafetensorsHeader header;
  header.add("h.0.attn.c_attn.weight", "F32", {768, 2304}, 32)
      .add("h.0.attn.c_proj.weight", "F32", {768, 768}, 32)
      .add("h.0.mlp.c_fc.weight", "F32", {768, 3072}, 32)
      .add("h.0.mlp.c_proj.weight", "F32", {3072, 768}, 32)
      .add("h.0.attn.bias", "F32", {1, 1, 1024, 1024}, 32);
  const auto spec = read(header.file());
  REQUIRE(spec);
  CHECK(spec->main().layers[0].attention.heads == 12);
  CHECK(spec->main().layers[0].ffn.hidden == 3072);
  // The mask is a buffer and no parameter.
  CHECK(spec->parameters() == 768 * 2304 + 768 * 768 + 2 * 768 * 3072);
}

TEST_CASE("safetensors: experts in lists and joined experts are the same model") {
  SafetensorsHeader lists;
  for (int i = 0; i < 8; ++i) {
    const std::string expert = "model.layers.0.block_sparse_moe.experts." + std::to_string(i);
    lists.bf16(expert + ".w1.weight", {64, 32})
        .bf16(expert + ".w2.weight", {32, 64})
        .bf16(expert + ".w3.weight", {64, 32});
  }
  SafetensorsHeader whole;
  whole.bf16("model.layers.0.mlp.experts.gate_up_proj", {8, 128, 32})
      .bf16("model.layers.0.mlp.experts.down_proj", {8, 32, 64});
  for (const std::string& file : {lists.file(), whole.file()}) {
    const auto spec = read(file);
    REQUIRE(spec);
    const FeedForward& ffn = spec->main().layers[0].ffn;
    CHECK(spec->arch == Arch::moe);
    CHECK(ffn.experts == 8);
    CHECK(ffn.top_k == 2);
    CHECK(ffn.hidden == 64);
    CHECK(ffn.gated);
    CHECK(spec->parameters() == 8 * 3 * 64 * 32);
    CHECK(spec->active_parameters() == 2 * 3 * 64 * 32);
    CHECK(says(spec->assumptions, "how many of 8 experts"));
  }
}

TEST_CASE("safetensors: latent attention is read from its widths") {
  const int heads = 16, nope = 128, rope = 64, value = 128, latent = 512;
  SafetensorsHeader header;
  header.bf16("model.layers.0.self_attn.q_a_proj.weight", {1536, 2048})
      .bf16("model.layers.0.self_attn.q_b_proj.weight", {heads * (nope + rope), 1536})
      .bf16("model.layers.0.self_attn.kv_a_proj_with_mqa.weight", {latent + rope, 2048})
      .bf16("model.layers.0.self_attn.kv_b_proj.weight", {heads * (nope + value), latent})
      .bf16("model.layers.0.self_attn.o_proj.weight", {2048, heads * value});
  const auto spec = read(header.file());
  REQUIRE(spec);
  const Attention& attention = spec->main().layers[0].attention;
  CHECK(attention.kind == AttentionKind::latent);
  CHECK(attention.heads == heads);
  CHECK(attention.latent_dim == latent);
  CHECK(attention.rope_dim == rope);
  CHECK(attention.key_dim == nope + rope);
  CHECK(attention.value_dim == value);
  CHECK(spec->cache_elements_per_token() == latent + rope);
}

TEST_CASE("safetensors: packed weights count as what they are unpacked") {
  const std::string module = "model.layers.0.self_attn.q_proj.";
  SECTION("GPTQ packs along the input") {
    SafetensorsHeader header;
    header.add(module + "qweight", "I32", {512, 2048}, 32)
        .add(module + "qzeros", "I32", {32, 256}, 32)
        .add(module + "scales", "F16", {32, 2048}, 16)
        .add(module + "g_idx", "I32", {4096}, 32);
    const auto spec = read(header.file());
    REQUIRE(spec);
    CHECK(spec->parameters() == 4096 * 2048);
    CHECK(spec->quantisation->method == "gptq");
    CHECK(spec->quantisation->canonical == "gptq-int4");
  }
  SECTION("AWQ packs along the output") {
    SafetensorsHeader header;
    header.add(module + "qweight", "I32", {4096, 256}, 32)
        .add(module + "qzeros", "I32", {32, 256}, 32)
        .add(module + "scales", "F16", {32, 2048}, 16);
    const auto spec = read(header.file());
    REQUIRE(spec);
    CHECK(spec->parameters() == 4096 * 2048);
    CHECK(spec->quantisation->canonical == "awq-int4");
  }
  SECTION("bitsandbytes keeps two weights in a byte") {
    SafetensorsHeader header;
    header.add(module + "weight", "U8", {4096 * 1024, 1}, 8)
        .add(module + "weight.absmax", "U8", {131072}, 8)
        .add(module + "weight.quant_state.bitsandbytes__nf4", "U8", {80}, 8);
    const auto spec = read(header.file());
    REQUIRE(spec);
    CHECK(spec->parameters() == 4096 * 2048);
    CHECK(spec->quantisation->canonical == "nf4");
  }
  SECTION("mxfp4 experts") {
    SafetensorsHeader header;
    header.add("model.layers.0.mlp.experts.down_proj_blocks", "U8", {32, 2880, 90, 16}, 8)
        .add("model.layers.0.mlp.experts.down_proj_scales", "U8", {32, 2880, 90}, 8);
    const auto spec = read(header.file());
    REQUIRE(spec);
    CHECK(spec->parameters() == std::int64_t{32} * 2880 * 2880);
    CHECK(spec->quantisation->canonical == "mxfp4");
  }
  SECTION("fp8 with scales") {
    SafetensorsHeader header;
    header.add(module + "weight", "F8_E4M3", {4096, 2048}, 8)
        .add(module + "weight_scale_inv", "F32", {32, 16}, 32);
    const auto spec = read(header.file());
    REQUIRE(spec);
    CHECK(spec->parameters() == 4096 * 2048);
    CHECK(spec->quantisation->canonical == "fp8");
  }
}

TEST_CASE("safetensors: towers beside the language model are stacks of their own") {
  SafetensorsHeader header = llama(2);
  header.bf16("vision_tower.vision_model.encoder.layers.0.self_attn.q_proj.weight", {1152, 1152})
      .bf16("vision_tower.vision_model.encoder.layers.0.self_attn.k_proj.weight", {1152, 1152});
  const auto spec = read(header.file());
  REQUIRE(spec);
  REQUIRE(spec->stacks.size() == 2);
  CHECK(spec->main().role == StackRole::decoder);
  CHECK(spec->stacks[1].role == StackRole::vision);
  CHECK(spec->modality == "vision-language");
  CHECK(spec->cache_elements_per_token() == 2 * 2 * 512);  // a tower keeps no cache
}

TEST_CASE("safetensors: broken headers are refused where they break") {
  CHECK(refusal(R"({"a":{"dtype":"F33","shape":[1],"data_offsets":[0,4]}})").location.pointer ==
        "/a");
  CHECK(refusal(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})")
            .message.find("do not hold the 64 bits") != std::string::npos);
  CHECK(refusal(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})").location.pointer ==
        "/a/data_offsets");
  CHECK(refusal(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                R"("b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})")
            .location.pointer == "/b/data_offsets");
  CHECK(refusal(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                R"("a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})")
            .message.find("twice") != std::string::npos);
  CHECK(refusal(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}})")
            .message.find("large") != std::string::npos);
  CHECK(refusal(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})").location.pointer ==
        "/a");
  refusal(R"({"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}})");
  refusal(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}})");
  refusal(R"({"a":{"dtype":"F32","shape":[1]}})");
  refusal(R"({"a":{"dtype":"F32","shape":[[1]],"data_offsets":[0,4]}})");
  refusal(R"({"a":{"dtype":"F32","dtype":"F16","shape":[1],"data_offsets":[0,4]}})");
  refusal(R"({"a":{"dtype":"F4","shape":[1],"data_offsets":[0,1]}})");
  refusal(R"({"a":{"more":{}}})");
  refusal(R"({"a":null})");
  refusal(R"([])");
  refusal(R"({} {})");
  refusal("");
  CHECK(refusal("{\"a\":").location.offset.has_value());
}

TEST_CASE("safetensors: lengths are not trusted") {
  const auto beyond = read(test::raw(std::uint64_t{1000}) + "{}");
  REQUIRE_FALSE(beyond);
  CHECK(beyond.error().location.offset == 0);
  const auto huge = read(test::raw(~std::uint64_t{0}) + "{}");
  REQUIRE_FALSE(huge);
  CHECK(huge.error().message.find("at most 100000000") != std::string::npos);
  REQUIRE_FALSE(read("short"));
  const std::string whole = llama(1).file();
  for (std::size_t length = 0; length < whole.size(); length += 7)
    CHECK_FALSE(read(whole.substr(0, length)));
}

TEST_CASE("safetensors: any shard stands for the whole set") {
  SafetensorsHeader first, second;
  first.bf16("model.layers.0.mlp.down_proj.weight", {32, 64});
  second.bf16("model.layers.1.mlp.down_proj.weight", {32, 64});
  const support::MemoryFiles files({{"d/model-00001-of-00002.safetensors", first.file()},
                                    {"d/model-00002-of-00002.safetensors", second.file()}});
  for (const char* shard :
       {"d/model-00001-of-00002.safetensors", "d/model-00002-of-00002.safetensors"}) {
    const auto spec = read_weight_file(files, shard);
    REQUIRE(spec);
    CHECK(spec->stored->tensors == 2);
    CHECK(spec->main().layer_count() == 2);
  }
  const support::MemoryFiles alone({{"d/model-00002-of-00002.safetensors", second.file()}});
  const auto missing = read_weight_file(alone, "d/model-00002-of-00002.safetensors");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == ErrorCode::file_not_found);
  CHECK(missing.error().message.find("model-00001-of-00002.safetensors") != std::string::npos);
}

TEST_CASE("safetensors: a LoRA adapter is recognised, with rank and base") {
  SafetensorsHeader header;
  header.add("base_model.model.layers.0.q_lin.lora_A.weight", "F32", {8, 768}, 32)
      .add("base_model.model.layers.0.q_lin.lora_B.weight", "F32", {768, 8}, 32);
  const support::MemoryFiles files(
      {{"a/adapter_model.safetensors", header.file()},
       {"a/adapter_config.json", R"({"base_model_name_or_path": "meta/base", "r": 8})"}});
  for (const char* path : {"a/adapter_model.safetensors", "a/adapter_config.json"}) {
    const auto spec = read_weight_file(files, path);
    REQUIRE(spec);
    CHECK(spec->family == "lora-adapter");
    CHECK(spec->parameters() == 2 * 8 * 768);
    CHECK(says(spec->assumptions, "rank 8 for meta/base"));
    const auto sizable = check_sizable(*spec);
    REQUIRE_FALSE(sizable);
    CHECK(sizable.error().code == ErrorCode::unsupported_model);
    CHECK(sizable.error().hint.find("base model") != std::string::npos);
  }
}
