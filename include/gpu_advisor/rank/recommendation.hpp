#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gpu_advisor/catalog/catalog.hpp"
#include "gpu_advisor/estimate/estimate.hpp"
#include "gpu_advisor/layout/search.hpp"
#include "gpu_advisor/workload/workload.hpp"

namespace gpu_advisor::rules {
class RuleSet;
}

namespace gpu_advisor::rank {

/// What may be rented. Empty lists mean no limit.
struct Limits {
  std::optional<units::Budget> budget;                                 // for the whole deployment
  std::vector<catalog::Pricing> pricing{catalog::Pricing::on_demand};  // acceptable pricing models
  std::vector<std::string> providers, regions;                         // globs
  std::vector<std::string> gpus, exclude_gpus;  // globs or the grammar people know
  std::optional<units::Bytes> min_vram;         // per GPU
  std::optional<int> min_gpus, max_gpus;        // of the whole deployment; empty: as many as needed
  std::optional<int> nodes;
  bool require_nvlink = false, require_rdma = false;
  std::optional<int> max_price_age_days;
  double headroom = 0;  // share of the GPU's memory to be left free
  layout::Limits layout;
};

enum class Criterion { cost, speed, headroom, fit, availability, maturity, energy };
[[nodiscard]] std::string_view name(Criterion criterion);
using Weights = std::map<Criterion, double>;
enum class Optimize { balanced, cost, speed, energy };
[[nodiscard]] Weights weights_of(Optimize optimize);

struct Cost {
  units::MoneyPerHour hourly;
  units::Money monthly;  // 730 hours
  std::optional<units::Interval<double>> per_million_output_tokens_usd, job_usd, job_hours;
  std::optional<units::Interval<double>> energy_kwh;  // of the job, or per hour of serving
};

struct ScorePart {
  Criterion criterion = {};
  double weight = 0, value = 0, points = 0;
};

/// A rule that fired, in both languages.
struct Finding {
  std::string rule, message_en, message_zh;
};

/// A SKU in a number, priced in one way, in its best layout.
struct Candidate {
  std::uint32_t sku = 0, price = 0;  // indices into the catalog
  catalog::Pricing pricing = catalog::Pricing::on_demand;
  int instances = 1;
  int gpus = 1;
  estimate::Estimate estimate;
  Cost cost;
  double score = 0;
  std::vector<ScorePart> score_parts;
  std::vector<Finding> reasons, warnings;
  bool pareto = false;
  int more_regions = 0;  // folded price rows of the same SKU at the same price or dearer
};

/// How many offers a limit or rule took out. A rule of data/rules brings its messages; a built-in
/// limit (below) has none here: its text is "limit.<rule>" in data/texts.
struct Rejection {
  std::string rule, message_en, message_zh;
  int count = 0;
};
/// Built-in limits, in the order in which they are checked: provider, region, gpu, min_vram, gpus,
/// unknown_accelerator, announced, retired, flagged, nvlink, rdma, price_unknown, price_age,
/// budget, unsupported, layout, memory, headroom, ttft, tpot, min_tokens_per_s, deadline.
[[nodiscard]] const std::vector<std::string_view>& builtin_limits();

/// An offer that came close: what it would have needed and what there is, in `unit` ("USD/h",
/// "GiB", "ms", "h", "tok/s", "%"). Text: "missing.<rule>" in data/texts with {needed} {available}
/// {gap} {unit}.
struct NearMiss {
  std::uint32_t sku = 0, price = 0;
  catalog::Pricing pricing = catalog::Pricing::on_demand;
  int instances = 1;
  std::string rule;
  double needed = 0, available = 0;
  std::string unit;
};

/// The cheapest way to do something a user would ask for next.
struct Also {
  std::string key;  // "int8", "int4", "lora", "qlora", "full", "inference"
  bool feasible = false;
  std::uint32_t sku = 0, price = 0;
  catalog::Pricing pricing = catalog::Pricing::on_demand;
  int instances = 1;
  units::MoneyPerHour hourly;
  double needed_gib = 0;
};

struct Recommendation {
  std::vector<Candidate> candidates;  // best first
  std::vector<Rejection> rejected;
  std::vector<NearMiss> nearest;
  std::vector<Also> also;
  std::vector<std::string> assumptions, warnings;
  catalog::Date oldest_price, newest_price;  // of the candidates considered
  int considered = 0;                        // SKU × count × pricing
  std::vector<std::string> providers_considered;
};

struct Options {
  Weights weights = weights_of(Optimize::balanced);
  int top = 10;
  catalog::Date today;
  bool also = true;
};

/// Ranks every offer of the catalog for a workload. Pure and deterministic.
[[nodiscard]] support::Result<Recommendation> recommend(const catalog::Catalog& catalog,
                                                        const rules::RuleSet& rules,
                                                        const workload::Workload& workload,
                                                        const Limits& limits,
                                                        const Options& options);

}  // namespace gpu_advisor::rank
