#pragma once

#include <string>
#include <string_view>

namespace gpu_advisor::render {

enum class Language { en, zh };

/// The text for people under `key` in `data/texts/<language>.json` (embedded); names in braces
/// are filled by the caller. An unknown key is a bug and gives the key itself; a test walks all
/// keys.
[[nodiscard]] std::string_view text(std::string_view key, Language language);

}  // namespace gpu_advisor::render
