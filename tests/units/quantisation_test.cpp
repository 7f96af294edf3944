#include <array>
#include <string>

#include "catch2.hpp"
#include "gpu_advisor/units/data_type.hpp"

using namespace gpu_advisor::units;

namespace {

std::string canonical(std::string_view text) {
  const auto found = find_quantisation(text);
  return found ? std::string(found->name) : "unknown";
}

}  // namespace

TEST_CASE("quantisations are sorted, named once and plausible") {
  const auto& rows = quantisations();
  REQUIRE(rows.size() > 80);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CAPTURE(rows[i].name);
    if (i > 0) {
      CHECK(rows[i - 1].name < rows[i].name);
    }
    CHECK(rows[i].bits_per_weight > 1.5);
    CHECK(rows[i].bits_per_weight <= 32);
    CHECK(rows[i].bits_others >= 16);
    CHECK(rows[i].bits_head >= 2);
    CHECK_FALSE(rows[i].family.empty());
    CHECK(canonical(rows[i].name) == rows[i].name);
  }
}

TEST_CASE("block formats have the sizes of ggml") {
  struct Case {
    std::string_view name;
    double bits;
  };
  constexpr std::array kCases{
      Case{"q4_0", 4.5},       Case{"q4_1", 5},        Case{"q5_0", 5.5},
      Case{"q5_1", 6},         Case{"q8_0", 8.5},      Case{"q2_k", 2.625},
      Case{"q3_k", 3.4375},    Case{"q4_k", 4.5},      Case{"q5_k", 5.5},
      Case{"q6_k", 6.5625},    Case{"iq1_s", 1.5625},  Case{"iq1_m", 1.75},
      Case{"iq2_xxs", 2.0625}, Case{"iq2_xs", 2.3125}, Case{"iq2_s", 2.5625},
      Case{"iq3_xxs", 3.0625}, Case{"iq3_s", 3.4375},  Case{"iq4_nl", 4.5},
      Case{"iq4_xs", 4.25},    Case{"tq1_0", 1.6875},  Case{"tq2_0", 2.0625},
      Case{"mxfp4", 4.25},     Case{"nvfp4", 4.5},     Case{"f16", 16}};
  for (const Case& expected : kCases) {
    CAPTURE(expected.name);
    bool found = false;
    for (const BlockFormat& block : block_formats()) {
      if (block.name == expected.name) {
        found = true;
        CHECK(block.bits_per_weight() == expected.bits);
      }
    }
    CHECK(found);
  }
}

TEST_CASE("GGUF mixes have the sizes that llama.cpp publishes for Llama 3.1 8B") {
  // tools/quantize/README.md of ggml-org/llama.cpp: bits per weight of the whole file.
  struct Case {
    std::string_view name;
    double bits;
  };
  constexpr std::array kCases{
      Case{"IQ1_S", 2.0042},   Case{"IQ1_M", 2.1460},  Case{"IQ2_XXS", 2.3824},
      Case{"IQ2_XS", 2.5882},  Case{"IQ2_S", 2.7403},  Case{"IQ2_M", 2.9294},
      Case{"IQ3_XXS", 3.2548}, Case{"IQ3_XS", 3.4977}, Case{"IQ3_S", 3.6606},
      Case{"IQ3_M", 3.7628},   Case{"IQ4_XS", 4.4597}, Case{"IQ4_NL", 4.6818},
      Case{"Q2_K_S", 2.9697},  Case{"Q2_K", 3.1593},   Case{"Q3_K_S", 3.6429},
      Case{"Q3_K_L", 4.2979},  Case{"Q4_K_S", 4.6672}, Case{"Q4_K_M", 4.8944},
      Case{"Q5_K_S", 5.5704},  Case{"Q5_K_M", 5.7036}, Case{"Q6_K", 6.5633},
      Case{"Q8_0", 8.5008}};
  constexpr double kHead = 128256.0 * 4096, kAll = 8030261248.0;
  for (const Case& expected : kCases) {
    CAPTURE(expected.name);
    const auto row = find_quantisation(expected.name);
    REQUIRE(row);
    const double bits = (row->bits_per_weight * (kAll - kHead) + row->bits_head * kHead) / kAll;
    CHECK(bits == Catch::Approx(expected.bits).epsilon(0.01));
  }
}

TEST_CASE("group scales and zero points are counted") {
  CHECK(find_quantisation("awq-int4")->bits_per_weight == 4.15625);
  CHECK(find_quantisation("gptq-int8")->bits_per_weight == 8.1875);
  CHECK(find_quantisation("w4a16")->bits_per_weight == 4.125);
  CHECK(find_quantisation("nf4")->bits_per_weight == 4.5);
  CHECK(find_quantisation("nf4-dq")->bits_per_weight == Catch::Approx(4.127).margin(0.001));
  CHECK(find_quantisation("mxfp4")->bits_per_weight == 4.25);
  CHECK(find_quantisation("nvfp4")->bits_per_weight == 4.5);
  CHECK(find_quantisation("MLX-4bit")->bits_per_weight == 4.5);
  CHECK(find_quantisation("exl2-4.65bpw")->bits_per_weight == Catch::Approx(4.65));
  CHECK(find_quantisation("3.3bpw")->bits_per_weight == Catch::Approx(3.3));
}

TEST_CASE("finds the spellings that measurements use") {
  struct Case {
    std::string_view spelling, name;
  };
  constexpr std::array kCases{Case{"gguf-q4_k_m", "q4_k_m"},
                              Case{"Q4_K_M", "q4_k_m"},
                              Case{"gguf-q4_k_xl", "q4_k_xl"},
                              Case{"gguf-q4_k_xl_qat", "q4_k_xl"},
                              Case{"gguf-q4_k_p", "q4_k_l"},
                              Case{"gguf-q8_k_xl", "q8_k_xl"},
                              Case{"gguf-iq4_xs", "iq4_xs"},
                              Case{"Unsloth-Dynamic-IQ4_XS", "iq4_xs"},
                              Case{"gptq4", "gptq-int4"},
                              Case{"gptq-int4/int8 mixed", "gptq-int4"},
                              Case{"awq4", "awq-int4"},
                              Case{"INT8_W8A16", "w8a16"},
                              Case{"4bit", "nf4"},
                              Case{"8bit", "int8"},
                              Case{"6bit", "mlx-6bit"},
                              Case{"MLX-8bit", "mlx-8bit"},
                              Case{"FP8 dynamic", "fp8"},
                              Case{"fp8-dynamic", "fp8"},
                              Case{"AutoRound", "autoround-int4"},
                              Case{"exl2-4.0bpw", "exl2-4.0bpw"},
                              Case{"exl2-2.5bpw", "exl2-2.5bpw"},
                              Case{"nf4+bf16", "nf4"},
                              Case{"nf4-dq+bf16", "nf4-dq"},
                              Case{"gptq4+fp16", "gptq-int4"},
                              Case{"int8+fp16", "int8"},
                              Case{"nvfp4+bf16", "nvfp4"},
                              Case{"fp16-amp", "amp-fp16"},
                              Case{"bf16-amp", "amp-bf16"},
                              Case{"mxfp8", "mxfp8"},
                              Case{"compressed-tensors (NVFP4+FP8)", "nvfp4"},
                              Case{"NVFP4 modelopt-mixed W4A16+FP8", "nvfp4"},
                              Case{"w4a16", "w4a16"},
                              Case{"int4", "int4"},
                              Case{"tf32", "tf32"}};
  for (const Case& expected : kCases) {
    CAPTURE(expected.spelling);
    CHECK(canonical(expected.spelling) == expected.name);
  }
}

TEST_CASE("finds the format inside a model's name") {
  CHECK(canonical("Qwen2.5-7B-Instruct-AWQ") == "awq-int4");
  CHECK(canonical("Qwen/Qwen2-72B-Instruct-GPTQ-Int4") == "gptq-int4");
  CHECK(canonical("Qwen-72B-Chat-GPTQ-Int8") == "gptq-int8");
  CHECK(canonical("llama3.1:8b-instruct-q4_K_M") == "q4_k_m");
  CHECK(canonical("Meta-Llama-3.1-405B-Instruct-FP8") == "fp8");
  CHECK(canonical("Llama-3.3-70B-Instruct-exl2-4_5bpw") == "exl2-4.5bpw");
  CHECK(canonical("mlx-community/Qwen3-8B-MLX-4bit") == "mlx-4bit");
  CHECK(canonical("unsloth/llama-3-8b-bnb-4bit") == "nf4");
  CHECK(canonical("RedHatAI/Llama-3.1-8B-quantized.w4a16") == "w4a16");
}

TEST_CASE("does not see a format where there is none") {
  CHECK(canonical("Llama-2-7b-chat-hf") == "unknown");
  CHECK(canonical("half-life-7b") == "unknown");
  CHECK(canonical("JANGTQ") == "unknown");
  CHECK(canonical("").empty() == false);
  CHECK(canonical("") == "unknown");
  CHECK(canonical("bpw") == "unknown");
  CHECK(canonical("99bpw") == "unknown");
}
