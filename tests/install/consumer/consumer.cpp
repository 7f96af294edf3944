#include <cstdio>

#include "gpu_advisor/catalog/catalog.hpp"
#include "gpu_advisor/catalog/embedded.hpp"
#include "gpu_advisor/support/file_source.hpp"
#include "gpu_advisor/support/version.hpp"

// Links the whole way down: the catalog pulls in the JSON and number libraries.
int main() {
  const auto loaded = gpu_advisor::catalog::load_catalog(*gpu_advisor::support::disk_files(), {});
  std::printf("library %s, %zu files\n", gpu_advisor::support::kVersion.data(),
              gpu_advisor::catalog::embedded_files().size());
  return loaded.catalog.has_value() ? 0 : 1;
}
