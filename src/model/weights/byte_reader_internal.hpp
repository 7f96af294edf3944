#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "gpu_advisor/support/file_source.hpp"
#include "gpu_advisor/support/result.hpp"

namespace gpu_advisor::model {

/// Reads numbers and texts one after another from a file of any size through a window, never past
/// its end. Every fault is malformed_weights with the byte offset at which it was noticed.
class ByteReader {
 public:
  [[nodiscard]] static support::Result<ByteReader> open(const support::FileSource& files,
                                                        const std::string& path);

  /// Reading beyond this offset is file_too_large; set by formats whose header has no length.
  void limit(std::uint64_t offset) { limit_ = offset; }
  /// From here on numbers have the other byte order.
  void swap_bytes() { swapped_ = true; }

  template <typename T>
  requires std::is_arithmetic_v<T>
  [[nodiscard]] support::Result<T> number() {
    GPU_ADVISOR_CHECKED(need(sizeof(T)));
    char raw[sizeof(T)];
    const char* from = window_.data() + (offset_ - window_start_);
    for (std::size_t i = 0; i < sizeof(T); ++i)
      raw[i] = from[swapped_ ? sizeof(T) - 1 - i : i];
    T value;
    std::memcpy(&value, raw, sizeof(T));
    offset_ += sizeof(T);
    return value;
  }
  [[nodiscard]] support::Result<std::string> text(std::uint64_t length);
  [[nodiscard]] support::Status skip(std::uint64_t length);

  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint64_t remaining() const { return size_ - offset_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// An error at an offset.
  [[nodiscard]] support::Error fail(std::string message, std::uint64_t at) const;

 private:
  ByteReader(const support::FileSource& files, std::string path, std::uint64_t size)
      : files_(&files), path_(std::move(path)), size_(size), limit_(size) {}
  [[nodiscard]] support::Error too_long() const;
  /// The next `length` bytes (at most a window) are in the window.
  [[nodiscard]] support::Status need(std::uint64_t length);

  const support::FileSource* files_;
  std::string path_;
  std::uint64_t size_;
  std::uint64_t limit_;
  std::uint64_t offset_ = 0;
  std::string window_;
  std::uint64_t window_start_ = 0;
  bool swapped_ = false;
};

}  // namespace gpu_advisor::model
