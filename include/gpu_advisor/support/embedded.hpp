#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace gpu_advisor::support {

/// Zero bytes that can be read after the content of every embedded file. At least simdjson's
/// SIMDJSON_PADDING, so `simdjson::padded_string_view(content, content.size() + kEmbeddedPadding)`
/// parses in place.
inline constexpr std::size_t kEmbeddedPadding = 64;

/// A file of the project's data/ folder as it was when the program was built.
struct EmbeddedFile {
  std::string_view path;     // below data/, with '/': "offers/aws.json"
  std::string_view content;  // aligned to 64 bytes, followed by kEmbeddedPadding zero bytes
};

/// Every .json file of data/, sorted by path; the bytes live as long as the program. Defined in the
/// library `gpu_advisor_embedded`.
[[nodiscard]] std::span<const EmbeddedFile> embedded_files();

}  // namespace gpu_advisor::support
