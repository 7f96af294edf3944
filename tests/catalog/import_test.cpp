#include "gpu_advisor/catalog/import.hpp"

#include "catch2.hpp"
#include "gpu_advisor/catalog/market.hpp"
#include "sample.hpp"

using namespace gpu_advisor;
using catalog::Pricing;

namespace {

const std::string kGpuHead =
    "id,name,vendor,family,architecture,compute_capability,release_date,form_factor,memory_gib,"
    "memory_type,memory_bandwidth_gbps,cuda_cores,tensor_cores,fp64_tflops,fp32_tflops,"
    "tf32_tensor_tflops,fp16_tensor_tflops,bf16_tensor_tflops,fp8_tensor_tflops,"
    "fp4_tensor_tflops,int8_tops,tdp_w,gpu_link,gpu_link_gbps_bidir,pcie_gen,pcie_lanes,"
    "mig_max_instances,ecc,msrp_usd,street_price_usd,price_as_of,notes,source\n";

std::string gpu_row(const std::string& id, const std::string& capability,
                    const std::string& notes) {
  return id + ",Card,nvidia,datacenter,Arch," + capability +
         ",2020-01-02,pcie,24,GDDR6,600,2560,,,10,,65,,,,,70,none,,4,16,,yes,,,,\"" + notes +
         "\",sheet\n";
}

/// What the imported accelerators are after loading them again.
catalog::Catalog reload(const catalog::Imported& imported) {
  std::map<std::string, std::string> files;
  for (const auto& [path, text] : imported.files)
    files["base/" + path] = text;
  const auto loaded = catalog::load_catalog(support::MemoryFiles(std::move(files)),
                                            {.embedded = false, .folders = {"base"}});
  for (const auto& found : loaded.diagnostics)
    UNSCOPED_INFO(found.error.to_text());
  REQUIRE(loaded.catalog);
  return *loaded.catalog;
}

const catalog::Accelerator& only(const catalog::Catalog& catalog) {
  REQUIRE(catalog.accelerators().size() == 1);
  return catalog.accelerators().front();
}

const std::string kOfferHead =
    "provider,instance_type,region,zone,gpu_vendor,gpu_model,gpu_count,gpu_memory_gib,vcpu,ram_gib,"
    "local_disk_gb,network_gbps,rdma,gpu_interconnect,price_on_demand,price_spot,price_reserved_1y,"
    "price_reserved_3y,currency,price_unit,as_of,source,notes\n";

/// `prices`: on-demand, spot, 1 year, 3 years.
std::string offer_row(const std::string& provider, const std::string& type,
                      const std::string& region, const std::string& prices,
                      const std::string& notes = "") {
  return provider + "," + type + "," + region + ",,nvidia,T4,1,16,4,16,125,10,none,pcie," + prices +
         ",USD,per_hour,2026-01-02,list," + notes + "\n";
}

catalog::Imported import_rows(const std::string& rows, std::string_view statuses = {}) {
  auto imported = catalog::import_offers(
      {{"offers.csv", kOfferHead + rows}},
      [](std::string_view name) { return std::string(name == "T4" ? "nvidia-t4" : ""); }, statuses);
  if (!imported)
    FAIL(imported.error().to_text());
  imported->files["accelerators/nvidia.json"] = sample::kAccelerators;
  return *imported;
}

}  // namespace

TEST_CASE("facts in the notes of an accelerator become fields") {
  const auto imported = catalog::import_accelerators(
      kGpuHead + gpu_row("nvidia-x", "7.5",
                         "smi_mib=15360; fp16_acc16=130; fp8_acc16=260; fp16 vector 20.5; text"),
      "a.csv", "");
  REQUIRE(imported);
  const catalog::Catalog catalog = reload(*imported);
  const catalog::Accelerator& gpu = only(catalog);
  CHECK(*gpu.driver_memory == units::mib(15360));
  CHECK(gpu.usable_memory() == units::mib(15360));
  CHECK(*gpu.fp16_matrix_acc16 / units::tflops_per_second(1) == Catch::Approx(130));
  CHECK(*gpu.fp8_matrix_acc16 / units::tflops_per_second(1) == Catch::Approx(260));
  CHECK(*gpu.fp16_vector / units::tflops_per_second(1) == Catch::Approx(20.5));
  CHECK(*gpu.sms == 40);
  CHECK_FALSE(gpu.bf16_matrix.has_value());
}

TEST_CASE("announced and driverless accelerators say so") {
  const auto announced =
      catalog::import_accelerators(kGpuHead + gpu_row("a", "10", "ANNOUNCED"), "a.csv", "");
  REQUIRE(announced);
  CHECK(only(reload(*announced)).status == catalog::AcceleratorStatus::announced);
  const auto old = catalog::import_accelerators(kGpuHead + gpu_row("a", "3.7", ""), "a.csv", "");
  REQUIRE(old);
  CHECK(only(reload(*old)).status == catalog::AcceleratorStatus::end_of_life);
}

TEST_CASE("a package that software sees as two devices becomes one of them") {
  std::string row = gpu_row("amd-mi250", "gfx90a", "");
  const auto imported = catalog::import_accelerators(kGpuHead + row, "a.csv", "");
  REQUIRE(imported);
  const catalog::Catalog catalog = reload(*imported);
  const catalog::Accelerator& gpu = only(catalog);
  CHECK(gpu.memory == units::gib(12));
  CHECK(*gpu.cores == 1280);
  CHECK(gpu.name == "Card (one of 2 devices)");
  CHECK(gpu.target == "gfx90a");
}

TEST_CASE("corrections change rows and add rows, and unknown keys are refused") {
  const std::string csv = kGpuHead + gpu_row("nvidia-x", "7.5", "");
  const auto head = [](const std::string& row) {
    return R"({"schema": "gpu-advisor/accelerator-corrections@1", "rows": [)" + row + "]}";
  };
  const auto imported = catalog::import_accelerators(
      csv, "a.csv",
      head(R"({"id": "nvidia-x", "aliases": ["Ex"], "driver_memory_mib": 23000, "source": "s"})"));
  REQUIRE(imported);
  const catalog::Catalog catalog = reload(*imported);
  CHECK(*only(catalog).driver_memory == units::mib(23000));
  CHECK(catalog.find_accelerator("ex").has_value());
  CHECK_FALSE(catalog::import_accelerators(
      csv, "a.csv", head(R"({"id": "nvidia-x", "alias": ["Ex"], "source": "s"})")));
}

TEST_CASE("a broken accelerators CSV is refused with its line") {
  const std::string good = gpu_row("nvidia-x", "7.5", "");
  CHECK_FALSE(catalog::import_accelerators("id,name\nx,y\n", "a.csv", ""));
  const auto twice = catalog::import_accelerators(kGpuHead + good + good, "a.csv", "");
  REQUIRE_FALSE(twice);
  CHECK(twice.error().location.line == 3);
}

TEST_CASE("offers of one instance type become one SKU with a price per region") {
  const auto catalog = reload(import_rows(offer_row("nimbus", "T.Large", "north", "1,0.4,0.7,0.5") +
                                          offer_row("nimbus", "T.Large", "south", "1.2,,,")));
  REQUIRE(catalog.skus().size() == 1);
  const catalog::Sku& sku = catalog.skus().front();
  CHECK(sku.id == "nimbus/t.large");
  CHECK(sku.instance_type == "T.Large");
  CHECK(sku.link == catalog::NodeLink::pcie);
  CHECK(sku.fabric == catalog::Fabric::none);
  REQUIRE(catalog.prices().size() == 2);
  CHECK(catalog.prices()[0].prices[static_cast<std::size_t>(Pricing::reserved_3y)]->dollars() ==
        Catch::Approx(0.5));
  CHECK_FALSE(catalog.prices()[1].prices[static_cast<std::size_t>(Pricing::spot)].has_value());
}

TEST_CASE("a price of zero is unknown") {
  const auto catalog = reload(import_rows(offer_row("nimbus", "t", "north", "0,,,")));
  CHECK_FALSE(catalog.prices().front().prices[0].has_value());
}

TEST_CASE("outliers carry a flag") {
  const auto flagged = [](const std::string& row, Pricing pricing) {
    const auto catalog = reload(import_rows(row));
    const catalog::PriceRow& price = catalog.prices().front();
    CHECK(price.flag.empty() == !price.flagged[static_cast<std::size_t>(pricing)]);
    return price.flagged[static_cast<std::size_t>(pricing)];
  };
  CHECK(
      flagged(offer_row("gcp", "t", "north", "700,,,", "OUTLIER: same price"), Pricing::on_demand));
  CHECK(flagged(offer_row("azure", "t", "north", "1,1,,"), Pricing::spot));
  CHECK(flagged(offer_row("aws", "t", "north", "2,0.2,,"), Pricing::spot));
  CHECK_FALSE(flagged(offer_row("aws", "t", "north", "2,0.21,,"), Pricing::spot));
  CHECK_FALSE(flagged(offer_row("azure", "t", "north", "2,0.2,,"), Pricing::spot));
}

TEST_CASE("a bargain is measured by providers, not by rows") {
  std::string rows = offer_row("cheap", "t", "", "0.5,,,") + offer_row("slip", "t", "", "0.02,,,") +
                     offer_row("fair", "t", "", "0.6,,,");
  for (int i = 0; i < 40; ++i)
    rows += offer_row("dear", "t", "region" + std::to_string(i), "2,,,");
  const auto catalog = reload(import_rows(rows));
  for (const catalog::PriceRow& price : catalog.prices()) {
    CAPTURE(catalog.skus()[price.sku].provider);
    CHECK(price.flagged[0] == (catalog.skus()[price.sku].provider == "slip"));
  }
}

TEST_CASE("retired types and GPUs without a host carry their status") {
  const auto catalog = reload(import_rows(
      offer_row("aws", "p2.xlarge", "north", "1,,,") +
          offer_row("gcp", "(accelerator only) T4 x1", "north", "1,,,", "an N1 host must be added"),
      R"({"rows": [{"pattern": "aws/p2.*", "status": "retired", "source": "s"}]})"));
  CHECK(catalog.skus()[0].status == "retired");
  CHECK(catalog.skus()[1].status == "component");
}

TEST_CASE("a broken offers CSV is refused with file and line") {
  const auto imported = catalog::import_offers(
      {{"offers.csv", kOfferHead + offer_row("nimbus", "t", "north", "cheap,,,")}},
      [](std::string_view) { return std::string(); }, "");
  REQUIRE_FALSE(imported);
  CHECK(imported.error().location.file == "offers.csv");
  CHECK(imported.error().location.line == 2);
}

TEST_CASE("market rows keep ranges, quarters and what is no number") {
  const auto imported = catalog::import_market(
      "id,category,item,accelerator_id,gpus,price_usd,value,unit,region,as_of,notes,source\n"
      "power,electricity,Electricity,,,,0.06-0.12,usd_per_kwh,US,2025-Q2,,page\n"
      "card,gpu-purchase,T4,nvidia-t4,1,900,,,,2019,,page\n",
      "h.csv");
  REQUIRE(imported);
  const auto rows = catalog::load_market(
      support::MemoryFiles({{"base/market/hardware-prices.json", imported->files.begin()->second}}),
      false, {"base"});
  REQUIRE(rows);
  CHECK(*rows->at("power").value == Catch::Approx(0.06));
  CHECK(*rows->at("power").value_high == Catch::Approx(0.12));
  CHECK(rows->at("power").as_of.text() == "2025-04-01");
  CHECK(*rows->at("card").price_usd == Catch::Approx(900));
  CHECK_FALSE(rows->at("card").value.has_value());
}
