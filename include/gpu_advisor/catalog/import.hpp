#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_advisor/support/file_source.hpp"
#include "gpu_advisor/support/result.hpp"

namespace gpu_advisor::catalog {

/// Files to be written: path below the output folder, and content.
using FileSet = std::map<std::string, std::string>;

/// What an import made, and what it left out and why.
struct Imported {
  FileSet files;
  std::vector<std::string> notes;
};

/// `catalog import --format accelerators-csv`: the columns of an accelerators CSV (the header names
/// them) become data/accelerators/<vendor>.json. `corrections` is data/import/accelerators.json:
/// aliases and facts beside the CSV, each with its source.
[[nodiscard]] support::Result<Imported> import_accelerators(std::string_view csv,
                                                            std::string_view file,
                                                            std::string_view corrections);

/// One offers CSV.
struct OfferCsv {
  std::string path, text;
};
/// The accelerator id of a GPU name as the CSVs write it; empty: a card the catalog does not have.
using GpuIds = std::function<std::string(std::string_view)>;

/// `catalog import --format offers-csv`: the CSVs become data/offers/<provider>.json. `statuses` is
/// data/import/offer-statuses.json: which instance types are retired or retiring, with the source.
[[nodiscard]] support::Result<Imported> import_offers(const std::vector<OfferCsv>& csvs,
                                                      const GpuIds& gpu_ids,
                                                      std::string_view statuses);

/// Hardware, electricity and upkeep prices become data/market/hardware-prices.json.
[[nodiscard]] support::Result<Imported> import_market(std::string_view csv, std::string_view file);

}  // namespace gpu_advisor::catalog
