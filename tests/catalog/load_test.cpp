#include <algorithm>

#include "catch2.hpp"
#include "sample.hpp"

using namespace gpu_advisor;
using catalog::Diagnostic;
using catalog::Pricing;
using support::ErrorCode;

namespace {

const catalog::Sku& sku(const catalog::Catalog& catalog, std::string_view id) {
  const auto found = std::ranges::find(catalog.skus(), id, &catalog::Sku::id);
  REQUIRE(found != catalog.skus().end());
  return *found;
}

const support::Error* fault_at(const catalog::Loaded& loaded, std::string_view pointer) {
  for (const Diagnostic& found : loaded.diagnostics)
    if (found.error.location.pointer == pointer)
      return &found.error;
  return nullptr;
}

std::string offers_with(const std::string& row) {
  return R"({"schema": "gpu-advisor/offers@1", "provider": "own", "sources": {}, "rows": [)" + row +
         "]}";
}

}  // namespace

TEST_CASE("a catalog joins accelerators, offers and prices") {
  const catalog::Catalog catalog = sample::catalog();
  CHECK(catalog.accelerators().size() == 3);
  REQUIRE(catalog.skus().size() == 3);
  CHECK(catalog.prices().size() == 3);
  const catalog::Sku& t1 = sku(catalog, "nimbus/t1");
  CHECK(t1.provider == "nimbus");
  CHECK(catalog.accelerators()[t1.accelerator].name == "Tesla T4");
  const auto index = static_cast<std::uint32_t>(&t1 - catalog.skus().data());
  const auto prices = catalog.prices_of(index);
  REQUIRE(prices.size() == 2);
  CHECK(catalog.regions()[prices[1].region] == "south");
  CHECK(catalog.sources()[prices[1].source] == "nimbus price list");
  CHECK(prices[0].prices[static_cast<std::size_t>(Pricing::spot)]->dollars() == Catch::Approx(0.2));
}

TEST_CASE("a catalog's version is the day of its newest price") {
  CHECK(sample::catalog().version() == "2026-02-01");
}

TEST_CASE("a price that is not known stays unknown") {
  const catalog::Catalog catalog = sample::catalog();
  CHECK_FALSE(
      catalog.prices().front().prices[static_cast<std::size_t>(Pricing::reserved_1y)].has_value());
}

TEST_CASE("prices in another currency are converted at the dated rate") {
  const catalog::Catalog catalog = sample::catalog();
  const auto& row = catalog.prices_of(0).front();
  CHECK(catalog.skus()[0].id == "nimbus/a1");
  CHECK(row.prices[0]->dollars() == Catch::Approx(2.0));
  CHECK(catalog.currencies()[row.currency] == "EUR");
}

TEST_CASE("an offer with a card that no accelerator has is listed without one") {
  const catalog::Catalog catalog = sample::catalog();
  CHECK(sku(catalog, "nimbus/x1").accelerator == catalog::kNoAccelerator);
}

TEST_CASE("parts that are not asked for are not read") {
  const auto files = support::MemoryFiles(
      {{"base/accelerators/nvidia.json", sample::kAccelerators}, {"base/offers/x.json", "broken"}});
  const auto loaded = catalog::load_catalog(files, {.embedded = false, .folders = {"base"}},
                                            {.offers = false, .calibration = false});
  REQUIRE(loaded.catalog);
  CHECK(loaded.catalog->skus().empty());
}

TEST_CASE("an overlay adds offers and replaces those with the same id") {
  const auto loaded = sample::load(
      {{"mine/offers/nimbus.json",
        R"({"schema": "gpu-advisor/offers@1", "provider": "nimbus", "sources": {}, "rows": [
{"id": "nimbus/t1", "instance_type": "T1", "accelerator": "nvidia-t4", "gpu_name": "T4",
"gpus": 2, "prices": []},
{"id": "nimbus/t9", "instance_type": "T9", "accelerator": "nvidia-t4", "gpu_name": "T4",
"gpus": 1, "prices": []}
]})"}},
      {"mine"});
  REQUIRE(loaded.catalog);
  CHECK(loaded.catalog->skus().size() == 4);
  CHECK(sku(*loaded.catalog, "nimbus/t1").gpus == 2);
  CHECK(loaded.catalog->prices().size() == 1);  // those of T1 went with it
}

TEST_CASE("an overlay replaces an accelerator and offers follow it") {
  const auto loaded = sample::load(
      {{"mine/accelerators/own.json", R"({"schema": "gpu-advisor/accelerators@1", "rows": [
{"id": "nvidia-t4", "name": "My T4", "vendor": "nvidia", "family": "datacenter", "memory_gib": 15,
"source": "own"}
]})"}},
      {"mine"});
  REQUIRE(loaded.catalog);
  const catalog::Sku& t1 = sku(*loaded.catalog, "nimbus/t1");
  CHECK(loaded.catalog->accelerators()[t1.accelerator].name == "My T4");
}

TEST_CASE("a missing overlay folder is an error") {
  const auto loaded = sample::load({}, {"nowhere"});
  CHECK_FALSE(loaded.catalog);
  REQUIRE(loaded.diagnostics.size() == 1);
  CHECK(loaded.diagnostics.front().error.code == ErrorCode::file_not_found);
  CHECK(loaded.diagnostics.front().error.location.file == "nowhere");
}

TEST_CASE("a broken overlay tells every fault with file and pointer") {
  const auto loaded = sample::load(
      {{"mine/offers/own.json",
        offers_with(
            R"({"id": "own/a", "instance_type": "a", "gpu_name": "T4", "gpus": "two", "vcpu": 4,
"prices": []},
{"id": "own/b", "gpu_name": "T4", "gpus": 1, "prices": [{"on_demand": -1}]})")}},
      {"mine"});
  CHECK_FALSE(loaded.catalog);
  const support::Error* wrong = fault_at(loaded, "/rows/0/gpus");
  REQUIRE(wrong);
  CHECK(wrong->code == ErrorCode::wrong_type);
  CHECK(wrong->location.file == "mine/offers/own.json");
  const support::Error* unknown = fault_at(loaded, "/rows/0/vcpu");
  REQUIRE(unknown);
  CHECK(unknown->code == ErrorCode::unknown_key);
  CHECK(unknown->hint.find("vcpus") != std::string::npos);
  const support::Error* missing = fault_at(loaded, "/rows/1");
  REQUIRE(missing);
  CHECK(missing->code == ErrorCode::missing_key);
  const support::Error* negative = fault_at(loaded, "/rows/1/prices/0/on_demand");
  REQUIRE(negative);
  CHECK(negative->code == ErrorCode::out_of_range);
}

TEST_CASE("refuses an offer with an unknown accelerator") {
  const auto loaded = sample::load(
      {{"mine/offers/own.json",
        offers_with(
            R"({"id": "own/a", "instance_type": "a", "accelerator": "nvidia-t5", "gpu_name": "T5",
"gpus": 1, "prices": []})")}},
      {"mine"});
  CHECK_FALSE(loaded.catalog);
  REQUIRE(loaded.diagnostics.size() == 1);
  CHECK(loaded.diagnostics.front().error.code == ErrorCode::broken_reference);
}

TEST_CASE("refuses a price in a currency without a rate") {
  const auto loaded =
      sample::load({{"mine/offers/own.json",
                     offers_with(
                         R"({"id": "own/a", "instance_type": "a", "gpu_name": "T4", "gpus": 1,
"prices": [{"on_demand": 1, "currency": "XAU"}]})")}},
                   {"mine"});
  CHECK_FALSE(loaded.catalog);
  REQUIRE(loaded.diagnostics.size() == 1);
  CHECK(loaded.diagnostics.front().error.message.find("XAU") != std::string::npos);
}

TEST_CASE("refuses text that is not JSON, other kinds and newer versions") {
  const auto code_of = [](const std::string& text) {
    const auto loaded = sample::load({{"mine/offers/own.json", text}}, {"mine"});
    CHECK_FALSE(loaded.catalog);
    REQUIRE(loaded.diagnostics.size() == 1);
    CHECK(loaded.diagnostics.front().error.location.file == "mine/offers/own.json");
    return loaded.diagnostics.front().error.code;
  };
  CHECK(code_of("{\"schema\": ") == ErrorCode::malformed_json);
  CHECK(code_of("[]") == ErrorCode::wrong_type);
  CHECK(code_of(R"({"rows": []})") == ErrorCode::missing_key);
  CHECK(code_of(R"({"schema": "gpu-advisor/offers@1"})") == ErrorCode::missing_key);
  CHECK(code_of(R"({"schema": "gpu-advisor/models@1", "rows": []})") ==
        ErrorCode::unsupported_version);
  CHECK(code_of(R"({"schema": "gpu-advisor/offers@99", "rows": []})") ==
        ErrorCode::unsupported_version);
}
