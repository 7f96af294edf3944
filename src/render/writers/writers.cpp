#include "gpu_advisor/render/writers/writers.hpp"

#include <algorithm>

namespace gpu_advisor::render {

const std::vector<Writer>& writers() {
  static const std::vector<Writer> kWriters{
      {"table", write_table}, {"csv", write_csv}, {"markdown", write_markdown}};
  return kWriters;
}

const Writer* find_writer(std::string_view format) {
  const auto found = std::ranges::find(writers(), format, &Writer::format);
  return found == writers().end() ? nullptr : &*found;
}

}  // namespace gpu_advisor::render
