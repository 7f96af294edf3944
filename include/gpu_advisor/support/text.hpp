#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpu_advisor::support {

[[nodiscard]] std::string to_lower(std::string_view text);  // ASCII only
[[nodiscard]] std::string_view trim(std::string_view text);
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
/// Lower case, and only letters and digits: "RTX 3090" and "rtx-3090" fold to the same key.
[[nodiscard]] std::string fold(std::string_view text);
/// Shell-like pattern with `*` and `?`, ASCII case-insensitive.
[[nodiscard]] bool glob_match(std::string_view pattern, std::string_view text);
/// A finite number filling the whole text, in the C locale.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);
/// The candidates nearest to `word` by edit distance (at most `most`, best first; none that differ
/// in more than a third of their letters).
[[nodiscard]] std::vector<std::string> nearest(std::string_view word,
                                               std::span<const std::string> candidates,
                                               std::size_t most = 3);
/// "did you mean a, b or c?" or empty.
[[nodiscard]] std::string did_you_mean(std::span<const std::string> names);
/// Width in terminal columns of UTF-8 text (East Asian wide characters count two).
[[nodiscard]] std::size_t display_width(std::string_view utf8);

}  // namespace gpu_advisor::support
