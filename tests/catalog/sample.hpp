#pragma once

#include <map>
#include <string>

#include "gpu_advisor/catalog/catalog.hpp"

/// A catalog of a few rows in memory, under the folder "base".
namespace sample {

inline const std::string kAccelerators = R"({"schema": "gpu-advisor/accelerators@1", "rows": [
{"id": "nvidia-a-pcie", "name": "A100 PCIe 40GB", "vendor": "nvidia", "family": "datacenter",
"form_factor": "pcie", "memory_gib": 40, "source": "sheet"},
{"id": "nvidia-a-sxm", "name": "A100 SXM4 40GB", "aliases": ["The Big One"], "vendor": "nvidia",
"family": "datacenter", "architecture": "Ampere", "form_factor": "sxm4", "memory_gib": 40,
"driver_memory_mib": 40536, "source": "sheet"},
{"id": "nvidia-t4", "name": "Tesla T4", "vendor": "nvidia", "family": "datacenter",
"form_factor": "pcie", "memory_gib": 16, "source": "sheet"}
]})";

inline const std::string kRates = R"({"schema": "gpu-advisor/exchange-rates@1", "rows": [
{"id": "EUR", "per_usd": 0.8, "as_of": "2026-01-02", "source": "bank"}
]})";

inline const std::string kOffers = R"({"schema": "gpu-advisor/offers@1", "provider": "nimbus",
"sources": {"s1": "nimbus price list"}, "rows": [
{"id": "nimbus/a1", "instance_type": "A1", "accelerator": "nvidia-a-sxm", "gpu_name": "A100",
"gpus": 1, "prices": [{"region": "north", "currency": "EUR", "on_demand": 1.6,
"as_of": "2026-01-01", "source": "s1"}]},
{"id": "nimbus/t1", "instance_type": "T1", "accelerator": "nvidia-t4", "gpu_name": "T4",
"gpus": 1, "vcpus": 4, "ram_gib": 16, "prices": [{"region": "north", "on_demand": 0.5,
"spot": 0.2, "as_of": "2026-02-01", "source": "s1"},
  {"region": "south", "on_demand": 0.6, "as_of": "2026-02-01", "source": "s1"}]},
{"id": "nimbus/x1", "instance_type": "X1", "gpu_name": "Mystery", "gpus": 1, "prices": []}
]})";

inline std::map<std::string, std::string> files() {
  return {{"base/accelerators/nvidia.json", kAccelerators},
          {"base/market/exchange-rates.json", kRates},
          {"base/offers/nimbus.json", kOffers}};
}

/// Loads "base" and, over it, the folders named.
inline gpu_advisor::catalog::Loaded load(std::map<std::string, std::string> more = {},
                                         std::vector<std::string> overlays = {}) {
  auto all = files();
  for (auto& [path, text] : more)
    all[path] = std::move(text);
  std::vector<std::string> folders{"base"};
  folders.insert(folders.end(), overlays.begin(), overlays.end());
  return gpu_advisor::catalog::load_catalog(gpu_advisor::support::MemoryFiles(std::move(all)),
                                            {.embedded = false, .folders = folders});
}

inline gpu_advisor::catalog::Catalog catalog() {
  return *load().catalog;
}

}  // namespace sample
