#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "gpu_advisor/support/text.hpp"
#include "hf_config_internal.hpp"

namespace gpu_advisor::model {
namespace {

constexpr std::size_t kMostExcluded = 4096;

/// Names that leave modules in 16 bits; each tool has its own key.
std::vector<std::string> excluded_modules(const Config& config) {
  for (const std::string_view key : {"modules_to_not_convert", "llm_int8_skip_modules", "ignore",
                                     "ignored_layers", "exclude_modules"}) {
    std::vector<std::string> words = config.words(key);
    if (!words.empty()) {
      words.resize(std::min(words.size(), kMostExcluded));
      return words;
    }
  }
  return {};
}

std::string integer_name(std::string_view method, double bits) {
  return fmt::format("{}-int{}", method, static_cast<int>(bits));
}

/// GPTQ, AWQ and kin: bits and group size stand beside the method.
void read_grouped(const Config& config, std::string_view method, QuantisationInfo& info) {
  info.bits = config.number_or({"bits", "w_bit"}, 4);
  const double group = config.number_or({"group_size", "q_group_size"}, 0);
  if (group > 0 && group < 1e6) {
    info.group_size = static_cast<int>(group);
  }
  info.canonical = integer_name(method, info.bits);
}

void read_bitsandbytes(const Config& config, QuantisationInfo& info) {
  if (config.flag_or({"load_in_8bit"}, false)) {
    info.bits = 8;
    info.canonical = "int8";
    return;
  }
  info.bits = 4;
  const bool twice = config.flag_or({"bnb_4bit_use_double_quant"}, false);
  info.canonical = twice ? "nf4-dq" : "nf4";
}

/// compressed-tensors: the first group of layers speaks for all.
void read_compressed(const Config& config, QuantisationInfo& info) {
  const auto groups = config.child("config_groups");
  if (!groups || groups->cursor().json().empty()) {
    return;
  }
  const auto first = groups->child(groups->cursor().json().begin().key());
  const auto weights = first ? first->child("weights") : std::nullopt;
  if (!weights) {
    return;
  }
  info.bits = weights->number_or({"num_bits"}, 0);
  const bool floating = weights->word_or({"type"}, "int") == "float";
  const bool activations = first->child("input_activations").has_value();
  const double group = weights->number_or({"group_size"}, 0);
  if (group > 0 && group < 1e6) {
    info.group_size = static_cast<int>(group);
  }
  if (floating) {
    info.canonical = info.bits > 4 ? "fp8" : group == 32 ? "mxfp4" : "nvfp4";
  } else if (info.bits > 4) {
    info.canonical = activations ? "w8a8-int8" : "w8a16";
  } else {
    info.canonical = "w4a16";
  }
}

/// ModelOpt's `quant_algo`.
void read_algorithm(const std::string& algorithm, QuantisationInfo& info) {
  const std::string name = support::to_lower(algorithm);
  if (name.find("nvfp4") != std::string::npos) {
    info.bits = 4;
    info.canonical = "nvfp4";
  } else if (name.find("mxfp4") != std::string::npos) {
    info.bits = 4;
    info.canonical = "mxfp4";
  } else if (name.find("fp8") != std::string::npos) {
    info.bits = 8;
    info.canonical = "fp8";
  } else if (name.find("w4a16") != std::string::npos || name.find("awq") != std::string::npos) {
    info.bits = 4;
    info.canonical = "awq-int4";
  } else if (name.find("mixed") != std::string::npos) {
    info.bits = 8;
    info.canonical = "fp8";
  }
}

std::string kv_cache_of(const Config& config) {
  const std::string algorithm =
      support::to_lower(config.word_or({"kv_cache_quant_algo", "kv_cache_scheme"}, ""));
  if (algorithm.find("fp8") != std::string::npos) {
    return "fp8";
  }
  const auto scheme = config.child("kv_cache_scheme");
  return scheme && scheme->number_or({"num_bits"}, 0) == 8 ? "fp8" : "";
}

QuantisationInfo read_block(const Config& config) {
  QuantisationInfo info;
  info.method = support::to_lower(config.word_or({"quant_method"}, ""));
  info.excluded = excluded_modules(config);
  info.kv_cache = kv_cache_of(config);
  if (info.method == "gptq" || info.method == "awq") {
    read_grouped(config, info.method, info);
  } else if (info.method == "auto-round" || info.method == "autoround") {
    read_grouped(config, "autoround", info);
  } else if (info.method == "bitsandbytes") {
    read_bitsandbytes(config, info);
  } else if (info.method == "compressed-tensors") {
    read_compressed(config, info);
  } else if (info.method == "mxfp4" || info.method == "fp8" || info.method == "fbgemm_fp8") {
    info.bits = info.method == "mxfp4" ? 4 : 8;
    info.canonical = info.method == "mxfp4" ? "mxfp4" : "fp8";
  } else if (config.has("quant_algo")) {
    read_algorithm(config.word_or({"quant_algo"}, ""), info);
    info.method = info.method.empty() ? "modelopt" : info.method;
  } else if (config.has("load_in_4bit") || config.has("load_in_8bit")) {
    info.method = "bitsandbytes";
    read_bitsandbytes(config, info);
  } else if (config.has("bits")) {
    const bool named = !info.method.empty();
    read_grouped(config, "gptq", info);
    info.method = named ? info.method : "gptq";
  }
  return info;
}

}  // namespace

std::optional<QuantisationInfo> read_quantisation(const Config& config) {
  if (const auto block = config.child("quantization"); block && block->has("bits")) {  // MLX
    QuantisationInfo info;
    info.method = "mlx";
    info.bits = block->number_or({"bits"}, 4);
    info.group_size = static_cast<int>(block->size_or({"group_size"}, 64));
    info.canonical = fmt::format("mlx-{}bit", static_cast<int>(info.bits));
    return info;
  }
  if (const auto block = config.child("quantization_config")) {
    return read_block(*block);
  }
  for (const std::string_view key : {"text_config", "language_config", "llm_config"}) {
    const auto text = config.child(key);
    if (text && text->child("quantization_config")) {
      return read_block(*text->child("quantization_config"));
    }
  }
  return std::nullopt;
}

std::optional<QuantisationInfo> read_side_quantisation(const Config& config) {
  if (const auto block = config.child("quantization")) {
    QuantisationInfo info = read_block(*block);
    info.method = "modelopt";
    return info;
  }
  return config.has("bits") ? std::optional(read_block(config)) : std::nullopt;
}

}  // namespace gpu_advisor::model
