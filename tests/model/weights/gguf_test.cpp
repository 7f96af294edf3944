#include <algorithm>
#include <map>

#include "catch2.hpp"
#include "gpu_advisor/model/weight_file.hpp"
#include "gpu_advisor/units/data_type.hpp"
#include "weight_bytes.hpp"

using namespace gpu_advisor;
using namespace gpu_advisor::model;
using namespace gpu_advisor::model::test;
using support::ErrorCode;

namespace {

constexpr std::uint32_t kF16Id = 1, kQ8Id = 8, kQ4KId = 12, kF32Id = 0;

support::Result<ModelSpec> read(const std::string& bytes) {
  return read_weight_file(support::MemoryFiles({{"m.gguf", bytes}}), "m.gguf");
}

support::Error refusal(const std::string& bytes) {
  const auto spec = read(bytes);
  REQUIRE_FALSE(spec);
  return spec.error();
}

bool says(const std::vector<std::string>& notes, std::string_view part) {
  return std::ranges::any_of(
      notes, [part](const std::string& note) { return note.find(part) != std::string::npos; });
}

GgufFile metadata() {
  GgufFile file;
  file.set("general.architecture", "llama")
      .set("general.name", "Small Llama")
      .set("general.file_type", 15)
      .set("llama.block_count", 2)
      .set("llama.context_length", 4096)
      .set("llama.embedding_length", 256)
      .set("llama.feed_forward_length", 512)
      .set("llama.attention.head_count", 4)
      .set("llama.attention.head_count_kv", 2);
  return file;
}

/// Two layers of 256; matrices in Q4_K, norms in F32.
GgufFile small_llama(GgufFile file = metadata()) {
  std::uint64_t offset = 0;
  const auto add = [&](const std::string& name, std::uint64_t in, std::uint64_t out) {
    file.tensor(name, {in, out}, kQ4KId, offset);
    offset += in * out / 256 * 144;
  };
  add("token_embd.weight", 256, 1000);
  for (const std::string layer : {"blk.0.", "blk.1."}) {
    add(layer + "attn_q.weight", 256, 256);
    add(layer + "attn_k.weight", 256, 128);
    add(layer + "attn_v.weight", 256, 128);
    add(layer + "attn_output.weight", 256, 256);
    add(layer + "ffn_gate.weight", 256, 512);
    add(layer + "ffn_up.weight", 256, 512);
    add(layer + "ffn_down.weight", 512, 256);
    file.tensor(layer + "attn_norm.weight", {256}, kF32Id, offset);
    offset += 1024;
  }
  return file;
}

constexpr std::int64_t kSmallMatrices =
    256 * 1000 + 2 * (2 * 256 * 256 + 2 * 256 * 128 + 3 * 256 * 512);

/// A file of 400 GB of which only the header exists; counts what is read.
class HugeFile final : public support::FileSource {
 public:
  explicit HugeFile(std::string header) : header_(std::move(header)) {}
  support::Result<std::string> read(const std::string&, std::uint64_t) const override {
    return support::Error{.code = ErrorCode::file_too_large, .message = "read whole"};
  }
  support::Result<std::string> read_range(const std::string&, std::uint64_t offset,
                                          std::uint64_t length) const override {
    bytes_read += length;
    std::string bytes(length, '\0');
    for (std::uint64_t i = 0; i < length && offset + i < header_.size(); ++i)
      bytes[i] = header_[offset + i];
    return bytes;
  }
  support::Result<std::uint64_t> size(const std::string&) const override { return kSize; }
  bool is_file(const std::string&) const override { return true; }
  bool is_folder(const std::string&) const override { return false; }
  support::Result<std::vector<std::string>> list(const std::string&) const override {
    return std::vector<std::string>{};
  }
  static constexpr std::uint64_t kSize = 400'000'000'000;
  mutable std::uint64_t bytes_read = 0;

 private:
  std::string header_;
};

}  // namespace

TEST_CASE("GGUF: counts, exact bytes by type and structure") {
  const auto spec = read(small_llama().file());
  REQUIRE(spec);
  CHECK(spec->name == "Small Llama");
  CHECK(spec->source == "gguf");
  CHECK(spec->family == "llama");
  CHECK(spec->basis == ParameterBasis::stored);
  CHECK(spec->parameters() == kSmallMatrices + 2 * 256);
  CHECK(spec->stored->tensors == 17);
  CHECK(spec->stored->bytes == units::bytes(kSmallMatrices / 256 * 144 + 2 * 256 * 4));
  CHECK(spec->stored->bytes_by_type.front().first == "Q4_K");
  CHECK(spec->quantisation->canonical == "q4_k_m");
  CHECK(spec->max_context == 4096);
  const Stack& stack = spec->main();
  CHECK(stack.hidden == 256);
  CHECK(stack.vocab == 1000);
  CHECK(stack.tied_embeddings);
  REQUIRE(stack.layers.size() == 1);
  CHECK(stack.layers[0].count == 2);
  CHECK(stack.layers[0].attention.heads == 4);
  CHECK(stack.layers[0].attention.kv_heads == 2);
  CHECK(stack.layers[0].attention.key_dim == 64);
  CHECK(stack.layers[0].ffn.hidden == 512);
  CHECK(stack.layers[0].ffn.gated);
  CHECK(spec->cache_elements_per_token() == 2 * 2 * 2 * 64);
  CHECK(says(spec->warnings, "not loaded whole"));
  CHECK(check_sizable(*spec));
}

TEST_CASE("GGUF: every block format has its exact size") {
  for (const units::BlockFormat& format : units::block_formats()) {
    CAPTURE(format.name);
    GgufFile file;
    file.tensor("blk.0.ffn_down.weight", {512, 3}, static_cast<std::uint32_t>(format.id), 0);
    const auto spec = read(file.file());
    REQUIRE(spec);
    CHECK(spec->stored->bytes == units::bytes(512.0 * 3 / format.block * format.bytes));
  }
}

TEST_CASE("GGUF: version 2 and big-endian files are read, others named") {
  REQUIRE(read(small_llama().file(2)));
  const support::Error old = refusal(small_llama().file(1));
  CHECK(old.code == ErrorCode::unsupported_version);
  CHECK(old.message.find("version 1") != std::string::npos);
  CHECK(refusal(small_llama().file(4)).code == ErrorCode::unsupported_version);
  const std::string swapped = std::string("GGUF\0\0\0\3", 8) + std::string(16, '\0');
  const auto big = read(swapped);
  REQUIRE(big);
  CHECK(says(big->warnings, "big-endian"));
}

TEST_CASE("GGUF: a vocabulary alone is understood and cannot be sized") {
  GgufFile file = metadata();
  std::string tokens = raw(static_cast<std::uint32_t>(kText)) + raw(std::uint64_t{3});
  for (const char* token : {"<unk>", "a", "b"})
    tokens += GgufFile::text(token);
  file.pair("tokenizer.ggml.tokens", kList, tokens);
  const auto spec = read(file.file());
  REQUIRE(spec);
  CHECK(spec->stored->tensors == 0);
  CHECK(spec->parameters() == 0);
  CHECK(spec->main().layer_count() == 2);
  CHECK(spec->main().hidden == 256);
  CHECK(spec->main().vocab == 3);
  CHECK(spec->main().layers[0].ffn.hidden == 512);
  CHECK(says(spec->warnings, "no weights"));
  CHECK(check_sizable(*spec).error().code == ErrorCode::unsupported_model);
}

TEST_CASE("GGUF: heads, windows and experts by layer") {
  GgufFile file;
  file.set("general.architecture", "x")
      .set("x.embedding_length", 256)
      .set("x.attention.key_length", 64)
      .set("x.attention.value_length", 64)
      .list("x.attention.head_count", {4, 8})
      .list("x.attention.head_count_kv", {2, 4})
      .set("x.attention.sliding_window", 512)
      .list("x.attention.sliding_window_pattern", {1, 0})
      .set("x.expert_count", 4)
      .set("x.expert_used_count", 2)
      .tensor("blk.0.attn_k.weight", {256, 128}, kF16Id, 0)
      .tensor("blk.1.attn_k.weight", {256, 256}, kF16Id, 65536)
      .tensor("blk.1.ffn_down_exps.weight", {64, 256, 4}, kF16Id, 65536 * 3)
      .tensor("blk.1.ffn_gate_inp.weight", {256, 4}, kF32Id, 65536 * 5);
  const auto spec = read(file.file());
  REQUIRE(spec);
  const auto& layers = spec->main().layers;
  REQUIRE(layers.size() == 2);
  CHECK(layers[0].attention.kind == AttentionKind::sliding);
  CHECK(layers[0].attention.window == 512);
  CHECK(layers[1].attention.kind == AttentionKind::full);
  CHECK(layers[1].attention.kv_heads == 4);
  CHECK(layers[1].ffn.experts == 4);
  CHECK(layers[1].ffn.hidden == 64);
  CHECK(spec->arch == Arch::moe);
  CHECK(spec->parameters() - spec->active_parameters() == 2 * 64 * 256);
}

TEST_CASE("GGUF: a window without a known pattern is said, not guessed") {
  GgufFile file = metadata();
  file.set("llama.attention.sliding_window", 128);
  const auto spec = read(small_llama(file).file());
  REQUIRE(spec);
  CHECK(spec->main().layers[0].attention.kind == AttentionKind::full);
  CHECK(says(spec->assumptions, "sliding window of 128"));
}

TEST_CASE("GGUF: latent attention and states") {
  GgufFile file;
  file.set("general.architecture", "deepseek2")
      .set("deepseek2.embedding_length", 256)
      .set("deepseek2.attention.head_count", 4)
      .set("deepseek2.attention.kv_lora_rank", 512)
      .set("deepseek2.rope.dimension_count", 64)
      .tensor("blk.0.attn_kv_a_mqa.weight", {256, 576}, kF16Id, 0);
  const auto latent = read(file.file());
  REQUIRE(latent);
  CHECK(latent->main().layers[0].attention.kind == AttentionKind::latent);
  CHECK(latent->cache_elements_per_token() == 576);
  GgufFile state;
  state.set("general.architecture", "mamba")
      .set("mamba.ssm.inner_size", 512)
      .set("mamba.ssm.state_size", 16)
      .set("mamba.ssm.conv_kernel", 4)
      .tensor("blk.0.ssm_in.weight", {256, 1024}, kF16Id, 0)
      .tensor("blk.0.ssm_out.weight", {512, 256}, kF16Id, 1 << 20);
  const auto mamba = read(state.file());
  REQUIRE(mamba);
  CHECK(mamba->arch == Arch::ssm_hybrid);
  CHECK(mamba->main().layers[0].attention.kind == AttentionKind::linear);
  CHECK(mamba->main().layers[0].attention.state_elements == 512 * 16);
  CHECK(mamba->main().layers[0].attention.conv_elements == 3 * 512);
}

TEST_CASE("GGUF: prediction layers stand apart from the model") {
  GgufFile file = metadata();
  file.set("llama.nextn_predict_layers", 1);
  const auto spec = read(small_llama(file).file());
  REQUIRE(spec);
  CHECK(spec->main().layer_count() == 1);
  CHECK(spec->draft_parameters == 2 * 256 * 256 + 2 * 256 * 128 + 3 * 256 * 512 + 256);
}

TEST_CASE("GGUF: split files are one model") {
  GgufFile first = metadata(), second;
  first.set("split.count", 2).set("split.tensors.count", 2);
  first.tensor("token_embd.weight", {256, 1000}, kQ8Id, 0);
  second.set("split.no", 1).set("split.count", 2).tensor("output.weight", {256, 1000}, kQ8Id, 0);
  const std::string one = "d/m-00001-of-00002.gguf", two = "d/m-00002-of-00002.gguf";
  const support::MemoryFiles files({{one, first.file()}, {two, second.file()}});
  for (const std::string& path : {one, two}) {
    const auto spec = read_weight_file(files, path);
    REQUIRE(spec);
    CHECK(spec->stored->tensors == 2);
    CHECK(spec->parameters() == 2 * 256 * 1000);
    CHECK(spec->max_context == 4096);
  }
  const auto alone = read_weight_file(
      support::MemoryFiles(std::map<std::string, std::string>{{one, first.file()}}), one);
  REQUIRE_FALSE(alone);
  CHECK(alone.error().code == ErrorCode::file_not_found);
  const auto renamed = read_weight_file(support::MemoryFiles({{"m.gguf", first.file()}}), "m.gguf");
  REQUIRE_FALSE(renamed);
  CHECK(renamed.error().message.find("one of 2 shards") != std::string::npos);
}

TEST_CASE("GGUF: faults are named with the byte at which they are") {
  CHECK(refusal("GGUX").location.offset == 0);
  const std::string head = "GGUF" + raw(std::uint32_t{3});
  CHECK(refusal(head + raw(~std::uint64_t{0}) + raw(std::uint64_t{0})).location.offset == 8);
  CHECK(refusal(head + raw(std::uint64_t{0}) + raw(~std::uint64_t{0})).location.offset == 16);
  const std::string one_pair = head + raw(std::uint64_t{0}) + raw(std::uint64_t{1});
  const support::Error text = refusal(one_pair + raw(std::uint64_t{73939795391}));
  CHECK(text.code == ErrorCode::malformed_weights);
  CHECK(text.location.offset == 24);
  CHECK(refusal(one_pair + GgufFile::text("k") + raw(std::uint32_t{13}))
            .message.find("no metadata type") != std::string::npos);
  // A list that claims more entries than the file can hold.
  const std::string list = raw(std::uint32_t{kList}) + raw(std::uint32_t{kText});
  CHECK(refusal(one_pair + GgufFile::text("k") + list + raw(std::uint64_t{1} << 60))
            .message.find("a list of") != std::string::npos);
  std::string nested = raw(std::uint32_t{kList});
  for (int i = 0; i < 10; ++i)
    nested += raw(std::uint32_t{kList}) + raw(std::uint64_t{1});
  CHECK(refusal(one_pair + GgufFile::text("k") + nested + std::string(64, '\0'))
            .message.find("nested") != std::string::npos);
}

TEST_CASE("GGUF: impossible tensors are refused") {
  const auto with = [](const std::vector<std::uint64_t>& sizes, std::uint32_t type,
                       std::uint64_t offset) {
    GgufFile file;
    file.tensor("blk.0.ffn_up.weight", sizes, type, offset);
    return refusal(file.file()).message;
  };
  const auto has = [](const std::string& message, std::string_view part) {
    return message.find(part) != std::string::npos;
  };
  CHECK(has(with({100, 2}, kQ4KId, 0), "not whole blocks of 256"));
  CHECK(has(with({256, 2}, 4, 0), "ggml no longer has"));
  CHECK(has(with({256, 2}, 99, 0), "not known"));
  CHECK(has(with({256, 2}, kF32Id, 33), "alignment 32"));
  CHECK(has(with({std::uint64_t{1} << 40, std::uint64_t{1} << 40}, kF32Id, 0), "impossible size"));
  CHECK(has(with({~std::uint64_t{0}}, kF32Id, 0), "impossible size"));
  CHECK(has(with(std::vector<std::uint64_t>(40, 1), kF32Id, 0), "40 dimensions"));
  GgufFile overlap;
  overlap.tensor("a", {256}, kF32Id, 0).tensor("b", {256}, kF32Id, 512);
  CHECK(has(refusal(overlap.file()).message, "overlaps"));
  GgufFile twice;
  twice.tensor("a", {256}, kF32Id, 0).tensor("a", {256}, kF32Id, 1024);
  CHECK(has(refusal(twice.file()).message, "stands twice"));
  GgufFile alignment;
  alignment.set("general.alignment", 24);
  CHECK(has(refusal(alignment.file()).message, "power of two"));
  GgufFile keys;
  keys.set("a", 1).set("a", 2);
  CHECK(has(refusal(keys.file()).message, "stands twice"));
}

TEST_CASE("GGUF: a file that ends anywhere in its header is refused") {
  const std::string whole = small_llama().file();
  for (std::size_t length = 0; length < whole.size(); ++length)
    CHECK_FALSE(read(whole.substr(0, length)));
}

TEST_CASE("GGUF: of a file of 400 GB only the header is read") {
  const HugeFile files(small_llama().file());
  const auto spec = read_weight_file(files, "huge.gguf");
  REQUIRE(spec);
  CHECK(spec->stored->tensors == 17);
  CHECK(spec->warnings.empty());
  CHECK(files.bytes_read < (1 << 20));
}

TEST_CASE("GGUF: adapters and projectors are named") {
  GgufFile adapter = metadata();
  adapter.set("general.type", "adapter").tensor("blk.0.attn_q.weight.lora_a", {256, 8}, kF32Id, 0);
  const auto lora = read(adapter.file());
  REQUIRE(lora);
  CHECK(lora->family == "lora-adapter");
  CHECK_FALSE(check_sizable(*lora));
  GgufFile projector;
  projector.set("general.architecture", "clip")
      .tensor("v.blk.0.attn_q.weight", {256, 256}, kF16Id, 0)
      .tensor("mm.0.weight", {256, 256}, kF16Id, 131072);
  const auto clip = read(projector.file());
  REQUIRE(clip);
  CHECK(clip->family == "projector");
  CHECK(clip->main().role == StackRole::vision);
  CHECK_FALSE(check_sizable(*clip));
}
