#include <algorithm>

#include "catch2.hpp"
#include "gpu_advisor/catalog/catalog.hpp"
#include "gpu_advisor/catalog/embedded.hpp"
#include "gpu_advisor/catalog/market.hpp"

using namespace gpu_advisor;

namespace {

const catalog::Catalog& shipped() {
  static const catalog::Catalog catalog = [] {
    auto loaded = catalog::load_catalog(support::MemoryFiles({}), {});
    for (const auto& found : loaded.diagnostics)
      UNSCOPED_INFO(found.error.to_text());
    REQUIRE(loaded.catalog);
    return std::move(*loaded.catalog);
  }();
  return catalog;
}

const catalog::Accelerator& gpu(std::string_view id) {
  const auto found = std::ranges::find(shipped().accelerators(), id, &catalog::Accelerator::id);
  REQUIRE(found != shipped().accelerators().end());
  return *found;
}

/// The ids of a file's rows, in its order.
std::vector<std::string> ids_in(std::string_view text) {
  constexpr std::string_view kStart = "\n{\"id\": \"";
  std::vector<std::string> ids;
  for (std::size_t at = text.find(kStart); at != std::string_view::npos;
       at = text.find(kStart, at + 1)) {
    const std::size_t first = at + kStart.size();
    ids.emplace_back(text.substr(first, text.find('"', first) - first));
  }
  return ids;
}

}  // namespace

TEST_CASE("the shipped catalog loads whole") {
  CHECK(shipped().accelerators().size() >= 280);
  CHECK(shipped().skus().size() >= 1290);
  CHECK(shipped().prices().size() == 5674);
}

TEST_CASE("rows of data files are sorted by id and no id stands twice") {
  for (const catalog::EmbeddedFile& file : catalog::embedded_files()) {
    if (!file.path.starts_with("accelerators/") && !file.path.starts_with("offers/"))
      continue;
    CAPTURE(file.path);
    const auto ids = ids_in(file.content);
    CHECK_FALSE(ids.empty());
    CHECK(std::ranges::is_sorted(ids));
    CHECK(std::ranges::adjacent_find(ids) == ids.end());
  }
}

TEST_CASE("every accelerator has a source and no more usable memory than it is sold with") {
  for (const catalog::Accelerator& one : shipped().accelerators()) {
    CAPTURE(one.id);
    CHECK_FALSE(one.source.empty());
    CHECK((one.usable_memory() <= one.memory * 1.02));
    if (one.memory > units::Bytes{} && !one.unified_memory)
      CHECK((one.usable_memory() >= one.memory * 0.9));
  }
}

TEST_CASE("every provider of offers is described") {
  for (const catalog::Sku& sku : shipped().skus()) {
    CAPTURE(sku.id);
    CHECK(std::ranges::find(shipped().providers(), sku.provider, &catalog::Provider::id) !=
          shipped().providers().end());
  }
}

TEST_CASE("every price is above zero and has a source") {
  for (const catalog::PriceRow& row : shipped().prices()) {
    CAPTURE(shipped().skus()[row.sku].id);
    CHECK_FALSE(shipped().sources()[row.source].empty());
    for (const auto& amount : row.prices)
      CHECK((!amount || amount->dollars() > 0));
  }
}

TEST_CASE("a slice of a card has the memory and rates of its share") {
  const catalog::Accelerator& slice = gpu("nvidia-a100-sxm4-80gb-mig-3g-40gb");
  const catalog::Accelerator& whole = gpu(slice.parent);
  CHECK(slice.memory == units::gib(40));
  CHECK(*slice.bandwidth / *whole.bandwidth == Catch::Approx(0.5));
  CHECK(*slice.fp16_matrix / *whole.fp16_matrix == Catch::Approx(42.0 / 108).epsilon(1e-3));
  for (const catalog::Accelerator& one : shipped().accelerators())
    if (!one.parent.empty())
      CHECK(gpu(one.parent).id == one.parent);
}

TEST_CASE("multiprocessors follow from cores where they are published") {
  CHECK(*gpu("nvidia-a100-sxm4-80gb").sms == 108);
  CHECK(*gpu("nvidia-h100-sxm5-80gb").sms == 132);
  CHECK(*gpu("nvidia-t4").sms == 40);
  CHECK(*gpu("nvidia-rtx-3090").sms == 82);
  CHECK(*gpu("nvidia-v100-sxm2-16gb").sms == 80);
  CHECK(*gpu("nvidia-gtx-1080-ti").sms == 28);
}

TEST_CASE("what no driver serves any longer is at its end of life") {
  CHECK(gpu("nvidia-tesla-k80").status == catalog::AcceleratorStatus::end_of_life);
  CHECK(gpu("nvidia-t4").status == catalog::AcceleratorStatus::available);
}

TEST_CASE("market rows load and name known accelerators") {
  const auto rows = catalog::load_market(support::MemoryFiles({}), true, {});
  REQUIRE(rows);
  CHECK(rows->size() >= 160);
  for (const auto& [id, row] : *rows)
    if (!row.accelerator.empty())
      CHECK(gpu(row.accelerator).id == row.accelerator);
}

TEST_CASE("the fixed catalog of the tests loads") {
  const std::string folder = GPU_ADVISOR_SOURCE_DIR "/tests/fixtures/catalog";
  const auto files = support::disk_files();
  const auto loaded = catalog::load_catalog(*files, {.embedded = false, .folders = {folder}});
  for (const auto& found : loaded.diagnostics)
    UNSCOPED_INFO(found.error.to_text());
  REQUIRE(loaded.catalog);
  CHECK(loaded.catalog->skus().size() >= 60);
}
