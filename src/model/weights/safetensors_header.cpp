#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "byte_reader_internal.hpp"
#include "safetensors_header_internal.hpp"

namespace gpu_advisor::model {
namespace {

using support::Error;
using support::ErrorCode;
using support::Result;
using support::Status;

constexpr std::uint64_t kMostHeader = 100'000'000;  // bytes; MAX_HEADER_SIZE of the Rust library
constexpr std::size_t kMostMetadata = 256;          // entries that are kept
constexpr std::size_t kMostMetadataText = 4096;     // bytes of one that is kept
constexpr std::uint64_t kLengthBytes = 8;

struct StoredType {
  std::string_view name;
  std::int64_t bits;
};
/// enum Dtype of safetensors/src/tensor.rs.
constexpr std::array kTypes{
    StoredType{"F32", 32},    StoredType{"F16", 16},        StoredType{"BF16", 16},
    StoredType{"F64", 64},    StoredType{"F8_E4M3", 8},     StoredType{"F8_E5M2", 8},
    StoredType{"F8_E8M0", 8}, StoredType{"F8_E4M3FNUZ", 8}, StoredType{"F8_E5M2FNUZ", 8},
    StoredType{"F4", 4},      StoredType{"F6_E2M3", 6},     StoredType{"F6_E3M2", 6},
    StoredType{"I64", 64},    StoredType{"I32", 32},        StoredType{"I16", 16},
    StoredType{"I8", 8},      StoredType{"U64", 64},        StoredType{"U32", 32},
    StoredType{"U16", 16},    StoredType{"U8", 8},          StoredType{"BOOL", 8},
    StoredType{"C64", 64}};

/// A tensor's entry while it is read.
struct Entry {
  Tensor tensor;
  std::vector<std::uint64_t> offsets;
  bool has_type = false, has_shape = false, has_offsets = false;
};

/// Takes the header event by event, so that memory goes with the tensors and not with the JSON
/// text. Returns false at the first fault.
class HeaderEvents final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit HeaderEvents(std::string path) : path_(std::move(path)) {}

  bool null() override { return refuse("null"); }
  bool boolean(bool /*value*/) override { return refuse("a boolean"); }
  bool number_float(double /*value*/, const std::string& /*text*/) override {
    return refuse("a number with a fraction");
  }
  bool binary(binary_t& /*value*/) override { return refuse("binary data"); }
  bool number_integer(std::int64_t /*value*/) override { return refuse("a negative number"); }

  bool number_unsigned(std::uint64_t value) override {
    if (!in_list_)
      return refuse("a number");
    if (key_ == "shape") {
      if (entry_.tensor.shape.size() >= kMostDimensions)
        return fail("the shape has too many dimensions");
      entry_.tensor.shape.push_back(value > kMostFileBytes ? -1 : static_cast<std::int64_t>(value));
      return true;
    }
    if (entry_.offsets.size() >= 2)
      return fail("data_offsets has more than two numbers");
    entry_.offsets.push_back(value);
    return true;
  }

  bool string(std::string& value) override {
    if (depth_ != 2 || in_list_)
      return refuse("a text");
    if (in_metadata_) {
      if (metadata_.size() < kMostMetadata && value.size() <= kMostMetadataText)
        metadata_.emplace_back(key_, value);
      return true;
    }
    if (key_ != "dtype")
      return refuse("a text");
    entry_.tensor.type = value;
    return !std::exchange(entry_.has_type, true) || fail("the key \"dtype\" stands twice");
  }

  bool start_object(std::size_t /*elements*/) override {
    if (in_list_ || depth_ > 1)
      return refuse("an object");
    ++depth_;
    if (depth_ == 2)
      entry_ = Entry{.tensor = {.name = name_, .type = {}, .shape = {}}, .offsets = {}};
    return true;
  }

  bool end_object() override {
    --depth_;
    if (depth_ != 1)
      return true;
    if (in_metadata_) {
      in_metadata_ = false;
      return true;
    }
    return finish_entry();
  }

  bool key(std::string& value) override {
    if (depth_ == 1) {
      name_ = value;
      key_.clear();
      in_metadata_ = value == "__metadata__";
      return !in_metadata_ || !std::exchange(had_metadata_, true) ||
             fail("__metadata__ stands twice");
    }
    key_ = value;
    return in_metadata_ || value == "dtype" || value == "shape" || value == "data_offsets" ||
           fail("the key \"" + value + "\" is not known");
  }

  bool start_array(std::size_t /*elements*/) override {
    if (depth_ != 2 || in_list_ || in_metadata_ || key_ == "dtype")
      return refuse("a list");
    bool& seen = key_ == "shape" ? entry_.has_shape : entry_.has_offsets;
    if (std::exchange(seen, true))
      return fail("the key \"" + key_ + "\" stands twice");
    in_list_ = true;
    return true;
  }

  bool end_array() override {
    in_list_ = false;
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::json::exception& error) override {
    const std::string what = error.what();
    const std::size_t detail = what.find("parse error");
    error_ = Error{.code = ErrorCode::malformed_weights,
                   .message = "the header is not one JSON object: " +
                              (detail == std::string::npos ? what : what.substr(detail)),
                   .location = {.file = path_, .offset = kLengthBytes + position}};
    return false;
  }

  [[nodiscard]] Error error() const {
    return error_.value_or(Error{.code = ErrorCode::malformed_weights,
                                 .message = "the header is not a JSON object",
                                 .location = {.file = path_, .offset = kLengthBytes}});
  }
  std::vector<std::pair<std::uint64_t, Tensor>>& tensors() { return tensors_; }
  std::vector<std::pair<std::string, std::string>>& metadata() { return metadata_; }

 private:
  bool fail(std::string message) {
    std::string pointer = "/";
    for (const char c : name_)
      pointer += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    error_ = Error{.code = ErrorCode::malformed_weights,
                   .message = std::move(message),
                   .location = {.file = path_, .pointer = depth_ > 0 ? pointer : ""}};
    return false;
  }
  bool refuse(const std::string& found) {
    return fail((key_.empty() ? "the header" : "the key \"" + key_ + "\"") + " has " + found +
                " where something else is expected");
  }

  bool finish_entry() {
    Tensor& tensor = entry_.tensor;
    if (!entry_.has_type || !entry_.has_shape || entry_.offsets.size() != 2)
      return fail("a tensor needs dtype, shape and two data_offsets");
    const auto type = std::ranges::find(kTypes, tensor.type, &StoredType::name);
    if (type == kTypes.end())
      return fail("the dtype \"" + tensor.type + "\" is not known");
    const auto elements = element_count(tensor.shape);
    if (!elements || *elements > static_cast<std::int64_t>(kMostFileBytes) * 8 / type->bits)
      return fail("the shape is impossibly large");
    const std::uint64_t first = entry_.offsets[0], last = entry_.offsets[1];
    const std::int64_t bits = *elements * type->bits;
    if (first > last || last > kMostFileBytes || bits % 8 != 0 ||
        last - first != static_cast<std::uint64_t>(bits / 8))
      return fail(fmt::format("data_offsets [{}, {}] do not hold the {} bits of {} elements of {}",
                              first, last, bits, *elements, tensor.type));
    if (tensors_.size() >= kMostTensors)
      return fail("more tensors than any model has");
    tensor.elements = *elements;
    tensor.bytes = last - first;
    tensors_.emplace_back(first, std::move(tensor));
    return true;
  }

  std::string path_;
  int depth_ = 0;  // 1: the header, 2: a tensor's entry
  bool in_list_ = false, in_metadata_ = false, had_metadata_ = false;
  std::string name_, key_;
  Entry entry_;
  std::optional<Error> error_;
  std::vector<std::pair<std::uint64_t, Tensor>> tensors_;
  std::vector<std::pair<std::string, std::string>> metadata_;
};

/// Data follow each other without holes, as the format demands; gives where they end.
Result<std::uint64_t> check_offsets(std::vector<std::pair<std::uint64_t, Tensor>>& tensors,
                                    const std::string& path) {
  std::ranges::stable_sort(tensors, [](const auto& a, const auto& b) {
    return std::pair(a.first, a.second.bytes) < std::pair(b.first, b.second.bytes);
  });
  std::uint64_t end = 0;
  for (const auto& [offset, tensor] : tensors) {
    if (offset != end)
      return Error{.code = ErrorCode::malformed_weights,
                   .message = fmt::format("the data of \"{}\" begin at {}, but the tensor before "
                                          "ends at {}",
                                          tensor.name, offset, end),
                   .location = {.file = path, .pointer = "/" + tensor.name + "/data_offsets"}};
    end += tensor.bytes;
  }
  return end;
}

Result<std::uint64_t> header_length(ByteReader& reader) {
  GPU_ADVISOR_TRY(const auto length, reader.number<std::uint64_t>());
  if (length > kMostHeader)
    return reader.fail(
        fmt::format("a header of {} bytes; at most {} are allowed", length, kMostHeader), 0);
  if (length > reader.remaining())
    return reader.fail(
        fmt::format("a header of {} bytes, but the file ends at {}", length, reader.size()), 0);
  return length;
}

}  // namespace

Result<WeightHeader> read_safetensors_header(const support::FileSource& files,
                                             const std::string& path) {
  GPU_ADVISOR_TRY(ByteReader reader, ByteReader::open(files, path));
  GPU_ADVISOR_TRY(const std::uint64_t length, header_length(reader));
  HeaderEvents events(path);
  {
    GPU_ADVISOR_TRY(const std::string text, reader.text(length));
    if (text.empty() || text.front() != '{')
      return reader.fail("the header does not begin with \"{\"", kLengthBytes);
    if (!nlohmann::json::sax_parse(text, &events))
      return events.error();
  }
  GPU_ADVISOR_TRY(const std::uint64_t data, check_offsets(events.tensors(), path));
  WeightHeader header;
  header.metadata = std::move(events.metadata());
  for (auto& [offset, tensor] : events.tensors())
    header.tensors.push_back(std::move(tensor));
  GPU_ADVISOR_CHECKED(check_unique(header.tensors, path));
  const std::uint64_t whole = kLengthBytes + length + data;
  if (reader.size() < whole)
    header.warnings.push_back(
        fmt::format("the file has {} of {} bytes: it is a header alone or was not loaded whole",
                    reader.size(), whole));
  if (reader.size() > whole)
    header.warnings.push_back(
        fmt::format("the file has {} bytes, {} of which the header knows", reader.size(), whole));
  return header;
}

}  // namespace gpu_advisor::model
