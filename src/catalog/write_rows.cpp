#include "write_rows_internal.hpp"

namespace gpu_advisor::catalog {

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20)
          out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
        else
          out += c;
    }
  }
  return out + "\"";
}

std::string number_text(double value) {
  return fmt::format("{:.9g}", value);
}

std::string value_text(const FieldValue& value) {
  if (const auto* text = std::get_if<std::string>(&value))
    return json_text(*text);
  if (const auto* number = std::get_if<double>(&value))
    return number_text(*number);
  if (const auto* flag = std::get_if<bool>(&value))
    return *flag ? "true" : "false";
  std::string list;
  for (const std::string& text : std::get<TextList>(value))
    list += (list.empty() ? "" : ", ") + json_text(text);
  return "[" + list + "]";
}

}  // namespace gpu_advisor::catalog
