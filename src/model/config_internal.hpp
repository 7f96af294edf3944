#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_advisor/support/json.hpp"

namespace gpu_advisor::model {

/// The largest numbers that a config may hold, far beyond any real model and small enough that
/// products of three of them fit into 64 bits.
inline constexpr std::int64_t kMostLayers = 16384;
inline constexpr std::int64_t kMostWidth = std::int64_t{1} << 20;
inline constexpr std::int64_t kMostEntries = std::int64_t{1} << 26;  // vocabularies, positions

/// An object of a config.json. Reads by any of several key names; the first fault is kept and ends
/// up in `problem()`, so that a family reads all it needs and asks once at the end.
class Config {
 public:
  using Keys = std::initializer_list<std::string_view>;

  explicit Config(support::JsonCursor cursor);

  [[nodiscard]] bool has(std::string_view key) const { return cursor_.has(key); }
  [[nodiscard]] bool has_any(Keys keys) const;
  /// A width, a count of heads or experts: 0..kMostWidth. Missing: an error.
  [[nodiscard]] std::int64_t size(Keys keys) const;
  [[nodiscard]] std::int64_t size_or(Keys keys, std::int64_t fallback) const;
  /// The same with another upper bound.
  [[nodiscard]] std::int64_t entries_or(Keys keys, std::int64_t fallback,
                                        std::int64_t most = kMostEntries) const;
  [[nodiscard]] std::int64_t layers(Keys keys) const;
  [[nodiscard]] std::int64_t layers_or(Keys keys, std::int64_t fallback) const {
    return entries_or(keys, fallback, kMostLayers);
  }
  [[nodiscard]] double number_or(Keys keys, double fallback) const;
  [[nodiscard]] bool flag_or(Keys keys, bool fallback) const;
  [[nodiscard]] std::string word_or(Keys keys, std::string_view fallback) const;
  /// A nested object; absent: nothing.
  [[nodiscard]] std::optional<Config> child(std::string_view key) const;
  /// A list of words or of whole numbers; absent: empty. A number where a list may stand (a size
  /// that is the same everywhere) gives a list of one.
  [[nodiscard]] std::vector<std::string> words(std::string_view key) const;
  [[nodiscard]] std::vector<std::int64_t> sizes(std::string_view key) const;
  [[nodiscard]] std::vector<Config> children(std::string_view key) const;
  [[nodiscard]] bool is_list(std::string_view key) const;

  [[nodiscard]] const support::JsonCursor& cursor() const { return cursor_; }
  void fail(support::Error error) const;
  [[nodiscard]] const std::optional<support::Error>& problem() const { return *problem_; }

 private:
  Config(support::JsonCursor cursor, std::shared_ptr<std::optional<support::Error>> problem);
  [[nodiscard]] std::optional<std::string_view> present(Keys keys) const;
  [[nodiscard]] std::int64_t read_size(std::string_view key, std::int64_t most) const;

  support::JsonCursor cursor_;
  std::shared_ptr<std::optional<support::Error>> problem_;  // of the whole file
};

}  // namespace gpu_advisor::model
