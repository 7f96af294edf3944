#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpu_advisor::render {

/// Three significant digits, thousands plain: "0.412", "1.64", "18.3", "972".
[[nodiscard]] std::string short_number(double value);
/// Money: two digits after the point below 1000, none above.
[[nodiscard]] std::string price(double amount);
/// `{name}` in a text of data/texts, filled.
using Fill = std::vector<std::pair<std::string_view, std::string>>;
[[nodiscard]] std::string filled(std::string_view text, const Fill& values);

}  // namespace gpu_advisor::render
