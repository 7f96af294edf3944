#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_advisor/catalog/accelerator.hpp"
#include "gpu_advisor/catalog/calibration.hpp"
#include "gpu_advisor/catalog/offer.hpp"
#include "gpu_advisor/support/file_source.hpp"
#include "gpu_advisor/support/result.hpp"

namespace gpu_advisor::catalog {

/// Something found while loading or validating: an error stops the loading, a warning does not.
struct Diagnostic {
  enum class Severity { error, warning, note };
  Severity severity = Severity::error;
  support::Error error;
};

/// A provider as `data/providers.json` describes it.
struct Provider {
  std::string id;       // "aws"
  std::string name;     // "Amazon Web Services"
  std::string country;  // headquarters, ISO 3166 alpha-2; empty unknown
  std::vector<std::string> aliases;
  std::string kind;  // "hyperscaler", "gpu-cloud", "marketplace", "china-cloud", …
};

/// Accelerators, SKUs, prices, providers and calibration, read once and then immutable. Indices are
/// stable within one object. Rows are sorted by id.
class Catalog {
 public:
  [[nodiscard]] std::span<const Accelerator> accelerators() const { return accelerators_; }
  [[nodiscard]] std::span<const Sku> skus() const { return skus_; }
  [[nodiscard]] std::span<const PriceRow> prices() const { return prices_; }
  /// The price rows of one SKU (rows are grouped by SKU).
  [[nodiscard]] std::span<const PriceRow> prices_of(std::uint32_t sku) const;
  [[nodiscard]] std::span<const std::string> regions() const { return regions_; }
  [[nodiscard]] std::span<const std::string> currencies() const { return currencies_; }
  [[nodiscard]] std::span<const std::string> sources() const { return sources_; }
  [[nodiscard]] std::span<const Provider> providers() const { return providers_; }
  [[nodiscard]] const Calibration& calibration() const { return calibration_; }
  /// The day of the newest price, or "unknown".
  [[nodiscard]] const std::string& version() const { return version_; }

  /// By id, name or alias, leniently ("RTX 3090", "A100-SXM-80GB", "Tesla T4", "MI300X"); a name
  /// that leaves the form open is the SXM part, said in `Match::note`. unknown_name with nearest
  /// spellings, or ambiguous_name with the choices.
  struct Match {
    const Accelerator* accelerator = nullptr;
    std::string note;  // e.g. "H100-80GB read as H100 SXM 80GB"
  };
  [[nodiscard]] support::Result<Match> find_accelerator(std::string_view name) const;
  /// As a filter: every accelerator whose id, name or alias matches the glob, or whose name is a
  /// form of it ("A100" means every A100). Also the grammar "nvidia:A100:80GB:1..8", "24GB..80GB".
  [[nodiscard]] support::Result<std::vector<std::uint32_t>> filter_accelerators(
      std::string_view pattern) const;

  /// One spelling of an accelerator, taken apart: see `src/catalog/gpu_name_internal.hpp`.
  struct Spelling {
    std::string key;
    std::uint32_t accelerator = 0;
  };

 private:
  friend struct CatalogBuilder;
  std::vector<Accelerator> accelerators_;
  std::vector<Sku> skus_;
  std::vector<PriceRow> prices_;
  std::vector<std::uint32_t> first_price_;  // skus_.size() + 1 entries
  std::vector<std::string> regions_, currencies_, sources_;
  std::vector<Provider> providers_;
  std::vector<Spelling> spellings_;  // sorted by key
  Calibration calibration_;
  std::string version_;
};

/// Where the catalog's files come from, later ones over earlier ones.
struct CatalogSources {
  bool embedded = true;              // the data built into the binary
  std::vector<std::string> folders;  // --catalog DIR, the XDG overlay folder
};

/// Which parts are read: listing GPUs need not parse the offers.
struct CatalogParts {
  bool offers = true;
  bool calibration = true;
};

/// Reads and joins. All faults are collected; any error means no catalog.
struct Loaded {
  std::optional<Catalog> catalog;
  std::vector<Diagnostic> diagnostics;
};
[[nodiscard]] Loaded load_catalog(const support::FileSource& files, const CatalogSources& sources,
                                  CatalogParts parts = {});

}  // namespace gpu_advisor::catalog
