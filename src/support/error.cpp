#include "gpu_advisor/support/error.hpp"

#include <algorithm>

namespace gpu_advisor::support {

const std::vector<ErrorRow>& error_table() {
  using enum ErrorCode;
  static const std::vector<ErrorRow> kRows{
      {usage, "usage", 2, "A flag is unknown, malformed or contradicts another."},
      {unknown_name, "unknown_name", 2,
       "A GPU, model, provider or region that the catalog does not know."},
      {ambiguous_name, "ambiguous_name", 2,
       "A name that means several things; the message lists them."},
      {file_not_found, "file_not_found", 3, "There is no such file or folder."},
      {file_unreadable, "file_unreadable", 3, "The file cannot be read or is not a regular file."},
      {file_too_large, "file_too_large", 3, "The file is larger than its reader accepts."},
      {malformed_json, "malformed_json", 3, "The text is not one JSON document."},
      {malformed_yaml, "malformed_yaml", 3, "The text is not a YAML document that can be read."},
      {malformed_csv, "malformed_csv", 3, "The CSV is broken or lacks a column."},
      {malformed_weights, "malformed_weights", 3, "A safetensors, GGUF or index file is broken."},
      {unknown_key, "unknown_key", 3, "A key that the schema does not have."},
      {missing_key, "missing_key", 3, "A required key is absent."},
      {wrong_type, "wrong_type", 3, "A value has another JSON type than expected."},
      {out_of_range, "out_of_range", 3, "A value lies beyond its bounds."},
      {broken_reference, "broken_reference", 3, "An id that nothing has."},
      {duplicate_id, "duplicate_id", 3, "An id is given twice."},
      {unsupported_version, "unsupported_version", 3,
       "A schema version that this program does not read."},
      {unsupported_model, "unsupported_model", 3,
       "A file that is read but is not a model that can be sized."},
      {unsupported_workload, "unsupported_workload", 5,
       "A workload that the tool cannot judge honestly."},
      {stale_prices, "stale_prices", 5, "The prices are older than the user allows."},
      {internal, "internal", 4, "A bug in the program."},
  };
  return kRows;
}

const ErrorRow& error_row(ErrorCode code) {
  return *std::ranges::find(error_table(), code, &ErrorRow::code);
}

std::string Error::to_text() const {
  std::string text;
  if (!location.file.empty()) {
    text += location.file;
    if (location.line)
      text += ":" + std::to_string(*location.line);
    if (!location.pointer.empty())
      text += " at " + location.pointer;
    if (location.offset)
      text += " at byte " + std::to_string(*location.offset);
    text += ": ";
  }
  text += message;
  for (const std::string& step : context)
    text += " (" + step + ")";
  if (!hint.empty())
    text += "; " + hint;
  return text;
}

Error with_context(Error error, std::string context) {
  error.context.push_back(std::move(context));
  return error;
}

Error in_file(Error error, std::string_view file) {
  if (error.location.file.empty())
    error.location.file = file;
  return error;
}

}  // namespace gpu_advisor::support
