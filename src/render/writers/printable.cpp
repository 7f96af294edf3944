#include <algorithm>

#include "gpu_advisor/support/text.hpp"
#include "printable_internal.hpp"

namespace gpu_advisor::render {
namespace {

using support::display_width;

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

/// Bytes of the well-formed character at the start of `text`; 0 when it is broken.
std::size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = first < 0x80                     ? 1
                             : first >= 0xC2 && first <= 0xDF ? 2
                             : first >= 0xE0 && first <= 0xEF ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 0;
  if (length == 0 || length > text.size())
    return 0;
  return std::ranges::all_of(text.substr(1, length - 1), is_continuation) ? length : 0;
}

bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character.front());
  if (character.size() == 1)
    return first < 0x20 || first == 0x7F;
  // C1 controls U+0080 to U+009F, which some terminals obey.
  return first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
}

/// The characters of printable text, combining marks joined to what they stand on.
std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> result;
  std::size_t start = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = std::max<std::size_t>(character_length(text.substr(at)), 1);
    const bool joins = at > start && display_width(text.substr(at, length)) == 0;
    if (at > start && !joins) {
      result.push_back(text.substr(start, at - start));
      start = at;
    }
    at += length;
  }
  if (start < text.size())
    result.push_back(text.substr(start));
  return result;
}

/// The longest beginning of `text` that has at most `width` columns; at least one character.
std::string_view beginning(std::string_view text, std::size_t width) {
  std::size_t bytes = 0, columns = 0;
  for (const std::string_view character : characters(text)) {
    columns += display_width(character);
    if (columns > width && bytes > 0)
      break;
    bytes += character.size();
  }
  return text.substr(0, bytes);
}

/// Where a line of at most `width` columns ends best: at the last blank within it, after a wide
/// character, or in the middle of a word that is longer than a line.
std::size_t line_end(std::string_view text, std::size_t width) {
  const std::string_view fits = beginning(text, width);
  if (fits.size() == text.size() || text[fits.size()] == ' ')
    return fits.size();
  std::size_t best = 0, at = 0;
  for (const std::string_view character : characters(fits)) {
    if (character == " ")
      best = at;
    at += character.size();
    if (display_width(character) > 1)
      best = at;
  }
  return best == 0 ? fits.size() : best;
}

void wrap_paragraph(std::string_view text, std::size_t width, std::vector<std::string>& lines) {
  do {
    const std::size_t end = line_end(text, width);
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  } while (!text.empty());
}

}  // namespace

std::string printable(std::string_view utf8) {
  std::string result;
  result.reserve(utf8.size());
  while (!utf8.empty()) {
    const std::size_t length = character_length(utf8);
    const std::string_view character = utf8.substr(0, std::max<std::size_t>(length, 1));
    if (length == 0)
      result += "\xEF\xBF\xBD";
    else if (character == "\n" || !is_control(character))
      result += character;
    else
      result += ' ';
    utf8.remove_prefix(character.size());
  }
  return result;
}

std::string one_line(std::string_view utf8) {
  std::string result = printable(utf8);
  std::ranges::replace(result, '\n', ' ');
  return result;
}

std::string shortened(std::string_view utf8, std::size_t width) {
  if (display_width(utf8) <= width)
    return std::string(utf8);
  if (width < 2)
    return width == 0 ? "" : "…";
  std::string_view kept = beginning(utf8, width - 1);
  if (display_width(kept) > width - 1)  // one wide character in a column of two
    kept = {};
  return std::string(kept) + "…";
}

std::vector<std::string> wrapped(std::string_view utf8, std::size_t width) {
  std::vector<std::string> lines;
  for (const std::string_view paragraph : support::split(utf8, '\n'))
    wrap_paragraph(paragraph, std::max<std::size_t>(width, 2), lines);
  return lines;
}

}  // namespace gpu_advisor::render
