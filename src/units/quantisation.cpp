#include <algorithm>
#include <array>

#include "quantisation_internal.hpp"

namespace gpu_advisor::units {
namespace {

/// Bits of a format with a scale (and zero point) of `overhead` bits for each group of weights.
constexpr double grouped(double bits, double overhead, double group) {
  return bits + overhead / group;
}

// Group sizes and overheads. GPTQ and AWQ: groups of 128, a 16-bit scale and a packed zero point;
// symmetric formats (Marlin, compressed-tensors, AutoRound) without the zero point. MLX: groups of
// 64 with a 16-bit scale and bias. QLoRA (arXiv:2305.14314, section 3): blocks of 64 with a 32-bit
// constant, or an 8-bit constant and 32 bits for each 256 of them (double quantisation). OCP MX:
// blocks of 32 with an 8-bit scale. NVFP4: blocks of 16 with an 8-bit scale. torchao int4: groups
// of 128, 16-bit scale and zero point. bitsandbytes int8 and the fp8 formats: one scale a row or
// block, below 0.01.
constexpr double kGptq4 = grouped(4, 16 + 4, 128), kGptq8 = grouped(8, 16 + 8, 128);
constexpr double kGptq3 = grouped(3, 16 + 3, 128), kGptq2 = grouped(2, 16 + 2, 128);
constexpr double kSymmetric4 = grouped(4, 16, 128);
constexpr double kHqq4 = grouped(4, 16 + 16, 64);
constexpr double kNf4 = grouped(4, 32, 64), kNf4Double = grouped(4, 8 + 32.0 / 256, 64);
constexpr double kMx = 8.0 / 32;
constexpr double kNv = 8.0 / 16;
constexpr double kMlx = 32.0 / 64;

using enum DataType;
/// Columns: name, bits, bits of the others, embeddings too, compute, weight only, family, head.
constexpr std::array kRows{
    Quantisation{"amp-bf16", 32, 32, false, bf16, false, "none", 32},
    Quantisation{"amp-fp16", 32, 32, false, fp16, false, "none", 32},
    Quantisation{"autoround-int4", kSymmetric4, 16, false, fp16, true, "gptq", 16},
    Quantisation{"awq-int4", kGptq4, 16, false, fp16, true, "awq", 16},
    Quantisation{"bf16", 16, 16, false, bf16, false, "none", 16},
    Quantisation{"fp16", 16, 16, false, fp16, false, "none", 16},
    Quantisation{"fp32", 32, 32, false, fp32, false, "none", 32},
    Quantisation{"fp8", 8, 16, false, fp8, false, "fp8", 16},
    Quantisation{"gptq-int2", kGptq2, 16, false, fp16, true, "gptq", 16},
    Quantisation{"gptq-int3", kGptq3, 16, false, fp16, true, "gptq", 16},
    Quantisation{"gptq-int4", kGptq4, 16, false, fp16, true, "gptq", 16},
    Quantisation{"gptq-int8", kGptq8, 16, false, fp16, true, "gptq", 16},
    Quantisation{"hqq-int4", kHqq4, 16, false, fp16, true, "hqq", 16},
    Quantisation{"int4", kGptq4 + 12.0 / 128, 16, false, bf16, true, "int", 16},
    Quantisation{"int8", 8, 16, false, int8, false, "bnb", 16},
    Quantisation{"mlx-2bit", 2 + kMlx, 16, true, fp16, true, "mlx", 2 + kMlx},
    Quantisation{"mlx-3bit", 3 + kMlx, 16, true, fp16, true, "mlx", 3 + kMlx},
    Quantisation{"mlx-4bit", 4 + kMlx, 16, true, fp16, true, "mlx", 4 + kMlx},
    Quantisation{"mlx-5bit", 5 + kMlx, 16, true, fp16, true, "mlx", 5 + kMlx},
    Quantisation{"mlx-6bit", 6 + kMlx, 16, true, fp16, true, "mlx", 6 + kMlx},
    Quantisation{"mlx-8bit", 8 + kMlx, 16, true, fp16, true, "mlx", 8 + kMlx},
    Quantisation{"mxfp4", 4 + kMx, 16, false, bf16, true, "mx", 16},
    Quantisation{"mxfp6", 6 + kMx, 16, false, fp6, false, "mx", 16},
    Quantisation{"mxfp8", 8 + kMx, 16, false, fp8, false, "mx", 16},
    Quantisation{"nf4", kNf4, 16, false, bf16, true, "bnb", 16},
    Quantisation{"nf4-dq", kNf4Double, 16, false, bf16, true, "bnb", 16},
    Quantisation{"nvfp4", 4 + kNv, 16, false, fp4, false, "nvfp4", 16},
    Quantisation{"tf32", 32, 32, false, tf32, false, "none", 32},
    Quantisation{"w4a16", kSymmetric4, 16, false, fp16, true, "gptq", 16},
    Quantisation{"w8a16", 8, 16, false, fp16, true, "gptq", 16},
    Quantisation{"w8a8-int8", 8, 16, false, int8, false, "int", 16}};

/// Sizes in which ExLlama files are commonly published; any other is accepted as "exl2".
constexpr std::array<std::string_view, 22> kExllama{
    "exl2-2.0bpw",  "exl2-2.2bpw",  "exl2-2.25bpw", "exl2-2.4bpw",  "exl2-2.5bpw",  "exl2-2.55bpw",
    "exl2-2.65bpw", "exl2-2.75bpw", "exl2-3.0bpw",  "exl2-3.25bpw", "exl2-3.5bpw",  "exl2-3.75bpw",
    "exl2-4.0bpw",  "exl2-4.25bpw", "exl2-4.5bpw",  "exl2-4.65bpw", "exl2-4.85bpw", "exl2-5.0bpw",
    "exl2-5.5bpw",  "exl2-6.0bpw",  "exl2-6.5bpw",  "exl2-8.0bpw"};

double bits_in(std::string_view exllama_name) {
  double whole = 0, scale = 0;
  for (const char c : exllama_name.substr(exllama_name.find('-') + 1)) {
    if (c == '.') {
      scale = 0.1;
    } else if (c >= '0' && c <= '9') {
      whole = scale > 0 ? whole + scale * (c - '0') : whole * 10 + (c - '0');
      scale /= 10;
    }
  }
  return whole;
}

/// Spellings of the engines, of model names and of measurements.
constexpr std::array kAliases{QuantisationAlias{"none", "bf16", false},
                              QuantisationAlias{"auto", "bf16", false},
                              QuantisationAlias{"unquantized", "bf16"},
                              QuantisationAlias{"unquantised", "bf16"},
                              QuantisationAlias{"bfloat16", "bf16"},
                              QuantisationAlias{"float16", "fp16"},
                              QuantisationAlias{"half", "fp16", false},
                              QuantisationAlias{"f16", "fp16"},
                              QuantisationAlias{"float32", "fp32"},
                              QuantisationAlias{"f32", "fp32"},
                              QuantisationAlias{"float", "fp32", false},
                              QuantisationAlias{"fp16amp", "amp-fp16"},
                              QuantisationAlias{"bf16amp", "amp-bf16"},
                              QuantisationAlias{"amp", "amp-fp16", false},
                              QuantisationAlias{"awq", "awq-int4"},
                              QuantisationAlias{"awq4", "awq-int4"},
                              QuantisationAlias{"awq4bit", "awq-int4"},
                              QuantisationAlias{"awqmarlin", "awq-int4"},
                              QuantisationAlias{"gptq", "gptq-int4"},
                              QuantisationAlias{"gptq4", "gptq-int4"},
                              QuantisationAlias{"gptq4bit", "gptq-int4"},
                              QuantisationAlias{"gptqmarlin", "gptq-int4"},
                              QuantisationAlias{"marlin", "gptq-int4"},
                              QuantisationAlias{"gptq8", "gptq-int8"},
                              QuantisationAlias{"gptq8bit", "gptq-int8"},
                              QuantisationAlias{"gptq3", "gptq-int3"},
                              QuantisationAlias{"gptq3bit", "gptq-int3"},
                              QuantisationAlias{"gptq2", "gptq-int2"},
                              QuantisationAlias{"gptq2bit", "gptq-int2"},
                              QuantisationAlias{"autoround", "autoround-int4"},
                              QuantisationAlias{"autoround4bit", "autoround-int4"},
                              QuantisationAlias{"int4autoround", "autoround-int4"},
                              QuantisationAlias{"hqq", "hqq-int4"},
                              QuantisationAlias{"hqq4", "hqq-int4"},
                              QuantisationAlias{"hqq4bit", "hqq-int4"},
                              QuantisationAlias{"4bit", "nf4"},
                              QuantisationAlias{"bnb4bit", "nf4"},
                              QuantisationAlias{"bnb4", "nf4"},
                              QuantisationAlias{"bnb", "nf4"},
                              QuantisationAlias{"bitsandbytes", "nf4"},
                              QuantisationAlias{"qlora", "nf4-dq", false},
                              QuantisationAlias{"nf4dq", "nf4-dq"},
                              QuantisationAlias{"fp4", "nvfp4"},
                              QuantisationAlias{"bnbint8", "int8"},
                              QuantisationAlias{"bnb8bit", "int8"},
                              QuantisationAlias{"8bit", "int8"},
                              QuantisationAlias{"llmint8", "int8"},
                              QuantisationAlias{"q8", "q8_0"},
                              QuantisationAlias{"q4", "q4_0"},
                              QuantisationAlias{"q6", "q6_k"},
                              QuantisationAlias{"int4torchao", "int4"},
                              QuantisationAlias{"int4wo", "int4"},
                              QuantisationAlias{"w8a8", "w8a8-int8"},
                              QuantisationAlias{"smoothquant", "w8a8-int8"},
                              QuantisationAlias{"int8w8a8", "w8a8-int8"},
                              QuantisationAlias{"quantizedw8a8", "w8a8-int8"},
                              QuantisationAlias{"int8w8a16", "w8a16"},
                              QuantisationAlias{"int8wo", "w8a16"},
                              QuantisationAlias{"quantizedw4a16", "w4a16"},
                              QuantisationAlias{"int4w4a16", "w4a16"},
                              QuantisationAlias{"quantizedw8a16", "w8a16"},
                              QuantisationAlias{"compressedtensors", "w4a16", false},
                              QuantisationAlias{"fp8dynamic", "fp8"},
                              QuantisationAlias{"fp8static", "fp8"},
                              QuantisationAlias{"fp8block", "fp8"},
                              QuantisationAlias{"fp8e4m3", "fp8"},
                              QuantisationAlias{"float8", "fp8"},
                              QuantisationAlias{"fp8w8a8", "fp8"},
                              QuantisationAlias{"w8a8fp8", "fp8"},
                              QuantisationAlias{"nvfp4a4", "nvfp4"},
                              QuantisationAlias{"fp4nv", "nvfp4"},
                              QuantisationAlias{"mxfp4moe", "mxfp4"},
                              QuantisationAlias{"mlx4", "mlx-4bit"},
                              QuantisationAlias{"mlx8", "mlx-8bit"},
                              QuantisationAlias{"2bit", "mlx-2bit"},
                              QuantisationAlias{"3bit", "mlx-3bit"},
                              QuantisationAlias{"5bit", "mlx-5bit"},
                              QuantisationAlias{"6bit", "mlx-6bit"},
                              QuantisationAlias{"exl2", "exl2-4.0bpw"},
                              QuantisationAlias{"q3k", "q3_k_m"},
                              QuantisationAlias{"q4k", "q4_k_m"},
                              QuantisationAlias{"q5k", "q5_k_m"},
                              QuantisationAlias{"q4kp", "q4_k_l"},
                              QuantisationAlias{"q3kp", "q3_k_l"},
                              QuantisationAlias{"q2kp", "q2_k_l"},
                              QuantisationAlias{"q5kp", "q5_k_l"},
                              QuantisationAlias{"q6kp", "q6_k_l"},
                              QuantisationAlias{"q8k", "q8_0"},
                              QuantisationAlias{"q8kl", "q8_k_xl"}};

}  // namespace

Quantisation exllama(std::string_view name, std::string_view family, double bits) {
  return {.name = name,
          .bits_per_weight = bits,
          .bits_others = 16,
          .embeddings_quantised = false,
          .compute = DataType::fp16,
          .weight_only = true,
          .family = family,
          .bits_head = bits > 6 ? 8.0 : 6.0};
}

const std::vector<Quantisation>& quantisations() {
  static const std::vector<Quantisation> kTable = [] {
    std::vector<Quantisation> rows = gguf_quantisations();
    rows.insert(rows.end(), kRows.begin(), kRows.end());
    for (const std::string_view name : kExllama) {
      rows.push_back(exllama(name, "exl2", bits_in(name)));
    }
    std::ranges::sort(rows, {}, &Quantisation::name);
    return rows;
  }();
  return kTable;
}

std::span<const QuantisationAlias> quantisation_aliases() {
  return kAliases;
}

}  // namespace gpu_advisor::units
