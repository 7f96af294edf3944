#include <fmt/format.h>
#include <utility>

#include "config_internal.hpp"

namespace gpu_advisor::model {

using support::Error;
using support::ErrorCode;
using support::JsonCursor;

Config::Config(JsonCursor cursor)
    : Config(std::move(cursor), std::make_shared<std::optional<Error>>()) {}

Config::Config(JsonCursor cursor, std::shared_ptr<std::optional<Error>> problem)
    : cursor_(std::move(cursor)), problem_(std::move(problem)) {}

void Config::fail(Error error) const {
  if (!*problem_) {
    *problem_ = std::move(error);
  }
}

std::optional<std::string_view> Config::present(Keys keys) const {
  for (const std::string_view key : keys) {
    if (cursor_.has(key)) {
      return key;
    }
  }
  return std::nullopt;
}

bool Config::has_any(Keys keys) const {
  return present(keys).has_value();
}

std::int64_t Config::read_size(std::string_view key, std::int64_t most) const {
  const auto at = cursor_.at(key);
  if (!at) {
    fail(at.error());
    return 0;
  }
  const auto value = at->integer();
  if (!value) {
    fail(value.error());
    return 0;
  }
  if (*value < 0 || *value > most) {
    fail(at->fail(ErrorCode::out_of_range,
                  fmt::format("{} is {}, expected 0 to {}", key, *value, most)));
    return 0;
  }
  return *value;
}

std::int64_t Config::size(Keys keys) const {
  if (const auto key = present(keys)) {
    return read_size(*key, kMostWidth);
  }
  fail(cursor_.fail(ErrorCode::unsupported_model,
                    fmt::format("the config has no {}", *keys.begin()),
                    "without its dimensions a model cannot be sized"));
  return 0;
}

std::int64_t Config::size_or(Keys keys, std::int64_t fallback) const {
  return entries_or(keys, fallback, kMostWidth);
}

std::int64_t Config::entries_or(Keys keys, std::int64_t fallback, std::int64_t most) const {
  const auto key = present(keys);
  return key ? read_size(*key, most) : fallback;
}

std::int64_t Config::layers(Keys keys) const {
  if (const auto key = present(keys)) {
    return read_size(*key, kMostLayers);
  }
  return size(keys);
}

double Config::number_or(Keys keys, double fallback) const {
  const auto key = present(keys);
  if (!key) {
    return fallback;
  }
  const auto value = cursor_.optional_number(*key);
  if (!value) {
    fail(value.error());
    return fallback;
  }
  return value->value_or(fallback);
}

bool Config::flag_or(Keys keys, bool fallback) const {
  const auto key = present(keys);
  if (!key) {
    return fallback;
  }
  const auto value = cursor_.optional_boolean(*key);
  if (!value) {
    fail(value.error());
    return fallback;
  }
  return value->value_or(fallback);
}

std::string Config::word_or(Keys keys, std::string_view fallback) const {
  for (const std::string_view key : keys) {
    const auto value = cursor_.optional_text(key);
    if (value && *value) {
      return **value;
    }
  }
  return std::string(fallback);
}

std::optional<Config> Config::child(std::string_view key) const {
  if (!cursor_.has(key)) {
    return std::nullopt;
  }
  auto at = cursor_.at(key);
  if (!at || !at->json().is_object()) {
    return std::nullopt;
  }
  return Config(std::move(at).value(), problem_);
}

bool Config::is_list(std::string_view key) const {
  const auto at = cursor_.at(key);
  return at && at->json().is_array();
}

std::vector<std::string> Config::words(std::string_view key) const {
  std::vector<std::string> words;
  if (!is_list(key)) {
    return words;
  }
  for (const support::Json& item : cursor_.at(key)->json()) {
    words.push_back(item.is_string() ? item.get<std::string>() : std::string());
  }
  return words;
}

std::vector<std::int64_t> Config::sizes(std::string_view key) const {
  std::vector<std::int64_t> sizes;
  if (!is_list(key)) {
    if (cursor_.has(key)) {
      sizes.push_back(read_size(key, kMostWidth));
    }
    return sizes;
  }
  const auto items = cursor_.at(key)->elements();
  for (const JsonCursor& item : *items) {
    const auto value = item.integer();
    if (!value) {
      fail(value.error());
      return {};
    }
    if (*value < 0 || *value > kMostWidth) {
      fail(item.fail(ErrorCode::out_of_range,
                     fmt::format("{} is out of 0 to {}", *value, kMostWidth)));
      return {};
    }
    sizes.push_back(*value);
  }
  return sizes;
}

std::vector<Config> Config::children(std::string_view key) const {
  std::vector<Config> children;
  if (!is_list(key)) {
    return children;
  }
  const auto items = cursor_.at(key)->elements();
  for (const JsonCursor& item : *items) {
    children.push_back(Config(item, problem_));
  }
  return children;
}

}  // namespace gpu_advisor::model
