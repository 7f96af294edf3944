#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "accelerator_fields_internal.hpp"
#include "gpu_advisor/catalog/catalog.hpp"
#include "gpu_advisor/catalog/market.hpp"
#include "offer_fields_internal.hpp"

namespace simdjson::dom {
class parser;
}

namespace gpu_advisor::catalog {

/// Buffers of the JSON parser, kept from file to file: fresh pages cost more than parsing does.
class FileParser {
 public:
  FileParser();
  ~FileParser();
  FileParser(const FileParser&) = delete;
  FileParser& operator=(const FileParser&) = delete;
  [[nodiscard]] simdjson::dom::parser& get() { return *parser_; }

 private:
  std::unique_ptr<simdjson::dom::parser> parser_;
};

/// A data file in memory. Embedded text has readable zero bytes behind it and is parsed in place.
struct DataText {
  std::string_view path;
  std::string_view content;
  FileParser& parser;
  bool padded = false;
};

using Diagnostics = std::vector<Diagnostic>;

/// An offer row with its prices; the strings live until the next row.
struct OfferText {
  SkuText sku;
  std::vector<PriceText> prices;
};

/// What an offers file says about all its rows.
struct OfferFileHead {
  std::string provider;
  std::map<std::string, std::string, std::less<>> sources;  // key to document
};

// Each reader parses one file, checks schema and version, hands over the rows one by one, and
// collects every fault with file and JSON pointer. Rows with a fault are not handed over.
void read_accelerators(const DataText& text, Diagnostics& diagnostics,
                       const std::function<void(Accelerator&&)>& take);
void read_offers(const DataText& text, Diagnostics& diagnostics,
                 const std::function<void(const OfferFileHead&, OfferText&)>& take);
void read_providers(const DataText& text, Diagnostics& diagnostics,
                    const std::function<void(Provider&&)>& take);

void read_exchange_rates(const DataText& text, Diagnostics& diagnostics,
                         const std::function<void(ExchangeRate&&)>& take);
void read_market(const DataText& text, Diagnostics& diagnostics,
                 const std::function<void(MarketRow&&)>& take);

/// data/import/accelerators.json: rows that change or add to `gpus` by id ("aliases", a driver's
/// memory size, a status, whole MIG slices); the changed rows.
[[nodiscard]] support::Result<std::vector<Accelerator>> read_corrections(
    std::string_view text, const std::map<std::string, Accelerator>& gpus);

}  // namespace gpu_advisor::catalog
