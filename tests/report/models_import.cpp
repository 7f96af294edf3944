// Writes data/models from a models CSV: models_import CSV CORRECTIONS DATA_FOLDER
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>

#include "gpu_advisor/model/import.hpp"
#include "gpu_advisor/support/file_source.hpp"

using namespace gpu_advisor;

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: models_import CSV CORRECTIONS DATA_FOLDER\n");
    return EXIT_FAILURE;
  }
  const auto files = support::disk_files();
  constexpr std::uint64_t kMost = 1U << 26;
  const auto csv = files->read(argv[1], kMost);
  const auto corrections = files->read(argv[2], kMost);
  if (!csv || !corrections) {
    fmt::print(stderr, "cannot read\n");
    return EXIT_FAILURE;
  }
  const auto imported = model::import_models_csv(*csv, argv[1], *corrections);
  if (!imported) {
    fmt::print(stderr, "{}\n", imported.error().to_text());
    return EXIT_FAILURE;
  }
  for (const auto& [path, content] : imported->files) {
    std::ofstream(std::string(argv[3]) + "/" + path) << content;
  }
  for (const std::string& note : imported->notes) {
    fmt::print("{}\n", note);
  }
  return EXIT_SUCCESS;
}
