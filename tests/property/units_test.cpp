#include <cmath>
#include <random>

#include "catch2.hpp"
#include "gpu_advisor/units/data_type.hpp"
#include "gpu_advisor/units/parse.hpp"

using namespace gpu_advisor::units;

namespace {

std::string joined(const std::string& text) {  // thousands are printed apart
  std::string result;
  for (const char c : text) {
    result += c == ' ' ? "" : std::string(1, c);
  }
  return result;
}

}  // namespace

TEST_CASE("a printed count reads back within half a percent") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> exponent(3, 14);
  for (int i = 0; i < 2000; ++i) {
    const double count = std::pow(10, exponent(random));
    CAPTURE(count, print_count(count));
    CHECK(parse_count(joined(print_count(count))).value() == Catch::Approx(count).epsilon(0.005));
  }
}

TEST_CASE("a printed size reads back within half a percent") {
  std::mt19937 random(8);
  std::uniform_real_distribution<double> exponent(3.1, 14);
  for (int i = 0; i < 2000; ++i) {
    const Bytes size = bytes(std::pow(10, exponent(random)));
    CAPTURE(print_memory(size));
    const double back = parse_memory(joined(print_memory(size))).value() / bytes(1);
    CHECK(back == Catch::Approx(size / bytes(1)).epsilon(0.005));
  }
}

TEST_CASE("every format is found under its name in any case and with its family in front") {
  for (const Quantisation& row : quantisations()) {
    std::string upper(row.name);
    for (char& c : upper) {
      c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    }
    CAPTURE(upper);
    REQUIRE(find_quantisation(upper));
    CHECK(find_quantisation(upper)->name == row.name);
    if (row.family == "gguf") {
      const std::string prefixed = "gguf-" + std::string(row.name);
      REQUIRE(find_quantisation(prefixed));
      CHECK(find_quantisation(prefixed)->name == row.name);
    }
  }
}

TEST_CASE("no text makes the readers of units fail otherwise than by an error") {
  std::mt19937 random(9);
  const std::string alphabet = "0123456789.+-eEkKmMbBtTgGiI%/$ hdwsx_q\xE4\xBD\xA0";
  for (int i = 0; i < 5000; ++i) {
    std::string text;
    for (std::size_t n = random() % 10; n > 0; --n) {
      text += alphabet[random() % alphabet.size()];
    }
    CAPTURE(text);
    if (const auto parameters = parse_parameters(text)) {
      CHECK(*parameters > 0);
    }
    if (const auto size = parse_memory(text)) {
      CHECK(*size >= bytes(0));
    }
    if (const auto share = parse_share(text)) {
      CHECK((*share >= 0 && *share <= 1));
    }
    if (const auto budget = parse_budget(text)) {
      CHECK(budget->amount > 0);
    }
    static_cast<void>(parse_count(text).has_value());
    static_cast<void>(parse_duration(text).has_value());
    static_cast<void>(find_quantisation(text).has_value());
    static_cast<void>(parse_data_type(text).has_value());
  }
}
