#include "gpu_advisor/support/error.hpp"

#include <set>

#include "catch2.hpp"

using gpu_advisor::support::Error;
using gpu_advisor::support::error_row;
using gpu_advisor::support::error_table;
using gpu_advisor::support::ErrorCode;
using gpu_advisor::support::ErrorRow;
using gpu_advisor::support::in_file;
using gpu_advisor::support::with_context;

TEST_CASE("the error table has one row for each code, in the order of the enum") {
  int expected = 0;
  for (const ErrorRow& row : error_table()) {
    CHECK(static_cast<int>(row.code) == expected++);
  }
  CHECK(error_table().back().code == ErrorCode::internal);
}

TEST_CASE("exit codes tell usage, input, judgement and bug apart") {
  CHECK(error_row(ErrorCode::usage).exit_code == 2);
  CHECK(error_row(ErrorCode::unknown_name).exit_code == 2);
  CHECK(error_row(ErrorCode::unknown_key).exit_code == 3);
  CHECK(error_row(ErrorCode::internal).exit_code == 4);
  CHECK(error_row(ErrorCode::stale_prices).exit_code == 5);
  CHECK(Error{.code = ErrorCode::malformed_json, .message = "x"}.exit_code() == 3);
}

TEST_CASE("an error reads as place, message, context and hint") {
  const Error error = {.code = ErrorCode::unknown_key,
                       .message = "unknown key \"vrm\"",
                       .location = {.file = "a.json", .pointer = "/rows/3/vrm"},
                       .context = {"while reading offer aws/p5.48xlarge"},
                       .hint = "did you mean vram?"};
  CHECK(error.to_text() ==
        "a.json at /rows/3/vrm: unknown key \"vrm\" (while reading offer aws/p5.48xlarge); "
        "did you mean vram?");
  CHECK(Error{.code = ErrorCode::usage, .message = "no"}.to_text() == "no");
}

TEST_CASE("lines and byte offsets are part of the place") {
  Error error = {.code = ErrorCode::malformed_csv, .message = "too few columns"};
  error.location = {.file = "a.csv", .line = 7};
  CHECK(error.to_text() == "a.csv:7: too few columns");
  error.location = {.file = "a.gguf", .offset = 12};
  CHECK(error.to_text() == "a.gguf at byte 12: too few columns");
}

TEST_CASE("context is added outside, and a file only where none is named") {
  Error error = {.code = ErrorCode::wrong_type, .message = "no"};
  error = with_context(with_context(error, "inner"), "outer");
  CHECK(error.context == std::vector<std::string>{"inner", "outer"});
  error = in_file(in_file(error, "first"), "second");
  CHECK(error.location.file == "first");
}
