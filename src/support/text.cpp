#include "gpu_advisor/support/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace gpu_advisor::support {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z');
}

/// Levenshtein distance with two rows.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

/// Decodes one code point; a broken byte stands for itself.
std::uint32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at++);
  const int extra = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
  if (extra == 0 || at + static_cast<std::size_t>(extra) > text.size())
    return first;
  std::uint32_t code = first & (0x3Fu >> extra);
  for (int i = 0; i < extra; ++i)
    code = (code << 6) | (byte(at++) & 0x3Fu);
  return code;
}

struct WideRange {
  std::uint32_t first, last;
};
/// East Asian wide and fullwidth blocks (Unicode Standard Annex 11), by block.
constexpr std::array kWide{
    WideRange{0x1100, 0x115F},  WideRange{0x2E80, 0x303E}, WideRange{0x3041, 0x33FF},
    WideRange{0x3400, 0x4DBF},  WideRange{0x4E00, 0x9FFF}, WideRange{0xA000, 0xA4CF},
    WideRange{0xAC00, 0xD7A3},  WideRange{0xF900, 0xFAFF}, WideRange{0xFE30, 0xFE6F},
    WideRange{0xFF00, 0xFF60},  WideRange{0xFFE0, 0xFFE6}, WideRange{0x1F300, 0x1FAFF},
    WideRange{0x20000, 0x3FFFD}};

std::size_t width_of(std::uint32_t code) {
  if (code < 0x20 || (code >= 0x300 && code <= 0x36F) || code == 0x200B)
    return 0;
  const bool wide = std::ranges::any_of(
      kWide, [code](const WideRange& range) { return code >= range.first && code <= range.last; });
  return wide ? 2 : 1;
}

}  // namespace

std::string to_lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), lower);
  return result;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  for (std::size_t end = text.find(separator); end != std::string_view::npos;
       end = text.find(separator, start)) {
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  parts.push_back(text.substr(start));
  return parts;
}

std::string fold(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (is_alphanumeric(c))
      result += lower(c);
  return result;
}

bool glob_match(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() &&
        (pattern[p] == '?' || (pattern[p] != '*' && lower(pattern[p]) == lower(text[t])))) {
      ++p;
      ++t;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*')
    ++p;
  return p == pattern.size();
}

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::vector<std::string> nearest(std::string_view word, std::span<const std::string> candidates,
                                 std::size_t most) {
  const std::string wanted = to_lower(word);
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& candidate : candidates) {
    const std::string other = to_lower(candidate);
    const std::size_t distance = edit_distance(wanted, other);
    const bool begins = !wanted.empty() && other.starts_with(wanted);
    if (begins || distance * 3 <= std::max(wanted.size(), other.size()))
      found.emplace_back(begins ? std::min<std::size_t>(distance, 1) : distance, candidate);
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::vector<std::string> names;
  for (auto& entry : found)
    if (names.size() < most)
      names.push_back(std::move(entry.second));
  return names;
}

std::string did_you_mean(std::span<const std::string> names) {
  if (names.empty())
    return {};
  std::string text = "did you mean ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0)
      text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text + "?";
}

std::size_t display_width(std::string_view utf8) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < utf8.size();)
    width += width_of(next_code_point(utf8, at));
  return width;
}

}  // namespace gpu_advisor::support
