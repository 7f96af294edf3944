#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpu_advisor::render {

/// Text that a terminal may be given: control characters (names come from files that anyone may
/// have written) become blanks, broken UTF-8 becomes U+FFFD. Line breaks stay.
[[nodiscard]] std::string printable(std::string_view utf8);
/// The same on one line.
[[nodiscard]] std::string one_line(std::string_view utf8);
/// At most `width` terminal columns; what was cut off is shown as "…".
[[nodiscard]] std::string shortened(std::string_view utf8, std::size_t width);
/// Lines of at most `width` columns, broken at blanks where there are any and between East Asian
/// characters; a longer word is cut. Never empty.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view utf8, std::size_t width);

}  // namespace gpu_advisor::render
