#include "gpu_advisor/catalog/validate.hpp"

#include <algorithm>

#include "catch2.hpp"
#include "sample.hpp"

using namespace gpu_advisor;

namespace {

catalog::Catalog with_offer(const std::string& row) {
  auto loaded = sample::load(
      {{"mine/offers/own.json",
        R"({"schema": "gpu-advisor/offers@1", "provider": "own", "sources": {}, "rows": [)" + row +
            "]}"}},
      {"mine"});
  REQUIRE(loaded.catalog);
  return *loaded.catalog;
}

bool says(const catalog::Catalog& catalog, std::string_view where, std::string_view text) {
  const catalog::Date today{.year = 2026, .month = 3, .day = 1};
  const auto found = catalog::validate_catalog(catalog, today);
  return std::ranges::any_of(found, [&](const catalog::Diagnostic& one) {
    return one.error.location.file == where && one.error.message.find(text) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("a sound catalog has nothing to say") {
  const catalog::Date today{.year = 2026, .month = 3, .day = 1};
  CHECK(catalog::validate_catalog(sample::catalog(), today).empty());
}

TEST_CASE("memory that differs from the card's is reported") {
  CHECK(says(
      with_offer(
          R"({"id": "own/a", "instance_type": "a", "accelerator": "nvidia-t4", "gpu_name": "T4",
"gpus": 1, "gpu_memory_gib": 8, "prices": []})"),
      "own/a", "8 GiB per GPU"));
}

TEST_CASE("prices far from the median of their GPU are reported") {
  CHECK(says(
      with_offer(
          R"({"id": "own/a", "instance_type": "a", "accelerator": "nvidia-t4", "gpu_name": "T4",
"gpus": 1, "prices": [{"on_demand": 9}]})"),
      "own/a", "times the median of Tesla T4"));
}

TEST_CASE("duplicate rows and old prices are reported") {
  const auto catalog = with_offer(
      R"({"id": "own/a", "instance_type": "a", "accelerator": "nvidia-t4", "gpu_name": "T4",
"gpus": 1, "prices": [{"region": "x", "on_demand": 0.5, "as_of": "2020-01-01"}, {"region": "x",
"on_demand": 0.5}]})");
  CHECK(says(catalog, "own/a", "2 price rows for x"));
  CHECK(says(catalog, "own", "1 price rows are older than a year"));
}

TEST_CASE("what a catalog holds is counted") {
  const catalog::CatalogInfo info = catalog::catalog_info(sample::catalog());
  CHECK(info.accelerators.at("nvidia") == 3);
  REQUIRE(info.providers.size() == 1);
  CHECK(info.providers.front().skus == 3);
  CHECK(info.providers.front().prices == 3);
  CHECK(info.providers.front().unpriced == 1);
  CHECK(info.oldest.text() == "2026-01-01");
  CHECK(info.newest.text() == "2026-02-01");
}

TEST_CASE("the difference of two catalogs names what came, went and changed") {
  const catalog::Catalog before = sample::catalog();
  CHECK(catalog::catalog_difference(before, before).empty());
  const auto after = sample::load(
      {{"mine/offers/nimbus.json",
        R"({"schema": "gpu-advisor/offers@1", "provider": "nimbus", "sources": {}, "rows": [
{"id": "nimbus/t1", "instance_type": "T1", "accelerator": "nvidia-t4", "gpu_name": "T4",
"gpus": 1, "prices": [{"on_demand": 0.4}]},
{"id": "nimbus/t2", "instance_type": "T2", "accelerator": "nvidia-t4", "gpu_name": "T4",
"gpus": 2, "prices": []}]})"}},
      {"mine"});
  REQUIRE(after.catalog);
  const auto lines = catalog::catalog_difference(before, *after.catalog);
  CHECK(lines == std::vector<std::string>{"~ offer nimbus/t1 0.5 USD/h -> 0.4 USD/h",
                                          "+ offer nimbus/t2 unknown"});
  const auto back = catalog::catalog_difference(*after.catalog, before);
  CHECK(back.front() == "- offer nimbus/t2");
}
