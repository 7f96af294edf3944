#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gpu_advisor/render/document/document.hpp"

namespace gpu_advisor::render {

struct WriterOptions {
  int width = 80;  // terminal columns
  bool colour = false;
  bool quiet = false;  // tables and facts only
};

/// One row per output format of documents. JSON is written by `present`, since it carries the whole
/// result and not its picture.
struct Writer {
  std::string_view format;  // "table", "csv", "markdown"
  std::string (*write)(const Document&, const WriterOptions&);
};
[[nodiscard]] const std::vector<Writer>& writers();
[[nodiscard]] const Writer* find_writer(std::string_view format);

[[nodiscard]] std::string write_table(const Document& document, const WriterOptions& options);
/// RFC 4180; only the document's first table.
[[nodiscard]] std::string write_csv(const Document& document, const WriterOptions& options);
[[nodiscard]] std::string write_markdown(const Document& document, const WriterOptions& options);

}  // namespace gpu_advisor::render
