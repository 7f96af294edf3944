#pragma once

#include <string>
#include <string_view>

namespace gpu_advisor::test {

/// Checks one statement about a JSON text and says what is wrong; empty when it holds.
///
///     /recommendations/*/cost/hourly_usd <= 2     every element that '*' stands for
///     /name == "llama-2-7b"                       the right side is JSON
///     /recommendations count >= 3                 members of an array or object
///     /error present        /error absent
///
/// Comparisons: == != < <= > >=. A pointer that leads nowhere fails, except for `absent`; so does
/// one whose '*' stands for nothing.
[[nodiscard]] std::string check_json(std::string_view text, std::string_view statement);

/// Checks a JSON text against a JSON Schema; says what is wrong, empty when it is valid.
[[nodiscard]] std::string check_schema(std::string_view text, const std::string& schema_path);

/// The path of the published schema that a result names by its "schema" member
/// ("gpu-advisor/recommendation@1"), or empty.
[[nodiscard]] std::string published_schema(std::string_view text);

}  // namespace gpu_advisor::test
