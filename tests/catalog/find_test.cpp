#include <algorithm>
#include <string>
#include <vector>

#include "catch2.hpp"
#include "sample.hpp"

using namespace gpu_advisor;
using support::ErrorCode;

namespace {

const catalog::Catalog& shipped() {
  static const catalog::Catalog catalog =
      *catalog::load_catalog(support::MemoryFiles({}), {}, {.offers = false, .calibration = false})
           .catalog;
  return catalog;
}

std::string id_of(std::string_view name) {
  const auto match = shipped().find_accelerator(name);
  return match ? match->accelerator->id : match.error().to_text();
}

std::vector<std::string> ids_of(std::string_view pattern) {
  std::vector<std::string> ids;
  if (const auto found = shipped().filter_accelerators(pattern))
    for (const std::uint32_t index : *found)
      ids.push_back(shipped().accelerators()[index].id);
  return ids;
}

bool contains(const std::vector<std::string>& ids, std::string_view id) {
  return std::ranges::find(ids, id) != ids.end();
}

}  // namespace

TEST_CASE("accelerators are found by the names people use") {
  struct Case {
    const char *name, *id;
  };
  const auto [name, id] = GENERATE(
      Case{"Tesla T4", "nvidia-t4"}, Case{"nvidia-tesla-t4", "nvidia-t4"},
      Case{"T4-16GB", "nvidia-t4"}, Case{"RTX3090", "nvidia-rtx-3090"},
      Case{"RTX-3090-24GB", "nvidia-rtx-3090"}, Case{"GeForce RTX 3090", "nvidia-rtx-3090"},
      Case{"3090", "nvidia-rtx-3090"}, Case{"1080 Ti", "nvidia-gtx-1080-ti"},
      Case{"GTX-1080Ti-11GB", "nvidia-gtx-1080-ti"}, Case{"P4", "nvidia-tesla-p4"},
      Case{"K80", "nvidia-tesla-k80"}, Case{"K80-12GB-per-chip", "nvidia-tesla-k80"},
      Case{"A100-SXM4-80GB", "nvidia-a100-sxm4-80gb"},
      Case{"A100-SXM-80GB", "nvidia-a100-sxm4-80gb"},
      Case{"A100 PCIe 40 GB", "nvidia-a100-pcie-40gb"},
      Case{"V100-SXM3-32GB", "nvidia-v100-sxm2-32gb"},
      Case{"V100 PCIe 16GB", "nvidia-v100-pcie-16gb"}, Case{"H100 SXM", "nvidia-h100-sxm5-80gb"},
      Case{"MI300X", "amd-mi300x"}, Case{"M2 Ultra", "apple-m2-ultra"},
      Case{"Apple M4 Pro", "apple-m4-pro"}, Case{"TITAN X (Maxwell)", "nvidia-titan-x-maxwell"},
      Case{"TITAN X (Pascal)", "nvidia-titan-x-pascal"},
      Case{"A100 80GB MIG 3g.40gb", "nvidia-a100-sxm4-80gb-mig-3g-40gb"},
      Case{"RTX-PRO-6000-MaxQ", "nvidia-rtx-pro-6000-blackwell-maxq"});
  CAPTURE(name);
  CHECK(id_of(name) == id);
}

TEST_CASE("every id, name and alias finds its own accelerator") {
  for (const catalog::Accelerator& gpu : shipped().accelerators()) {
    CAPTURE(gpu.id);
    CHECK(id_of(gpu.id) == gpu.id);
    CHECK(id_of(gpu.name) == gpu.id);
    for (const std::string& alias : gpu.aliases) {
      CAPTURE(alias);
      CHECK(id_of(alias) == gpu.id);
    }
  }
}

TEST_CASE("a name that leaves the form open is the SXM part, and says so") {
  const auto match = shipped().find_accelerator("H100-80GB");
  REQUIRE(match);
  CHECK(match->accelerator->id == "nvidia-h100-sxm5-80gb");
  CHECK(match->note == "H100-80GB read as H100 SXM5 80GB");
  const auto exact = shipped().find_accelerator("H100 PCIe 80GB");
  REQUIRE(exact);
  CHECK(exact->note.empty());
}

TEST_CASE("an unknown name is an error with the nearest spellings") {
  const auto match = shipped().find_accelerator("RTX 3909");
  REQUIRE_FALSE(match);
  CHECK(match.error().code == ErrorCode::unknown_name);
  CHECK(match.error().hint.find("RTX 3090") != std::string::npos);
  CHECK_FALSE(shipped().find_accelerator("GENERIC-24GB"));
  CHECK_FALSE(shipped().find_accelerator("GTX-285-1GB"));
  CHECK_FALSE(shipped().find_accelerator(""));
}

TEST_CASE("as a filter a model's name means every form of it") {
  const auto ids = ids_of("A100");
  CHECK(contains(ids, "nvidia-a100-sxm4-80gb"));
  CHECK(contains(ids, "nvidia-a100-pcie-40gb"));
  CHECK_FALSE(contains(ids, "nvidia-a10"));
  const auto large = ids_of("A100:80GB");
  CHECK(contains(large, "nvidia-a100-pcie-80gb"));
  CHECK_FALSE(contains(large, "nvidia-a100-pcie-40gb"));
}

TEST_CASE("filters take globs, makers, memory ranges and counts") {
  CHECK(contains(ids_of("RTX 30*"), "nvidia-rtx-3090") == false);
  CHECK(contains(ids_of("*RTX 30*"), "nvidia-rtx-3090"));
  CHECK(contains(ids_of("nvidia:A100:80GB:1..8"), "nvidia-a100-sxm4-80gb"));
  const auto middle = ids_of("24GB..80GB");
  CHECK(contains(middle, "nvidia-rtx-3090"));
  CHECK(contains(middle, "nvidia-a100-sxm4-80gb"));
  CHECK_FALSE(contains(middle, "nvidia-t4"));
  CHECK(ids_of("8..").size() == shipped().accelerators().size());
  CHECK(ids_of("amd").size() >= 30);
  CHECK_FALSE(shipped().filter_accelerators("RTX 3909"));
}
