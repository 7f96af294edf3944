#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fmt/format.h>

#include "byte_reader_internal.hpp"
#include "gguf_header_internal.hpp"
#include "gpu_advisor/units/data_type.hpp"

namespace gpu_advisor::model {
namespace {

using support::Error;
using support::ErrorCode;
using support::Result;
using support::Status;

constexpr std::uint32_t kOldest = 2;
constexpr std::uint32_t kCurrent = 3;
constexpr std::uint64_t kMostHeader = std::uint64_t{128} << 20;  // bytes; real ones have 5 to 20 MB
constexpr std::uint64_t kMostKeys = 1 << 16;
constexpr std::uint64_t kMostKeyLength = 65535;   // docs/gguf.md: at most 2^16 - 1 bytes
constexpr std::uint64_t kMostTextKept = 4096;     // bytes
constexpr std::uint64_t kMostNumbersKept = 4096;  // entries of a list
constexpr std::uint64_t kMostKept = 1 << 20;      // numbers and bytes of text in all
constexpr int kMostNesting = 4;                   // lists in lists; none is known in real files
constexpr std::uint64_t kDefaultAlignment = 32;
constexpr std::uint64_t kMostAlignment = 1 << 20;

/// enum gguf_metadata_value_type (docs/gguf.md); a width of 0 has a length of its own.
enum class ValueType : std::uint32_t {
  u8,
  i8,
  u16,
  i16,
  u32,
  i32,
  f32,
  boolean,
  text,
  list,
  u64,
  i64,
  f64
};
constexpr std::array<std::uint64_t, 13> kWidths{1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
constexpr std::array<std::uint64_t, 13> kLeastWidths{1, 1, 2, 2, 4, 4, 4, 1, 8, 12, 8, 8, 8};

/// Formats that ggml had and removed, with the ids that stay reserved (ggml.h).
constexpr std::array<std::uint32_t, 8> kRemoved{4, 5, 31, 32, 33, 36, 37, 38};

class GgufReader {
 public:
  explicit GgufReader(ByteReader reader) : in_(std::move(reader)) {}

  Result<GgufHeader> read() {
    GPU_ADVISOR_CHECKED(read_magic());
    in_.limit(std::min(kMostHeader, in_.size()));
    const std::uint64_t at = in_.offset();
    GPU_ADVISOR_TRY(const auto tensors, in_.number<std::uint64_t>());
    GPU_ADVISOR_TRY(const auto keys, in_.number<std::uint64_t>());
    if (tensors > kMostTensors)
      return in_.fail(fmt::format("{} tensors are more than any model has", tensors), at);
    if (keys > kMostKeys)
      return in_.fail(fmt::format("{} metadata keys are more than any file has", keys), at + 8);
    for (std::uint64_t i = 0; i < keys; ++i)
      GPU_ADVISOR_CHECKED(read_pair());
    GPU_ADVISOR_CHECKED(read_alignment());
    for (std::uint64_t i = 0; i < tensors; ++i)
      GPU_ADVISOR_CHECKED(read_tensor());
    GPU_ADVISOR_CHECKED(check_layout());
    return std::move(header_);
  }

 private:
  Status read_magic() {
    GPU_ADVISOR_TRY(const std::string magic, in_.text(4));
    if (magic != "GGUF")
      return in_.fail("not a GGUF file: it does not begin with \"GGUF\"", 0);
    GPU_ADVISOR_TRY(std::uint32_t version, in_.number<std::uint32_t>());
    // A small number in the upper half: the file is big-endian (docs/gguf.md, "big-endian").
    if ((version & 0xFFFFU) == 0 && version != 0) {
      in_.swap_bytes();
      header_.big_endian = true;
      version = (version >> 24) | ((version >> 8) & 0xFF00U);
      header_.weights.warnings.emplace_back("the file is written for big-endian machines");
    }
    if (version < kOldest || version > kCurrent)
      return Error{.code = ErrorCode::unsupported_version,
                   .message = fmt::format("GGUF version {} is not read; versions {} and {} are",
                                          version, kOldest, kCurrent),
                   .location = {.file = in_.path(), .offset = 4},
                   .hint = version < kOldest ? "convert the file with a current llama.cpp" : ""};
    header_.version = version;
    return support::ok();
  }

  Result<std::string> read_text(std::uint64_t most, std::string_view what) {
    const std::uint64_t at = in_.offset();
    GPU_ADVISOR_TRY(const auto length, in_.number<std::uint64_t>());
    if (length > in_.remaining())
      return in_.fail(fmt::format("{} has a length of {} bytes, but the file ends at {}", what,
                                  length, in_.size()),
                      at);
    if (length > most)
      return in_.fail(fmt::format("{} has a length of {} bytes", what, length), at);
    return in_.text(length);
  }

  Status skip_text() {
    const std::uint64_t at = in_.offset();
    GPU_ADVISOR_TRY(const auto length, in_.number<std::uint64_t>());
    if (length > in_.remaining())
      return in_.fail(
          fmt::format("a text of {} bytes, but the file ends at {}", length, in_.size()), at);
    return in_.skip(length);
  }

  Result<ValueType> read_type() {
    const std::uint64_t at = in_.offset();
    GPU_ADVISOR_TRY(const auto type, in_.number<std::uint32_t>());
    if (type >= kWidths.size())
      return in_.fail(fmt::format("{} is no metadata type", type), at);
    return static_cast<ValueType>(type);
  }

  template <typename T>
  Result<double> as_double() {
    GPU_ADVISOR_TRY(const T value, in_.number<T>());
    return static_cast<double>(value);
  }

  Result<double> read_number(ValueType type) {
    switch (type) {
      case ValueType::u8:
      case ValueType::boolean:
        return as_double<std::uint8_t>();
      case ValueType::i8:
        return as_double<std::int8_t>();
      case ValueType::u16:
        return as_double<std::uint16_t>();
      case ValueType::i16:
        return as_double<std::int16_t>();
      case ValueType::u32:
        return as_double<std::uint32_t>();
      case ValueType::i32:
        return as_double<std::int32_t>();
      case ValueType::f32:
        return as_double<float>();
      case ValueType::u64:
        return as_double<std::uint64_t>();
      case ValueType::i64:
        return as_double<std::int64_t>();
      case ValueType::f64:
      case ValueType::text:
      case ValueType::list:
        break;
    }
    return as_double<double>();
  }

  Status read_pair() {
    const std::uint64_t at = in_.offset();
    GPU_ADVISOR_TRY(std::string key, read_text(kMostKeyLength, "a metadata key"));
    const bool wanted = !std::string_view(key).starts_with("tokenizer.");
    auto value = read_value(wanted);
    if (!value)
      return support::with_context(std::move(value).error(), "while reading the key " + key);
    if (!header_.values.emplace(std::move(key), std::move(value).value()).second)
      return in_.fail("a metadata key stands twice", at);
    return support::ok();
  }

  Result<GgufValue> read_value(bool wanted) {
    GPU_ADVISOR_TRY(const ValueType type, read_type());
    GgufValue value;
    if (type == ValueType::list) {
      GPU_ADVISOR_CHECKED(read_list(value, wanted, 1));
    } else if (type == ValueType::text) {
      GPU_ADVISOR_TRY(value.text, read_kept_text(wanted));
    } else {
      GPU_ADVISOR_TRY(value.number, read_number(type));
    }
    return value;
  }

  /// Whether so much more may be held in memory.
  bool keep(std::uint64_t amount) {
    if (amount > kMostKept - kept_)
      return false;
    kept_ += amount;
    return true;
  }

  /// The text, or nothing when it is long or not wanted.
  Result<std::string> read_kept_text(bool wanted) {
    const std::uint64_t at = in_.offset();
    GPU_ADVISOR_TRY(const auto length, in_.number<std::uint64_t>());
    if (length > in_.remaining())
      return in_.fail(
          fmt::format("a text of {} bytes, but the file ends at {}", length, in_.size()), at);
    if (wanted && length <= kMostTextKept && keep(length))
      return in_.text(length);
    GPU_ADVISOR_CHECKED(in_.skip(length));
    return std::string();
  }

  Status read_list(GgufValue& value, bool wanted, int depth) {
    GPU_ADVISOR_TRY(const ValueType type, read_type());
    const std::uint64_t at = in_.offset();
    GPU_ADVISOR_TRY(value.length, in_.number<std::uint64_t>());
    const auto index = static_cast<std::size_t>(type);
    if (value.length > in_.remaining() / kLeastWidths[index])
      return in_.fail(
          fmt::format("a list of {} entries, but the file ends at {}", value.length, in_.size()),
          at);
    if (type == ValueType::text || type == ValueType::list)
      return skip_entries(type, value.length, depth);
    if (!wanted || value.length > kMostNumbersKept || !keep(value.length))
      return in_.skip(value.length * kWidths[index]);
    for (std::uint64_t i = 0; i < value.length; ++i) {
      GPU_ADVISOR_TRY(const double entry, read_number(type));
      value.numbers.push_back(std::abs(entry) < 1e15 ? static_cast<std::int64_t>(entry) : -1);
    }
    return support::ok();
  }

  Status skip_entries(ValueType type, std::uint64_t count, int depth) {
    if (type == ValueType::list && depth >= kMostNesting)
      return in_.fail(fmt::format("lists nested more than {} deep", kMostNesting), in_.offset());
    for (std::uint64_t i = 0; i < count; ++i) {
      GgufValue nested;
      GPU_ADVISOR_CHECKED(type == ValueType::text ? skip_text()
                                                  : read_list(nested, false, depth + 1));
    }
    return support::ok();
  }

  Status read_alignment() {
    const double value = header_.number("general.alignment").value_or(kDefaultAlignment);
    if (!(value >= 1 && value <= kMostAlignment) || value != std::floor(value) ||
        !std::has_single_bit(static_cast<std::uint64_t>(value)))
      return in_.fail(fmt::format("general.alignment is {}, not a power of two", value),
                      in_.offset());
    alignment_ = static_cast<std::uint64_t>(value);
    return support::ok();
  }

  Status read_tensor() {
    const std::uint64_t at = in_.offset();
    GPU_ADVISOR_TRY(std::string name, read_text(kMostKeyLength, "a tensor's name"));
    auto tensor = read_description(std::move(name), at);
    if (!tensor)
      return std::move(tensor).error();
    header_.weights.tensors.push_back(std::move(tensor).value());
    return support::ok();
  }

  Result<Tensor> read_description(std::string name, std::uint64_t at) {
    Tensor tensor{.name = std::move(name), .type = {}, .shape = {}};
    GPU_ADVISOR_TRY(const auto dimensions, in_.number<std::uint32_t>());
    if (dimensions > kMostDimensions)
      return in_.fail(fmt::format("the tensor \"{}\" has {} dimensions", tensor.name, dimensions),
                      at);
    for (std::uint32_t i = 0; i < dimensions; ++i) {
      GPU_ADVISOR_TRY(const auto size, in_.number<std::uint64_t>());
      tensor.shape.push_back(size > kMostFileBytes ? -1 : static_cast<std::int64_t>(size));
    }
    const auto elements = element_count(tensor.shape);
    if (!elements)
      return in_.fail(fmt::format("the tensor \"{}\" has an impossible size", tensor.name), at);
    tensor.elements = *elements;
    const std::int64_t row = tensor.shape.empty() ? 1 : tensor.shape.front();
    std::ranges::reverse(tensor.shape);  // GGUF has the innermost dimension first
    GPU_ADVISOR_CHECKED(read_format(tensor, row));
    const std::uint64_t offset_at = in_.offset();
    GPU_ADVISOR_TRY(const auto offset, in_.number<std::uint64_t>());
    if (offset % alignment_ != 0 || offset > kMostFileBytes)
      return in_.fail(fmt::format("the data of \"{}\" begins at {}, which is no multiple of the "
                                  "alignment {}",
                                  tensor.name, offset, alignment_),
                      offset_at);
    spans_.push_back({offset, tensor.bytes, header_.weights.tensors.size()});
    return tensor;
  }

  Status read_format(Tensor& tensor, std::int64_t row) {
    const std::uint64_t at = in_.offset();
    GPU_ADVISOR_TRY(const auto id, in_.number<std::uint32_t>());
    const auto& formats = units::block_formats();
    const auto format = std::ranges::find_if(
        formats, [id](const auto& known) { return static_cast<std::uint32_t>(known.id) == id; });
    if (format == formats.end())
      return in_.fail(unknown_format(tensor.name, id), at);
    if (row % format->block != 0)
      return in_.fail(fmt::format("the tensor \"{}\" has rows of {} weights, not whole blocks of "
                                  "{} as {} needs",
                                  tensor.name, row, format->block, format->name),
                      at);
    const std::int64_t blocks = tensor.elements / format->block;
    if (blocks > static_cast<std::int64_t>(kMostFileBytes) / format->bytes)
      return in_.fail(fmt::format("the tensor \"{}\" has an impossible size", tensor.name), at);
    tensor.bytes = static_cast<std::uint64_t>(blocks * format->bytes);
    tensor.type = format->name;
    std::ranges::transform(tensor.type, tensor.type.begin(), [](char c) {
      return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return support::ok();
  }

  static std::string unknown_format(const std::string& tensor, std::uint32_t id) {
    if (std::ranges::find(kRemoved, id) != kRemoved.end())
      return fmt::format(
          "the tensor \"{}\" has format {}, which ggml no longer has; the file must "
          "be quantised anew",
          tensor, id);
    return fmt::format("the tensor \"{}\" has format {}, which is not known", tensor, id);
  }

  /// Tensors do not overlap; says so when the file is shorter than its tensors.
  Status check_layout() {
    header_.data_offset = (in_.offset() + alignment_ - 1) / alignment_ * alignment_;
    GPU_ADVISOR_CHECKED(check_unique(header_.weights.tensors, in_.path()));
    std::ranges::sort(spans_, {}, &Span::offset);
    std::uint64_t end = 0;
    for (const Span& span : spans_) {
      if (span.offset < end)
        return in_.fail(fmt::format("the data of \"{}\" overlaps another tensor's",
                                    header_.weights.tensors[span.tensor].name),
                        header_.data_offset + span.offset);
      end = span.offset + span.bytes;
    }
    if (end > kMostFileBytes)
      return in_.fail("the tensors are larger than any file", header_.data_offset);
    if (end > 0 && header_.data_offset + end > in_.size())
      header_.weights.warnings.push_back(
          fmt::format("the file has {} of {} bytes: it is a header alone or was not loaded whole",
                      in_.size(), header_.data_offset + end));
    return support::ok();
  }

  struct Span {
    std::uint64_t offset, bytes;
    std::size_t tensor;
  };

  ByteReader in_;
  GgufHeader header_;
  std::uint64_t alignment_ = kDefaultAlignment;
  std::uint64_t kept_ = 0;
  std::vector<Span> spans_;
};

}  // namespace

const GgufValue* GgufHeader::find(std::string_view key) const {
  const auto found = values.find(key);
  return found == values.end() ? nullptr : &found->second;
}

std::optional<double> GgufHeader::number(std::string_view key) const {
  const GgufValue* value = find(key);
  return value == nullptr ? std::nullopt : value->number;
}

std::string GgufHeader::text(std::string_view key) const {
  const GgufValue* value = find(key);
  return value == nullptr ? "" : value->text;
}

std::optional<std::int64_t> GgufHeader::field(std::string_view name) const {
  return field(name, 0);
}

std::optional<std::int64_t> GgufHeader::field(std::string_view name, std::size_t layer) const {
  constexpr double kMost = 1 << 30;  // no width, count or length of a model is larger
  const GgufValue* value = find(architecture() + "." + std::string(name));
  if (value == nullptr)
    return std::nullopt;
  double number = value->number.value_or(-1);
  if (layer < value->numbers.size())
    number = static_cast<double>(value->numbers[layer]);
  if (!(number >= 0 && number <= kMost))
    return std::nullopt;
  return static_cast<std::int64_t>(number);
}

Result<GgufHeader> read_gguf_header(const support::FileSource& files, const std::string& path) {
  GPU_ADVISOR_TRY(ByteReader reader, ByteReader::open(files, path));
  return GgufReader(std::move(reader)).read();
}

}  // namespace gpu_advisor::model
