#pragma once

#include <algorithm>
#include <limits>

#include "command_internal.hpp"
#include "gpu_advisor/render/present/lists.hpp"
#include "gpu_advisor/support/text.hpp"

namespace gpu_advisor::commands {

/// "list", "show NAME", or nothing.
struct Verb {
  bool show = false;
  std::string name;
};
[[nodiscard]] support::Result<Verb> verb_of(const Call& call);

/// One word of --sort; smaller values first, unknown ones last. No function: the rows' own order.
template <typename Row>
struct SortKey {
  std::string_view name;
  std::optional<double> (*value)(const Row&);
};

template <typename Row>
[[nodiscard]] support::Status sort_rows(const Call& call, const std::vector<SortKey<Row>>& keys,
                                        std::vector<Row>& rows) {
  const auto wanted = call.values.get("--sort");
  if (!wanted)
    return support::ok();
  std::vector<std::string> names;
  for (const SortKey<Row>& key : keys)
    names.emplace_back(key.name);
  const auto key = std::ranges::find(keys, *wanted, &SortKey<Row>::name);
  if (key == keys.end()) {
    std::string expected;
    for (const std::string& name : names)
      expected += (expected.empty() ? "" : ", ") + name;
    return usage_error("--sort", "\"" + *wanted + "\" is not one of " + expected,
                       support::did_you_mean(support::nearest(*wanted, names, 1)));
  }
  if (key->value == nullptr)
    return support::ok();
  std::ranges::stable_sort(rows, {}, [key](const Row& row) {
    return key->value(row).value_or(std::numeric_limits<double>::infinity());
  });
  return support::ok();
}

/// Rows to show: --limit, or all.
[[nodiscard]] support::Result<std::size_t> limit_of(const Call& call, std::size_t rows);
/// The list in the format asked for; `total` is the number before --limit. Exit code 1 when empty.
[[nodiscard]] support::Result<ExitCode> write_list(const Call& call, std::string_view schema,
                                                   render::Table table, std::size_t total);
/// A SKU at its cheapest unflagged price; without one, `more_regions` is -1.
[[nodiscard]] render::OfferLine cheapest_line(const catalog::Catalog& catalog, std::uint32_t sku,
                                              catalog::Pricing pricing);

}  // namespace gpu_advisor::commands
