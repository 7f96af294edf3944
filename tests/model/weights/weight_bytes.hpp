#pragma once

// Small weight files, byte by byte, for the tests of their readers.

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace gpu_advisor::model::test {

/// A number as little-endian bytes.
template <typename T>
std::string raw(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

inline std::string safetensors(std::string_view header, std::size_t data = 0) {
  return raw(static_cast<std::uint64_t>(header.size())) + std::string(header) +
         std::string(data, '\0');
}

/// A header whose tensors follow each other.
class SafetensorsHeader {
 public:
  SafetensorsHeader& add(const std::string& name, const std::string& type,
                         const std::vector<std::int64_t>& shape, int bits) {
    std::int64_t size = bits;
    std::string sizes;
    for (const std::int64_t n : shape) {
      size *= n;
      sizes += (sizes.empty() ? "" : ",") + std::to_string(n);
    }
    text_ += (text_.empty() ? "{\"" : ",\"") + name + "\":{\"dtype\":\"" + type + "\",\"shape\":[" +
             sizes + "],\"data_offsets\":[" + std::to_string(end_) + "," +
             std::to_string(end_ + size / 8) + "]}";
    end_ += size / 8;
    return *this;
  }
  SafetensorsHeader& bf16(const std::string& name, const std::vector<std::int64_t>& shape) {
    return add(name, "BF16", shape, 16);
  }
  [[nodiscard]] std::string file() const { return safetensors(text_ + "}"); }
  [[nodiscard]] std::int64_t bytes() const { return end_; }

 private:
  std::string text_;
  std::int64_t end_ = 0;
};

enum GgufType : std::uint32_t { kU32 = 4, kF32 = 6, kBool = 7, kText = 8, kList = 9, kU64 = 10 };

/// A GGUF file's header; data are not written.
class GgufFile {
 public:
  static std::string text(std::string_view value) {
    return raw(static_cast<std::uint64_t>(value.size())) + std::string(value);
  }
  GgufFile& pair(std::string_view key, GgufType type, const std::string& value) {
    pairs_ += text(key) + raw(static_cast<std::uint32_t>(type)) + value;
    ++pair_count_;
    return *this;
  }
  GgufFile& set(std::string_view key, std::string_view value) {
    return pair(key, kText, text(value));
  }
  GgufFile& set(std::string_view key, std::uint32_t value) { return pair(key, kU32, raw(value)); }
  GgufFile& list(std::string_view key, const std::vector<std::uint32_t>& values) {
    std::string bytes =
        raw(static_cast<std::uint32_t>(kU32)) + raw(static_cast<std::uint64_t>(values.size()));
    for (const std::uint32_t value : values)
      bytes += raw(value);
    return pair(key, kList, bytes);
  }
  /// Sizes innermost first, as the file has them.
  GgufFile& tensor(std::string_view name, const std::vector<std::uint64_t>& sizes,
                   std::uint32_t type, std::uint64_t offset) {
    tensors_ += text(name) + raw(static_cast<std::uint32_t>(sizes.size()));
    for (const std::uint64_t size : sizes)
      tensors_ += raw(size);
    tensors_ += raw(type) + raw(offset);
    ++tensor_count_;
    return *this;
  }
  [[nodiscard]] std::string file(std::uint32_t version = 3) const {
    return "GGUF" + raw(version) + raw(tensor_count_) + raw(pair_count_) + pairs_ + tensors_;
  }

 private:
  std::string pairs_, tensors_;
  std::uint64_t pair_count_ = 0, tensor_count_ = 0;
};

}  // namespace gpu_advisor::model::test
