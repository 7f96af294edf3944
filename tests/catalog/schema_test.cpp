#include "gpu_advisor/catalog/schema.hpp"

#include <fmt/format.h>
#include <fstream>
#include <sstream>

#include "catch2.hpp"

using namespace gpu_advisor;

namespace {

std::string path_of(const catalog::DataSchema& schema) {
  return fmt::format("{}/data/schema/{}.schema.json", GPU_ADVISOR_SOURCE_DIR, schema.kind);
}

}  // namespace

TEST_CASE("the schemas in data/schema are those of the field lists") {
  for (const catalog::DataSchema& schema : catalog::data_schemas()) {
    CAPTURE(schema.kind);
    std::ifstream file(path_of(schema));
    std::stringstream text;
    text << file.rdbuf();
    INFO("stale: write it with test_catalog \"[write-schema]\"");
    CHECK((text.str() == schema.text()));
  }
}

TEST_CASE("writes the schemas", "[.][write-schema]") {
  for (const catalog::DataSchema& schema : catalog::data_schemas())
    std::ofstream(path_of(schema)) << schema.text();
}
