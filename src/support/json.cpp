#include "gpu_advisor/support/json.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "gpu_advisor/support/text.hpp"

namespace gpu_advisor::support {
namespace {

constexpr int kMaxDepth = 256;

/// Nesting of brackets outside strings: checked before the parser recurses.
bool too_deep(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kMaxDepth)
        return true;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return false;
}

std::string_view type_name(const Json& value) {
  if (value.is_number())
    return "a number";
  if (value.is_string())
    return "a string";
  if (value.is_boolean())
    return "a boolean";
  if (value.is_array())
    return "an array";
  if (value.is_object())
    return "an object";
  return "null";
}

std::string escape_pointer(std::string_view key) {
  std::string escaped;
  for (const char c : key)
    escaped += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return escaped;
}

template <typename T, typename Read>
Result<std::optional<T>> optional_value(const JsonCursor& cursor, std::string_view key, Read read) {
  if (!cursor.has(key))
    return std::optional<T>{};
  GPU_ADVISOR_TRY(const JsonCursor value, cursor.at(key));
  GPU_ADVISOR_TRY(T result, read(value));
  return std::optional<T>(std::move(result));
}

}  // namespace

Result<Json> parse_json(std::string_view text, std::string_view file) {
  const auto broken = [file](std::string message, std::uint64_t offset) {
    return Error{.code = ErrorCode::malformed_json,
                 .message = std::move(message),
                 .location = {.file = std::string(file), .offset = offset}};
  };
  if (too_deep(text))
    return broken("nested more than 256 levels deep", 0);
  std::vector<std::set<std::string>> keys;
  std::string duplicate;
  const auto watch = [&keys, &duplicate](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start)
      keys.emplace_back();
    if (event == Json::parse_event_t::object_end)
      keys.pop_back();
    if (event == Json::parse_event_t::key &&
        !keys.back().insert(parsed.get<std::string>()).second && duplicate.empty())
      duplicate = parsed.get<std::string>();
    return true;
  };
  try {
    Json value = Json::parse(text.begin(), text.end(), watch);
    if (!duplicate.empty())
      return broken("the key \"" + duplicate + "\" stands twice in one object", 0);
    return value;
  } catch (const Json::parse_error& error) {
    const std::string what = error.what();
    const std::size_t detail = what.find(": ", what.find("column"));
    return broken(
        "not one JSON document: " + (detail == std::string::npos ? what : what.substr(detail + 2)),
        error.byte);
  } catch (const Json::exception& error) {
    return broken(std::string("not JSON: ") + error.what(), 0);
  }
}

bool JsonCursor::has(std::string_view key) const {
  if (!value_->is_object())
    return false;
  const auto found = value_->find(std::string(key));
  return found != value_->end() && !found->is_null();
}

Result<JsonCursor> JsonCursor::at(std::string_view key) const {
  if (!value_->is_object())
    return fail(ErrorCode::wrong_type,
                "expected an object, found " + std::string(type_name(*value_)));
  const auto found = value_->find(std::string(key));
  if (found == value_->end())
    return fail(ErrorCode::missing_key, "the key \"" + std::string(key) + "\" is missing");
  return JsonCursor(*found, file_, pointer_ + "/" + escape_pointer(key));
}

Result<std::vector<JsonCursor>> JsonCursor::elements() const {
  if (!value_->is_array())
    return fail(ErrorCode::wrong_type,
                "expected an array, found " + std::string(type_name(*value_)));
  std::vector<JsonCursor> cursors;
  cursors.reserve(value_->size());
  for (std::size_t i = 0; i < value_->size(); ++i)
    cursors.emplace_back((*value_)[i], file_, pointer_ + "/" + std::to_string(i));
  return cursors;
}

Result<std::string> JsonCursor::text() const {
  if (!value_->is_string())
    return fail(ErrorCode::wrong_type,
                "expected a string, found " + std::string(type_name(*value_)));
  return value_->get<std::string>();
}

Result<double> JsonCursor::number() const {
  if (!value_->is_number())
    return fail(ErrorCode::wrong_type,
                "expected a number, found " + std::string(type_name(*value_)));
  const auto number = value_->get<double>();
  if (!std::isfinite(number))
    return fail(ErrorCode::out_of_range, "expected a finite number");
  return number;
}

Result<std::int64_t> JsonCursor::integer() const {
  if (value_->is_number_integer() && !value_->is_number_unsigned())
    return value_->get<std::int64_t>();
  GPU_ADVISOR_TRY(const double number, this->number());
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (std::floor(number) != number || std::abs(number) > kExact)
    return fail(ErrorCode::out_of_range, "expected a whole number below 2^53");
  return static_cast<std::int64_t>(number);
}

Result<bool> JsonCursor::boolean() const {
  if (!value_->is_boolean())
    return fail(ErrorCode::wrong_type,
                "expected true or false, found " + std::string(type_name(*value_)));
  return value_->get<bool>();
}

Result<std::optional<std::string>> JsonCursor::optional_text(std::string_view key) const {
  return optional_value<std::string>(*this, key, [](const JsonCursor& c) { return c.text(); });
}
Result<std::optional<double>> JsonCursor::optional_number(std::string_view key) const {
  return optional_value<double>(*this, key, [](const JsonCursor& c) { return c.number(); });
}
Result<std::optional<std::int64_t>> JsonCursor::optional_integer(std::string_view key) const {
  return optional_value<std::int64_t>(*this, key, [](const JsonCursor& c) { return c.integer(); });
}
Result<std::optional<bool>> JsonCursor::optional_boolean(std::string_view key) const {
  return optional_value<bool>(*this, key, [](const JsonCursor& c) { return c.boolean(); });
}

Status JsonCursor::only(const std::vector<std::string>& allowed) const {
  if (!value_->is_object())
    return fail(ErrorCode::wrong_type,
                "expected an object, found " + std::string(type_name(*value_)));
  for (const auto& [key, value] : value_->items()) {
    if (std::ranges::find(allowed, key) != allowed.end())
      continue;
    return JsonCursor(value, file_, pointer_ + "/" + escape_pointer(key))
        .fail(ErrorCode::unknown_key, "unknown key \"" + key + "\"",
              did_you_mean(nearest(key, allowed)));
  }
  return ok();
}

Error JsonCursor::fail(ErrorCode code, std::string message, std::string hint) const {
  return Error{.code = code,
               .message = std::move(message),
               .location = {.file = file_, .pointer = pointer_},
               .hint = std::move(hint)};
}

}  // namespace gpu_advisor::support
