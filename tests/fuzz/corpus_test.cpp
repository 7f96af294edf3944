#include <filesystem>

#include "catch2.hpp"
#include "gpu_advisor/support/file_source.hpp"
#include "targets.hpp"

using namespace gpu_advisor;

TEST_CASE("every kept input of the fuzz targets is read or refused") {
  const auto files = support::disk_files();
  const std::string corpus = std::string(GPU_ADVISOR_SOURCE_DIR) + "/tests/fuzz/corpus/";
  for (const fuzz::Target& target : fuzz::targets()) {
    const std::string folder = corpus + std::string(target.name);
    const auto names = files->list(folder);
    REQUIRE(names);
    CHECK_FALSE(names->empty());
    for (const std::string& name : *names) {
      CAPTURE(target.name, name);
      const auto input = files->read(folder + "/" + name, std::uint64_t{1} << 24);
      REQUIRE(input);
      target.run(*input);
    }
  }
}

TEST_CASE("beginnings of good inputs are refused and never read past their end") {
  const auto files = support::disk_files();
  const std::string corpus = std::string(GPU_ADVISOR_SOURCE_DIR) + "/tests/fuzz/corpus/";
  for (const fuzz::Target& target : fuzz::targets()) {
    const std::string folder = corpus + std::string(target.name);
    const auto names = files->list(folder);
    REQUIRE(names);
    for (const std::string& name : *names) {
      const auto input = files->read(folder + "/" + name, std::uint64_t{1} << 24);
      REQUIRE(input);
      const std::size_t step = input->size() / 64 + 1;
      for (std::size_t length = 0; length < input->size(); length += step)
        target.run(std::string_view(*input).substr(0, length));
    }
  }
}
