#include <algorithm>
#include <array>

#include "quantisation_internal.hpp"

namespace gpu_advisor::units {
namespace {

/// ggml/include/ggml.h (enum ggml_type) and ggml-common.h (block structures) of llama.cpp.
constexpr std::array kBlocks{
    BlockFormat{"f32", 0, 1, 4},         BlockFormat{"f16", 1, 1, 2},
    BlockFormat{"q4_0", 2, 32, 18},      BlockFormat{"q4_1", 3, 32, 20},
    BlockFormat{"q5_0", 6, 32, 22},      BlockFormat{"q5_1", 7, 32, 24},
    BlockFormat{"q8_0", 8, 32, 34},      BlockFormat{"q8_1", 9, 32, 36},
    BlockFormat{"q2_k", 10, 256, 84},    BlockFormat{"q3_k", 11, 256, 110},
    BlockFormat{"q4_k", 12, 256, 144},   BlockFormat{"q5_k", 13, 256, 176},
    BlockFormat{"q6_k", 14, 256, 210},   BlockFormat{"q8_k", 15, 256, 292},
    BlockFormat{"iq2_xxs", 16, 256, 66}, BlockFormat{"iq2_xs", 17, 256, 74},
    BlockFormat{"iq3_xxs", 18, 256, 98}, BlockFormat{"iq1_s", 19, 256, 50},
    BlockFormat{"iq4_nl", 20, 32, 18},   BlockFormat{"iq3_s", 21, 256, 110},
    BlockFormat{"iq2_s", 22, 256, 82},   BlockFormat{"iq4_xs", 23, 256, 136},
    BlockFormat{"i8", 24, 1, 1},         BlockFormat{"i16", 25, 1, 2},
    BlockFormat{"i32", 26, 1, 4},        BlockFormat{"i64", 27, 1, 8},
    BlockFormat{"f64", 28, 1, 8},        BlockFormat{"iq1_m", 29, 256, 56},
    BlockFormat{"bf16", 30, 1, 2},       BlockFormat{"tq1_0", 34, 256, 54},
    BlockFormat{"tq2_0", 35, 256, 66},   BlockFormat{"mxfp4", 39, 32, 17},
    BlockFormat{"nvfp4", 40, 64, 36}};

constexpr double bits(std::string_view format) {
  for (const BlockFormat& block : kBlocks) {
    if (block.name == format) {
      return block.bits_per_weight();
    }
  }
  return 0;
}

/// `share` of a tensor kind's layers in a higher format, the rest in the base format.
constexpr double part(double share, std::string_view higher, std::string_view base) {
  return share * bits(higher) + (1 - share) * bits(base);
}

/// Bits per weight of each tensor kind; a negative number means "as the base format".
struct Mix {
  std::string_view name;
  std::string_view base;  // of everything that is not named
  double attention_qk = -1, attention_v = -1, attention_output = -1, ffn_down = -1;
  double embedding = -1;
  double head = -1;
  double ffn_gate_up = -1;
};

constexpr double kQ2 = bits("q2_k"), kQ3 = bits("q3_k"), kQ4 = bits("q4_k"), kQ5 = bits("q5_k");
constexpr double kQ6 = bits("q6_k"), kQ8 = bits("q8_0"), kI3 = bits("iq3_s");
constexpr double kBase = -1;
// Layers that `use_more_bits` raises: the first and last eighth and every third between; 16 of 32.
constexpr double kHalf = 0.5;
constexpr double kEighth = 0.125;
constexpr double kMiddle = 0.75;
constexpr double kTwoLayers = 2.0 / 32;

/// llama_tensor_get_type of llama.cpp (src/llama-quant.cpp), for a model with grouped-query
/// attention of four or more and an importance matrix for the iq formats. The *_l and *_xl files
/// are not the tool's own: their makers raise embedding and head to q8_0 on top of the _m (q3: _l)
/// mix. Columns: query and key, value, attention output, ffn_down, embedding, head.
constexpr std::array kMixes{
    Mix{"iq1_m", "iq1_m", kBase, kQ4, bits("iq2_xxs"), part(kEighth, "q2_k", "iq1_m"), kQ2, kQ5},
    Mix{"iq1_s", "iq1_s", kBase, kQ4, bits("iq2_xxs"), part(kEighth, "q2_k", "iq1_s"), kQ2, kQ5},
    Mix{"iq2_m", "iq2_s", kBase, kQ4, kI3, part(kEighth, "iq3_s", "iq2_s"), kI3, kQ5},
    Mix{"iq2_s", "iq2_xs", kBase, kQ4, kI3, part(kEighth, "iq3_s", "iq2_xs"), kI3, kQ5},
    Mix{"iq2_xs", "iq2_xs", kBase, kQ4, kBase, part(kEighth, "q2_k", "iq2_xs"), kQ2, kQ5},
    Mix{"iq2_xxs", "iq2_xxs", kBase, kQ4, kBase, part(kEighth, "q2_k", "iq2_xxs"), kQ2, kQ5},
    Mix{"iq3_m", "iq3_s", kBase, kQ4, kQ4, part(kEighth, "q4_k", "iq3_s"), kBase, kQ6},
    Mix{"iq3_s", "iq3_s", kBase, kQ4, kBase, kBase, kBase, kQ6},
    Mix{"iq3_xs", "iq3_s", bits("iq3_xxs"), kQ4, kBase, kBase, kBase, kQ6,
        part(kMiddle, "iq3_xxs", "iq3_s")},
    Mix{"iq3_xxs", "iq3_xxs", bits("iq2_s"), kQ4, kI3, kBase, kI3, kQ5},
    Mix{"iq4_nl", "iq4_nl", kBase, kQ5, kBase, kBase, kBase, kQ6},
    Mix{"iq4_xs", "iq4_xs", kBase, kQ5, kBase, kBase, kBase, kQ6},
    Mix{"q2_k", "q2_k", kBase, kQ4, kQ3, kQ3, kBase, kQ6},
    Mix{"q2_k_l", "q2_k", kBase, kQ4, kQ3, kQ3, kQ8, kQ8},
    Mix{"q2_k_s", "q2_k", kBase, kQ4, kBase, part(kEighth, "q4_k", "q2_k"), kBase, kQ6},
    Mix{"q2_k_xl", "q2_k", kBase, kQ4, kQ3, kQ3, kQ8, kQ8},
    Mix{"q3_k_l", "q3_k", kBase, kQ5, kQ5, kQ5, kBase, kQ6},
    Mix{"q3_k_m", "q3_k", kBase, part(kTwoLayers, "q5_k", "q4_k"), kQ4,
        part(kTwoLayers, "q5_k", "q4_k"), kBase, kQ6},
    Mix{"q3_k_s", "q3_k", kBase, kBase, kBase, kBase, kBase, kQ6},
    Mix{"q3_k_xl", "q3_k", kBase, kQ5, kQ5, kQ5, kQ8, kQ8},
    Mix{"q4_0", "q4_0", kBase, kBase, kBase, kBase, kBase, kQ6},
    Mix{"q4_1", "q4_1", kBase, kBase, kBase, kBase, kBase, kQ6},
    Mix{"q4_k_l", "q4_k", kBase, part(kHalf, "q6_k", "q4_k"), kBase, part(kHalf, "q6_k", "q4_k"),
        kQ8, kQ8},
    Mix{"q4_k_m", "q4_k", kBase, part(kHalf, "q6_k", "q4_k"), kBase, part(kHalf, "q6_k", "q4_k"),
        kBase, kQ6},
    Mix{"q4_k_s", "q4_k", kBase, part(kEighth, "q5_k", "q4_k"), kBase,
        part(kEighth, "q5_k", "q4_k"), kBase, kQ6},
    Mix{"q4_k_xl", "q4_k", kBase, part(kHalf, "q6_k", "q4_k"), kBase, part(kHalf, "q6_k", "q4_k"),
        kQ8, kQ8},
    Mix{"q5_0", "q5_0", kBase, kBase, kBase, kBase, kBase, kQ6},
    Mix{"q5_1", "q5_1", kBase, kBase, kBase, kBase, kBase, kQ6},
    Mix{"q5_k_l", "q5_k", kBase, part(kHalf, "q6_k", "q5_k"), kBase, part(kHalf, "q6_k", "q5_k"),
        kQ8, kQ8},
    Mix{"q5_k_m", "q5_k", kBase, part(kHalf, "q6_k", "q5_k"), kBase, part(kHalf, "q6_k", "q5_k"),
        kBase, kQ6},
    Mix{"q5_k_s", "q5_k", kBase, kBase, kBase, kBase, kBase, kQ6},
    Mix{"q5_k_xl", "q5_k", kBase, part(kHalf, "q6_k", "q5_k"), kBase, part(kHalf, "q6_k", "q5_k"),
        kQ8, kQ8},
    Mix{"q6_k", "q6_k", kBase, kBase, kBase, kBase, kBase, kQ6},
    Mix{"q6_k_l", "q6_k", kBase, kBase, kBase, kBase, kQ8, kQ8},
    Mix{"q6_k_xl", "q6_k", kBase, kBase, kBase, kBase, kQ8, kQ8},
    Mix{"q8_0", "q8_0", kBase, kBase, kBase, kBase, kBase, kQ8},
    Mix{"q8_k_xl", "q8_0", kBase, kBase, kBase, kBase, 16, 16},
    Mix{"tq1_0", "tq1_0", kBase, kBase, kBase, kBase, kQ4, kQ6},
    Mix{"tq2_0", "tq2_0", kBase, kBase, kBase, kBase, kQ4, kQ6}};

/// Weights of the kinds in Llama 3.1 8B (32 layers of 4096, 8 key/value heads of 128, feed-forward
/// 14336, vocabulary 128256), in units of the width: the shares of a mix differ little between
/// models of this form.
constexpr double kLayers = 32, kWidth = 4096, kKeyValue = 1024, kFeedForward = 14336;
constexpr double kVocabulary = 128256;

double average(const Mix& mix) {
  const double base = bits(mix.base);
  const auto of = [base](double kind) { return kind < 0 ? base : kind; };
  const double qk = kLayers * (kWidth + kKeyValue), v = kLayers * kKeyValue;
  const double output = kLayers * kWidth, gate_up = kLayers * 2 * kFeedForward;
  const double down = kLayers * kFeedForward;
  const double sum = qk * of(mix.attention_qk) + v * of(mix.attention_v) +
                     output * of(mix.attention_output) + gate_up * of(mix.ffn_gate_up) +
                     down * of(mix.ffn_down) + kVocabulary * of(mix.embedding);
  return sum / (qk + v + output + gate_up + down + kVocabulary);
}

}  // namespace

const std::vector<BlockFormat>& block_formats() {
  static const std::vector<BlockFormat> kTable(kBlocks.begin(), kBlocks.end());
  return kTable;
}

std::vector<Quantisation> gguf_quantisations() {
  std::vector<Quantisation> rows;
  for (const Mix& mix : kMixes) {
    // Norms and biases stay in 32 bits. The CUDA kernels multiply in int8 (MMQ, activations in
    // q8_1).
    rows.push_back({.name = mix.name,
                    .bits_per_weight = average(mix),
                    .bits_others = 32,
                    .embeddings_quantised = true,
                    .compute = DataType::int8,
                    .weight_only = false,
                    .family = "gguf",
                    .bits_head = mix.head});
  }
  return rows;
}

}  // namespace gpu_advisor::units
