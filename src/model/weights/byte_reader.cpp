#include <algorithm>
#include <fmt/format.h>

#include "byte_reader_internal.hpp"

namespace gpu_advisor::model {

using support::Error;
using support::ErrorCode;
using support::Result;
using support::Status;

namespace {
constexpr std::uint64_t kWindow = std::uint64_t{1} << 18;
}

Result<ByteReader> ByteReader::open(const support::FileSource& files, const std::string& path) {
  GPU_ADVISOR_TRY(const std::uint64_t size, files.size(path));
  return ByteReader(files, path, size);
}

Error ByteReader::fail(std::string message, std::uint64_t at) const {
  return {.code = ErrorCode::malformed_weights,
          .message = std::move(message),
          .location = {.file = path_, .offset = at}};
}

Error ByteReader::too_long() const {
  return {.code = ErrorCode::file_too_large,
          .message = fmt::format("the header goes on beyond {} MiB", limit_ >> 20),
          .location = {.file = path_, .offset = offset_}};
}

Status ByteReader::need(std::uint64_t length) {
  if (length > remaining())
    return fail(fmt::format("expected {} more bytes, but the file ends at {}", length, size_),
                offset_);
  if (length > limit_ || offset_ > limit_ - length)
    return too_long();
  const bool inside = offset_ >= window_start_ && offset_ - window_start_ <= window_.size() &&
                      length <= window_.size() - (offset_ - window_start_);
  if (inside)
    return support::ok();
  const std::uint64_t wanted = std::min(std::max(length, kWindow), remaining());
  GPU_ADVISOR_TRY(window_, files_->read_range(path_, offset_, wanted));
  window_start_ = offset_;
  if (window_.size() < length)
    return fail("the file became shorter while it was read", offset_);
  return support::ok();
}

Result<std::string> ByteReader::text(std::uint64_t length) {
  GPU_ADVISOR_CHECKED(need(length));
  std::string result = window_.substr(offset_ - window_start_, length);
  offset_ += length;
  return result;
}

Status ByteReader::skip(std::uint64_t length) {
  if (length > remaining())
    return fail(
        fmt::format("a length of {} bytes runs past the end of the file at {}", length, size_),
        offset_);
  offset_ += length;
  return offset_ > limit_ ? Status(too_long()) : support::ok();
}

}  // namespace gpu_advisor::model
