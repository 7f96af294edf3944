#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

#include "gpu_advisor/support/text.hpp"
#include "tensor_internal.hpp"
#include "weight_index_internal.hpp"

namespace gpu_advisor::model {
namespace {

using support::Error;
using support::ErrorCode;
using support::Result;

constexpr std::uint64_t kMostIndex = 100'000'000;  // bytes; those of the largest models have 10 MB
constexpr std::size_t kMostNesting = 64;

/// Takes the index event by event. Unknown members are walked over.
class IndexEvents final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit IndexEvents(std::string path) : path_(std::move(path)) {}

  bool null() override { return other(); }
  bool boolean(bool /*value*/) override { return other(); }
  bool binary(binary_t& /*value*/) override { return other(); }
  bool number_integer(std::int64_t value) override { return number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) override { return number(static_cast<double>(value)); }
  bool number_float(double value, const std::string& text) override {
    if (in_metadata() && key_ == "total_size")
      index_.warnings.push_back("total_size is written as a fraction: " + text.substr(0, 40));
    return number(value);
  }

  bool string(std::string& value) override {
    if (in_map())
      return add(value);
    if (!in_metadata() || (key_ != "total_size" && key_ != "total_parameters"))
      return true;
    const auto parsed = support::parse_number(support::trim(value));
    index_.warnings.push_back(key_ + " is written as a text: \"" + value.substr(0, 40) + "\"");
    return !parsed || number(*parsed);
  }

  bool start_object(std::size_t /*elements*/) override {
    if (path_in_.empty() && had_root_)
      return fail("expected one JSON object", "");
    had_root_ = true;
    return descend(key_);
  }
  bool end_object() override { return ascend(); }
  bool start_array(std::size_t /*elements*/) override {
    if (path_in_.empty())
      return fail("expected an object, found an array", "");
    return descend("[]");
  }
  bool end_array() override { return ascend(); }

  bool key(std::string& value) override {
    key_ = value;
    if (path_in_.size() == 1 && value == "weight_map")
      return !std::exchange(had_map_, true) || fail("weight_map stands twice", "/weight_map");
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::json::exception& error) override {
    const std::string what = error.what();
    const std::size_t detail = what.find("parse error");
    error_ = Error{.code = ErrorCode::malformed_json,
                   .message = "not one JSON document: " +
                              (detail == std::string::npos ? what : what.substr(detail)),
                   .location = {.file = path_, .offset = position}};
    return false;
  }

  Result<WeightIndex> finish(bool complete) {
    if (!complete)
      return error_.value_or(Error{.code = ErrorCode::malformed_weights,
                                   .message = "not an index of weights",
                                   .location = {.file = path_}});
    if (!had_map_ || index_.tensors.empty())
      return Error{.code = ErrorCode::malformed_weights,
                   .message = had_map_ ? "weight_map names no tensor" : "weight_map is missing",
                   .location = {.file = path_, .pointer = had_map_ ? "/weight_map" : ""},
                   .hint = "an index maps each tensor to the file that holds it"};
    return std::move(index_);
  }

 private:
  [[nodiscard]] bool in_map() const {
    return path_in_.size() == 2 && path_in_.back() == "weight_map";
  }
  [[nodiscard]] bool in_metadata() const {
    return path_in_.size() == 2 && path_in_.back() == "metadata";
  }

  bool fail(std::string message, std::string pointer) {
    error_ = Error{.code = ErrorCode::malformed_weights,
                   .message = std::move(message),
                   .location = {.file = path_, .pointer = std::move(pointer)}};
    return false;
  }
  bool other() { return !in_map() || fail("expected the name of a file", "/weight_map/" + key_); }

  bool number(double value) {
    if (!in_metadata())
      return other();
    if (key_ == "total_size") {
      index_.total_size = value;
    } else if (key_ == "total_parameters" && value >= 0 && value < 1e15) {
      index_.total_parameters = static_cast<std::int64_t>(value);
    }
    return true;
  }

  bool add(const std::string& shard) {
    if (shard.empty() || shard.find_first_of("/\\") != std::string::npos || shard == "..")
      return fail("a shard is a file beside the index, not a path", "/weight_map/" + key_);
    if (index_.tensors.size() >= kMostTensors)
      return fail("more tensors than any model has", "/weight_map");
    if (!names_.insert(key_).second)
      return fail("the tensor \"" + key_ + "\" stands twice", "/weight_map/" + key_);
    index_.shards.insert(shard);
    if (index_.shards.size() > kMostShards)
      return fail("more shards than any model has", "/weight_map");
    index_.tensors.push_back(key_);
    return true;
  }

  bool descend(const std::string& name) {
    if (in_map())
      return other();
    path_in_.push_back(name);
    return path_in_.size() <= kMostNesting || fail("nested too deep", "");
  }
  bool ascend() {
    path_in_.pop_back();
    return true;
  }

  std::string path_;
  std::vector<std::string> path_in_;  // keys from the root
  std::string key_;
  bool had_root_ = false, had_map_ = false;
  std::unordered_set<std::string> names_;
  std::optional<Error> error_;
  WeightIndex index_;
};

}  // namespace

Result<WeightIndex> read_weight_index(const support::FileSource& files, const std::string& path) {
  GPU_ADVISOR_TRY(const std::string text, files.read(path, kMostIndex));
  IndexEvents events(path);
  const bool complete = nlohmann::json::sax_parse(text, &events);
  GPU_ADVISOR_TRY(WeightIndex index, events.finish(complete));
  if (!index.total_size)
    index.warnings.emplace_back("the index gives no total_size");
  else if (!(*index.total_size > 0))
    index.warnings.push_back(fmt::format("the index says total_size {}", *index.total_size));
  return index;
}

}  // namespace gpu_advisor::model
