#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <unordered_map>

#include "gpu_advisor/catalog/calibration_file.hpp"
#include "gpu_advisor/catalog/catalog.hpp"
#include "gpu_advisor/catalog/embedded.hpp"
#include "gpu_name_internal.hpp"
#include "json_file_internal.hpp"

namespace gpu_advisor::catalog {

/// Collects rows from files in order, later ones over earlier ones, and joins them.
struct CatalogBuilder {
  explicit CatalogBuilder(Diagnostics& faults) : diagnostics(faults) {
    catalog.regions_.emplace_back();
    region_index.emplace("", 0);
  }

  void add(Accelerator&& gpu) {
    const auto known = gpu_index.find(gpu.id);
    if (known != gpu_index.end()) {
      catalog.accelerators_[known->second] = std::move(gpu);
      return;
    }
    gpu_index.emplace(gpu.id, static_cast<std::uint32_t>(catalog.accelerators_.size()));
    catalog.accelerators_.push_back(std::move(gpu));
  }

  void add(Provider&& provider) {
    const auto known = std::ranges::find(catalog.providers_, provider.id, &Provider::id);
    if (known == catalog.providers_.end())
      catalog.providers_.push_back(std::move(provider));
    else
      *known = std::move(provider);
  }

  void add(ExchangeRate&& rate) { rates[rate.currency] = std::move(rate); }

  void add(const DataText& text, const OfferFileHead& head, OfferText& offer) {
    Offer built{.sku = std::move(offer.sku.sku), .first = pool.size()};
    built.sku.provider = head.provider;
    built.sku.accelerator = kNoAccelerator;
    if (!offer.sku.accelerator.empty()) {
      const auto gpu = gpu_index.find(offer.sku.accelerator);
      if (gpu == gpu_index.end())
        fault(text.path, ErrorCode::broken_reference,
              fmt::format("{}: no accelerator has the id \"{}\"", built.sku.id,
                          offer.sku.accelerator));
      else
        built.sku.accelerator = gpu->second;
    }
    for (PriceText& price : offer.prices)
      add_price(text, head, built.sku.id, price);
    built.count = pool.size() - built.first;
    replaced += !seen.try_emplace(built.sku.id, offers.size()).second;
    offers.push_back(std::move(built));
  }

  Catalog finish() {
    sort_accelerators();
    for (std::uint32_t i = 0; i < catalog.accelerators_.size(); ++i)
      spell(i);
    std::ranges::sort(catalog.spellings_, {}, [](const Catalog::Spelling& s) {
      return std::pair(std::string_view(s.key), s.accelerator);
    });
    keep_last_of_each_id();
    join_offers();
    name_version();
    return std::move(catalog);
  }

  void set_calibration(Calibration calibration) { catalog.calibration_ = std::move(calibration); }

  FileParser parser;

 private:
  using ErrorCode = support::ErrorCode;
  struct Offer {
    Sku sku;
    std::size_t first = 0, count = 0;
  };

  void fault(std::string_view file, ErrorCode code, std::string message) {
    diagnostics.push_back(
        {Diagnostic::Severity::error, support::Error{.code = code,
                                                     .message = std::move(message),
                                                     .location = {.file = std::string(file)}}});
  }

  void add_price(const DataText& text, const OfferFileHead& head, const std::string& sku,
                 PriceText& price) {
    PriceRow row;
    row.region = intern(region_index, catalog.regions_, price.region);
    row.currency =
        static_cast<std::uint16_t>(intern(currency_index, catalog.currencies_, price.currency));
    const auto source = head.sources.find(price.source);
    row.source = static_cast<std::uint16_t>(
        intern(source_index, catalog.sources_,
               source == head.sources.end() ? price.source : source->second));
    row.as_of = price.as_of;
    row.flag = std::move(price.flag);
    row.flagged = price.flagged;
    double per_usd = 1;
    if (price.currency != "USD") {
      const auto rate = rates.find(price.currency);
      if (rate == rates.end()) {
        fault(text.path, ErrorCode::broken_reference,
              fmt::format("{}: no exchange rate for the currency \"{}\"", sku, price.currency));
        return;
      }
      per_usd = rate->second.per_usd;
    }
    for (std::size_t i = 0; i < kPricingCount; ++i)
      if (price.amounts[i])
        row.prices[i] = units::MoneyPerHour::usd(*price.amounts[i] / per_usd);
    pool.push_back(std::move(row));
  }

  static std::uint32_t intern(std::unordered_map<std::string, std::uint32_t>& index,
                              std::vector<std::string>& texts, const std::string& text) {
    const auto [place, added] = index.try_emplace(text, static_cast<std::uint32_t>(texts.size()));
    if (added)
      texts.push_back(text);
    return place->second;
  }

  void sort_accelerators() {
    std::vector<std::uint32_t> order(catalog.accelerators_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
      order[i] = i;
    std::ranges::sort(order, {}, [this](std::uint32_t i) {
      return std::string_view(catalog.accelerators_[i].id);
    });
    std::vector<std::uint32_t> place(order.size());
    std::vector<Accelerator> sorted;
    sorted.reserve(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      place[order[i]] = i;
      sorted.push_back(std::move(catalog.accelerators_[order[i]]));
    }
    catalog.accelerators_ = std::move(sorted);
    for (Offer& offer : offers)
      if (offer.sku.accelerator != kNoAccelerator)
        offer.sku.accelerator = place[offer.sku.accelerator];
  }

  void spell(std::uint32_t index) {
    const Accelerator& gpu = catalog.accelerators_[index];
    const auto add_spelling = [this, index](std::string_view text) {
      const GpuName name = take_apart(text);
      for (const std::string& key : {name.ordered, name.sorted})
        if (!key.empty())
          catalog.spellings_.push_back({key, index});
      catalog.spellings_.push_back({whole_name(text), index});
    };
    add_spelling(gpu.name);
    add_spelling(gpu.id);
    for (const std::string& alias : gpu.aliases)
      add_spelling(alias);
  }

  /// A catalog is as new as its newest price.
  void name_version() {
    Date newest;
    for (const PriceRow& row : catalog.prices_)
      if (row.as_of.known() && row.as_of > newest)
        newest = row.as_of;
    catalog.version_ = newest.text();
  }

  /// The price rows stand in the order of their SKUs, mostly already.
  void join_offers() {
    catalog.skus_.reserve(offers.size());
    catalog.first_price_.reserve(offers.size() + 1);
    std::size_t next = 0;
    bool in_order = true;
    for (Offer& offer : offers) {
      in_order = in_order && offer.first == next;
      catalog.first_price_.push_back(static_cast<std::uint32_t>(next));
      for (std::size_t i = offer.first; i < offer.first + offer.count; ++i)
        pool[i].sku = static_cast<std::uint32_t>(catalog.skus_.size());
      next += offer.count;
      catalog.skus_.push_back(std::move(offer.sku));
    }
    catalog.first_price_.push_back(static_cast<std::uint32_t>(next));
    if (in_order && next == pool.size()) {
      catalog.prices_ = std::move(pool);
      return;
    }
    catalog.prices_.reserve(next);
    for (const Offer& offer : offers)
      for (std::size_t i = offer.first; i < offer.first + offer.count; ++i)
        catalog.prices_.push_back(std::move(pool[i]));
  }

  void keep_last_of_each_id() {
    const auto id = [](const Offer& offer) { return std::string_view(offer.sku.id); };
    if (!std::ranges::is_sorted(offers, {}, id))
      std::ranges::stable_sort(offers, {}, id);
    if (replaced == 0)
      return;
    std::vector<Offer> kept;
    for (Offer& offer : offers) {
      if (!kept.empty() && kept.back().sku.id == offer.sku.id)
        kept.pop_back();
      kept.push_back(std::move(offer));
    }
    offers = std::move(kept);
  }

  Catalog catalog;
  Diagnostics& diagnostics;
  std::unordered_map<std::string, std::uint32_t> gpu_index, region_index, currency_index,
      source_index;
  std::unordered_map<std::string, std::size_t> seen;
  std::map<std::string, ExchangeRate, std::less<>> rates;
  std::vector<Offer> offers;
  std::vector<PriceRow> pool;
  int replaced = 0;
};

namespace {

/// A data file larger than this is not a catalog (a million offers are about 400 MB).
constexpr std::uint64_t kLargestFile = std::uint64_t{2} << 30;

struct Folder {
  std::string_view name;  // below data/
  bool offers = false;
  void (*read)(const DataText&, Diagnostics&, CatalogBuilder&);
};

/// In this order: offers refer to accelerators and are converted at the exchange rates.
constexpr Folder kFolders[] = {
    {"accelerators/", false,
     [](const DataText& text, Diagnostics& faults, CatalogBuilder& builder) {
       read_accelerators(text, faults,
                         [&builder](Accelerator&& row) { builder.add(std::move(row)); });
     }},
    {"market/exchange-rates.json", true,
     [](const DataText& text, Diagnostics& faults, CatalogBuilder& builder) {
       read_exchange_rates(text, faults,
                           [&builder](ExchangeRate&& row) { builder.add(std::move(row)); });
     }},
    {"providers.json", true,
     [](const DataText& text, Diagnostics& faults, CatalogBuilder& builder) {
       read_providers(text, faults, [&builder](Provider&& row) { builder.add(std::move(row)); });
     }},
    {"offers/", true,
     [](const DataText& text, Diagnostics& faults, CatalogBuilder& builder) {
       read_offers(text, faults, [&builder, &text](const OfferFileHead& head, OfferText& offer) {
         builder.add(text, head, offer);
       });
     }},
};

/// The files of one kind in one folder on disk; a missing part is no fault.
std::vector<std::string> overlay_files(const support::FileSource& files, const std::string& root,
                                       std::string_view part) {
  const std::string path = root + "/" + std::string(part);
  if (!part.ends_with('/'))
    return files.is_file(path) ? std::vector{path} : std::vector<std::string>{};
  std::vector<std::string> found;
  const auto names =
      files.is_folder(path) ? files.list(path) : support::Result<std::vector<std::string>>(found);
  if (names)
    for (const std::string& name : *names)
      if (name.ends_with(".json"))
        found.push_back(path + name);
  return found;
}

void read_overlay(const support::FileSource& files, const std::string& root, const Folder& folder,
                  Diagnostics& faults, CatalogBuilder& builder) {
  for (const std::string& path : overlay_files(files, root, folder.name)) {
    const auto content = files.read(path, kLargestFile);
    if (!content)
      faults.push_back({Diagnostic::Severity::error, content.error()});
    else
      folder.read({.path = path, .content = *content, .parser = builder.parser}, faults, builder);
  }
}

bool has_errors(const Diagnostics& diagnostics) {
  return std::ranges::any_of(diagnostics, [](const Diagnostic& found) {
    return found.severity == Diagnostic::Severity::error;
  });
}

}  // namespace

Loaded load_catalog(const support::FileSource& files, const CatalogSources& sources,
                    CatalogParts parts) {
  Loaded loaded;
  CatalogBuilder builder(loaded.diagnostics);
  for (const std::string& folder : sources.folders)
    if (!files.is_folder(folder))
      loaded.diagnostics.push_back(
          {Diagnostic::Severity::error, support::Error{.code = support::ErrorCode::file_not_found,
                                                       .message = "no such folder",
                                                       .location = {.file = folder}}});
  for (const Folder& folder : kFolders) {
    if (folder.offers && !parts.offers)
      continue;
    if (sources.embedded)
      for (const EmbeddedFile& file : embedded_files())
        if (file.path.starts_with(folder.name))
          folder.read({.path = file.path,
                       .content = file.content,
                       .parser = builder.parser,
                       .padded = true},
                      loaded.diagnostics, builder);
    for (const std::string& root : sources.folders)
      read_overlay(files, root, folder, loaded.diagnostics, builder);
  }
  if (parts.calibration) {
    auto calibration = load_calibration(files, sources.embedded, sources.folders);
    if (calibration)
      builder.set_calibration(std::move(*calibration));
    else
      loaded.diagnostics.push_back({Diagnostic::Severity::error, calibration.error()});
  }
  if (has_errors(loaded.diagnostics))
    return loaded;
  Catalog catalog = builder.finish();
  loaded.catalog = std::move(catalog);
  return loaded;
}

namespace {

/// Rows of one small file by id: the embedded one, then those of the folders.
template <typename Row>
support::Result<std::map<std::string, Row>> load_small(
    const support::FileSource& files, bool embedded, const std::vector<std::string>& folders,
    std::string_view name, std::string Row::*id,
    void (*read)(const DataText&, Diagnostics&, const std::function<void(Row&&)>&)) {
  std::map<std::string, Row> rows;
  Diagnostics faults;
  FileParser parser;
  const auto take = [&rows, id](Row&& row) { rows[row.*id] = std::move(row); };
  if (embedded)
    for (const EmbeddedFile& file : embedded_files())
      if (file.path == name)
        read({file.path, file.content, parser, true}, faults, take);
  for (const std::string& folder : folders)
    for (const std::string& path : overlay_files(files, folder, name)) {
      GPU_ADVISOR_TRY(const std::string text, files.read(path, kLargestFile));
      read({path, text, parser}, faults, take);
    }
  if (!faults.empty())
    return faults.front().error;
  return rows;
}

}  // namespace

support::Result<std::map<std::string, ExchangeRate>> load_exchange_rates(
    const support::FileSource& files, bool embedded, const std::vector<std::string>& folders) {
  return load_small<ExchangeRate>(files, embedded, folders, "market/exchange-rates.json",
                                  &ExchangeRate::currency, read_exchange_rates);
}

support::Result<std::map<std::string, MarketRow>> load_market(
    const support::FileSource& files, bool embedded, const std::vector<std::string>& folders) {
  return load_small<MarketRow>(files, embedded, folders, "market/hardware-prices.json",
                               &MarketRow::id, read_market);
}

std::span<const PriceRow> Catalog::prices_of(std::uint32_t sku) const {
  return std::span(prices_).subspan(first_price_[sku], first_price_[sku + 1] - first_price_[sku]);
}

}  // namespace gpu_advisor::catalog
