#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpu_advisor::units {

/// The number format in which arithmetic runs or a tensor is held.
enum class DataType { fp64, fp32, tf32, fp16, bf16, fp8, fp6, fp4, int8, int4, int2, int1 };

[[nodiscard]] std::string_view name(DataType type);
[[nodiscard]] double bytes_per_element(DataType type);  // tf32 is held in 4 bytes
[[nodiscard]] std::optional<DataType> parse_data_type(std::string_view text);

/// How a tensor's weights are stored: bits per weight with block scales and zero points counted.
/// One row per format of `src/units/quantisation.cpp`; the sources stand there.
struct Quantisation {
  std::string_view name;       // canonical: "bf16", "fp8", "q4_k_m", "awq-int4", "nf4-dq", …
  double bits_per_weight = 0;  // of the quantised matrices, scales included
  double bits_others = 0;      // of tensors that the scheme leaves alone (embedding, norms, head)
  bool embeddings_quantised = false;  // GGUF quantises embedding and head too
  DataType compute = {};              // the type in which its matrix products run
  bool weight_only = false;           // weights are expanded to 16 bits before the product
  std::string_view family;  // "none", "gguf", "gptq", "awq", "bnb", "fp8", "mx", "exl2", "mlx", …
  double bits_head = 0;     // GGUF mixes: bits of the output head (Q6_K in *_K_M), else bits_others
};

/// The table, sorted by name. GGUF names mean what the quantise tool of llama.cpp writes under that
/// name, a mix of block formats ("q4_k" is its short name of "q4_k_m"); the exact sizes of single
/// tensors are in `block_formats()`.
[[nodiscard]] const std::vector<Quantisation>& quantisations();

/// A block format of GGUF files: `block` weights are stored in `bytes` bytes.
struct BlockFormat {
  std::string_view name;  // lower case, as ggml_type_name gives it: "q4_k", "iq2_xxs", "bf16"
  int id;                 // number of the type in a GGUF file (enum ggml_type)
  int block;
  int bytes;
  [[nodiscard]] constexpr double bits_per_weight() const { return 8.0 * bytes / block; }
};
/// Every block format of ggml, sorted by id. Removed ids are absent.
[[nodiscard]] const std::vector<BlockFormat>& block_formats();
/// By canonical name or the spellings people use ("Q4_K_M", "gguf-q4_k_m", "4bit", "gptq4",
/// "w4a16", "exl2-4.0bpw", "MLX-4bit", "fp8-dynamic"), also inside a model's name
/// ("Qwen2.5-7B-Instruct-AWQ", "llama3.1:8b-instruct-q4_K_M") and as "base+compute" ("nf4+bf16").
/// Null when unknown.
[[nodiscard]] std::optional<Quantisation> find_quantisation(std::string_view text);

}  // namespace gpu_advisor::units
