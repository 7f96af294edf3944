#include "gpu_advisor/catalog/embedded.hpp"

#include <algorithm>

#include "catch2.hpp"

using gpu_advisor::catalog::embedded_files;
using gpu_advisor::catalog::EmbeddedFile;
using gpu_advisor::catalog::kEmbeddedPadding;

TEST_CASE("embedded files are sorted by path") {
  CHECK(std::ranges::is_sorted(embedded_files(), {}, &EmbeddedFile::path));
}

TEST_CASE("zero bytes follow the content of each embedded file") {
  for (const EmbeddedFile& file : embedded_files()) {
    CAPTURE(file.path);
    const char* end = file.content.data() + file.content.size();
    CHECK(std::all_of(end, end + kEmbeddedPadding, [](char byte) { return byte == '\0'; }));
  }
}

TEST_CASE("embedded files hold whole JSON documents") {
  for (const EmbeddedFile& file : embedded_files()) {
    CAPTURE(file.path);
    const std::size_t last = file.content.find_last_not_of("\n");
    REQUIRE(last != std::string_view::npos);
    CHECK((file.content.front() == '{' || file.content.front() == '['));
    CHECK((file.content.at(last) == '}' || file.content.at(last) == ']'));
  }
}
