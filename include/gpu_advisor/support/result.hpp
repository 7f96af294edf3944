#pragma once

#include <cassert>
#include <utility>
#include <variant>

#include "gpu_advisor/support/error.hpp"

namespace gpu_advisor::support {

/// A value or the reason why there is none. Member names are those of `std::expected`, which can
/// replace it one day. Reading the wrong side is a bug and asserts.
template <typename T>
class [[nodiscard]] Result {
 public:
  using value_type = T;
  // Implicit, so that a function returns the value or the error as it is.
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  [[nodiscard]] const T& value() const& { return *check(); }
  [[nodiscard]] T& value() & { return *check(); }
  [[nodiscard]] T&& value() && { return std::move(*check()); }
  const T& operator*() const& { return *check(); }
  T& operator*() & { return *check(); }
  T&& operator*() && { return std::move(*check()); }
  const T* operator->() const { return check(); }
  T* operator->() { return check(); }
  [[nodiscard]] const Error& error() const& { return std::get<1>(state_); }
  [[nodiscard]] Error&& error() && { return std::get<1>(std::move(state_)); }
  [[nodiscard]] T value_or(T fallback) const& {
    return has_value() ? value() : std::move(fallback);
  }

 private:
  const T* check() const {
    assert(has_value());
    return std::get_if<0>(&state_);
  }
  T* check() {
    assert(has_value());
    return std::get_if<0>(&state_);
  }
  std::variant<T, Error> state_;
};

/// Success, or the reason why not.
using Status = Result<std::monostate>;
[[nodiscard]] inline Status ok() {
  return std::monostate{};
}

}  // namespace gpu_advisor::support

#define GPU_ADVISOR_CONCAT_INNER(a, b) a##b
#define GPU_ADVISOR_CONCAT(a, b) GPU_ADVISOR_CONCAT_INNER(a, b)
#define GPU_ADVISOR_TRY_NAMED(temporary, target, ...) \
  auto temporary = (__VA_ARGS__);                     \
  if (!temporary.has_value())                         \
    return std::move(temporary).error();              \
  target = std::move(temporary).value()
/// `GPU_ADVISOR_TRY(auto x, compute());` – binds the value, or returns the error to the caller.
#define GPU_ADVISOR_TRY(target, ...) \
  GPU_ADVISOR_TRY_NAMED(GPU_ADVISOR_CONCAT(result_, __COUNTER__), target, __VA_ARGS__)
/// `GPU_ADVISOR_CHECKED(validate());` – for a Status: returns the error to the caller.
#define GPU_ADVISOR_CHECKED(...)              \
  do {                                        \
    if (auto status = (__VA_ARGS__); !status) \
      return std::move(status).error();       \
  } while (false)
