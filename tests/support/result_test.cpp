#include "gpu_advisor/support/result.hpp"

#include <memory>
#include <string>

#include "catch2.hpp"

using gpu_advisor::support::Error;
using gpu_advisor::support::ErrorCode;
using gpu_advisor::support::ok;
using gpu_advisor::support::Result;
using gpu_advisor::support::Status;

namespace {

Result<int> half(int number) {
  if (number % 2 != 0) {
    return Error{.code = ErrorCode::out_of_range, .message = std::to_string(number) + " is odd"};
  }
  return number / 2;
}

Result<int> quarter(int number) {
  GPU_ADVISOR_TRY(const int once, half(number));
  GPU_ADVISOR_TRY(const int twice, half(once));
  return twice;
}

Status must_be_even(int number) {
  GPU_ADVISOR_CHECKED(half(number));
  return ok();
}

}  // namespace

TEST_CASE("a result holds a value or an error") {
  CHECK(half(8).has_value());
  CHECK(half(8).value() == 4);
  CHECK_FALSE(half(7));
  CHECK(half(7).error().message == "7 is odd");
  CHECK(half(7).value_or(-1) == -1);
  CHECK(half(8).value_or(-1) == 4);
}

TEST_CASE("an error leaves the function at the first call that fails") {
  CHECK(*quarter(8) == 2);
  CHECK(quarter(6).error().message == "3 is odd");
  CHECK(quarter(5).error().message == "5 is odd");
  CHECK(must_be_even(2));
  CHECK(must_be_even(3).error().code == ErrorCode::out_of_range);
}

TEST_CASE("a value that cannot be copied is moved out") {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
  const std::unique_ptr<int> value = std::move(result).value();
  CHECK(*value == 5);
}
