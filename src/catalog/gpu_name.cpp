#include <algorithm>
#include <array>
#include <cctype>

#include "gpu_advisor/support/text.hpp"
#include "gpu_name_internal.hpp"

namespace gpu_advisor::catalog {
namespace {

/// Words that name no model: makers, brands, and what tables add.
constexpr std::array<std::string_view, 19> kNoise{
    "nvidia",  "tesla",      "geforce",   "amd",    "radeon",     "instinct", "intel",
    "apple",   "huawei",     "google",    "aws",    "gpu",        "per",      "chip",
    "edition", "generation", "blackwell", "server", "workstation"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return c >= 'a' && c <= 'z';
}

/// Words of letters and digits; text in brackets is left out.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  std::string word;
  int brackets = 0;
  for (const char c : support::to_lower(name) + " ") {
    if (c == '(')
      ++brackets;
    if (brackets == 0 && (is_digit(c) || is_letter(c) || c == '.')) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
    if (c == ')' && brackets > 0)
      --brackets;
  }
  return words;
}

/// "80gb" or "80gib" as a number.
std::optional<double> memory_word(std::string_view word) {
  for (const std::string_view unit : {"gib", "gb", "g"})
    if (word.ends_with(unit) && word.size() > unit.size())
      if (const auto size = support::parse_number(word.substr(0, word.size() - unit.size())))
        return size;
  return std::nullopt;
}

std::string form_word(std::string_view word) {
  if (word.starts_with("sxm"))
    return "sxm";
  if (word == "pcie" || word == "pci")
    return "pcie";
  if (word == "oam")
    return "oam";
  return {};
}

/// Splits "4090d" into "4090" and "d", so that "RTX 4090 D" and "RTX4090D" have the same parts.
void add_parts(std::string_view word, std::vector<std::string>& parts) {
  std::string part;
  for (const char c : word) {
    if (!part.empty() && is_digit(part.back()) != is_digit(c)) {
      parts.push_back(std::move(part));
      part.clear();
    }
    part += c;
  }
  if (!part.empty())
    parts.push_back(std::move(part));
}

}  // namespace

std::string whole_name(std::string_view name) {
  return "=" + support::fold(name);
}

GpuName take_apart(std::string_view name) {
  GpuName result;
  std::vector<std::string> words = words_of(name);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (std::ranges::find(kNoise, word) != kNoise.end())
      continue;
    if (const std::string form = form_word(word); !form.empty()) {
      result.form = form;
    } else if (const auto size = memory_word(word)) {
      result.memory = size;
    } else if (i + 1 < words.size() && (words[i + 1] == "gb" || words[i + 1] == "gib") &&
               support::parse_number(word)) {
      result.memory = support::parse_number(word);
      ++i;
    } else {
      result.ordered += word;
      add_parts(word, parts);
    }
  }
  std::ranges::sort(parts);
  for (const std::string& part : parts)
    result.sorted += (result.sorted.empty() ? "" : ".") + part;
  return result;
}

}  // namespace gpu_advisor::catalog
