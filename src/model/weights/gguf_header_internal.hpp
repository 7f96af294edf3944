#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_advisor/support/file_source.hpp"
#include "gpu_advisor/support/result.hpp"
#include "tensor_internal.hpp"

namespace gpu_advisor::model {

/// A metadata value as far as it matters here: long texts and the tokenizer's lists are walked
/// over, and only their lengths are kept.
struct GgufValue {
  std::optional<double> number;       // numbers and booleans
  std::string text;                   // strings
  std::vector<std::int64_t> numbers;  // short lists of whole numbers or booleans
  std::uint64_t length = 0;           // entries of a list
};

/// The header of one GGUF file (github.com/ggml-org/ggml, docs/gguf.md).
struct GgufHeader {
  std::uint32_t version = 0;
  bool big_endian = false;
  std::map<std::string, GgufValue, std::less<>> values;
  WeightHeader weights;
  std::uint64_t data_offset = 0;  // where tensor data begins

  [[nodiscard]] std::optional<double> number(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key) const;  // empty when absent
  [[nodiscard]] const GgufValue* find(std::string_view key) const;
  /// `general.architecture`, and numbers below it: `field("block_count")` is `llama.block_count`.
  [[nodiscard]] std::string architecture() const { return text("general.architecture"); }
  [[nodiscard]] std::optional<std::int64_t> field(std::string_view name) const;
  /// One number for all layers, or one for each.
  [[nodiscard]] std::optional<std::int64_t> field(std::string_view name, std::size_t layer) const;
};

[[nodiscard]] support::Result<GgufHeader> read_gguf_header(const support::FileSource& files,
                                                           const std::string& path);

}  // namespace gpu_advisor::model
