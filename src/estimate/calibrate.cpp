#include "gpu_advisor/estimate/calibrate.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace gpu_advisor::estimate {
namespace {

using catalog::CalibrationRow;

/// A sample with what is left of it after the factors found so far.
struct Residual {
  const SpeedSample* sample;
  double left;
};
using Residuals = std::vector<Residual>;

double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const auto index = static_cast<std::size_t>(share * static_cast<double>(values.size()));
  return values[std::min(index, values.size() - 1)];
}

/// Median of every source, by source.
std::vector<double> source_medians(const std::vector<const Residual*>& rows) {
  std::map<std::string_view, std::vector<double>> by_source;
  for (const Residual* row : rows)
    by_source[row->sample->source].push_back(row->left);
  std::vector<double> medians;
  for (auto& [source, values] : by_source)
    medians.push_back(quantile(std::move(values), 0.5));
  return medians;
}

struct Factor {
  double log = 0;
  int rows = 0, sources = 0;
};
using Factors = std::map<std::string, Factor>;

/// Groups of fewer rows say nothing, and a factor beyond this says that the rows or the derivation
/// are about something else.
constexpr std::size_t kFewestRowsOfFactor = 5;
constexpr double kLargestLog = 0.92;  // a factor of 2.5

constexpr std::size_t kFewestSources = 3;

/// The median; between the two in the middle where their number is even.
double middle(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double factor_before(const Factors& factors, const std::string& name) {
  const auto found = factors.find(name);
  return found == factors.end() ? 0 : found->second.log;
}

/// Whether three quarters of the sources lie on one side of the derivation: where they scatter
/// around it, it is as good as what they could teach.
bool agree(const std::vector<double>& medians, double factor) {
  const auto slower =
      std::ranges::count_if(medians, [factor](double left) { return left + factor > 0; });
  const double share = static_cast<double>(slower) / static_cast<double>(medians.size());
  constexpr double kMost = 0.75;
  return share >= kMost || share <= 1 - kMost;
}

/// Each group's factor becomes the shrunken median of what its sources show without it; the
/// residuals follow. (Coordinate descent: repeated over the kinds of groups until it settles.)
template <typename Key>
void refit(Residuals& residuals, Key key, Factors& factors) {
  std::map<std::string, std::vector<const Residual*>> groups;
  for (const Residual& residual : residuals)
    if (const std::string& name = key(*residual.sample); !name.empty())
      groups[name].push_back(&residual);
  std::map<std::string, double> moved;
  for (const auto& [name, rows] : groups) {
    if (rows.size() < kFewestRowsOfFactor)
      continue;
    const std::vector<double> medians = source_medians(rows);
    // One source alone cannot tell what is its own from what is the software's or the card's.
    if (medians.size() < kFewestSources || !agree(medians, factor_before(factors, name)))
      continue;
    const double sources = static_cast<double>(medians.size());
    Factor& factor = factors[name];
    const double shown = middle(medians) + factor.log;
    const double wanted = std::clamp(shown * sources / (sources + 2), -kLargestLog, kLargestLog);
    moved[name] = wanted - factor.log;
    factor = {wanted, static_cast<int>(rows.size()), static_cast<int>(medians.size())};
  }
  for (Residual& residual : residuals)
    if (const auto found = moved.find(key(*residual.sample)); found != moved.end())
      residual.left -= found->second;
}

/// Standard deviation of a normal with 80 % of these within.
double spread_of(const Residuals& residuals) {
  constexpr double kEighty = 1.2816;
  std::vector<double> sizes;
  for (const Residual& residual : residuals)
    sizes.push_back(std::abs(residual.left));
  return quantile(std::move(sizes), 0.8) / kEighty;
}

CalibrationRow factor_row(std::string constant, const std::string& task, const Factor& factor) {
  CalibrationRow row;
  row.constant = std::move(constant);
  row.task = task;
  // Four digits: more would pretend.
  row.value = std::round(std::exp(factor.log) * 1e4) / 1e4;
  row.rows = factor.rows;
  row.sources = factor.sources;
  row.basis = "fitted";
  return row;
}

CalibrationRow spread_row(const std::string& task, const std::string& engine,
                          const Residuals& residuals) {
  std::set<std::string_view> sources;
  for (const Residual& residual : residuals)
    sources.insert(residual.sample->source);
  CalibrationRow row;
  row.constant = "time_spread";
  row.task = task;
  row.engine = engine;
  row.value = 1;
  row.log_spread = std::round(spread_of(residuals) * 1e4) / 1e4;
  row.rows = static_cast<int>(residuals.size());
  row.sources = static_cast<int>(sources.size());
  row.basis = "fitted";
  return row;
}

/// Spreads need rows: fewer than this say nothing of a tail.
constexpr std::size_t kFewestRows = 12;

void add_spreads(const std::string& task, const Residuals& residuals,
                 std::vector<CalibrationRow>& out) {
  out.push_back(spread_row(task, "", residuals));
  std::map<std::string, Residuals> by_engine;
  for (const Residual& residual : residuals)
    by_engine[residual.sample->engine].push_back(residual);
  for (const auto& [engine, rows] : by_engine)
    if (!engine.empty() && rows.size() >= kFewestRows)
      out.push_back(spread_row(task, engine, rows));
}

/// Software has a factor, architectures have none: what a card can do is in its specifications, and
/// the sources of most cards are too few to tell the card from the source.
void fit_task(const std::string& task, Residuals residuals, std::vector<CalibrationRow>& out) {
  Factors engines;
  refit(
      residuals, [](const SpeedSample& s) -> const std::string& { return s.engine; }, engines);
  for (const auto& [name, factor] : engines) {
    out.push_back(factor_row("time_factor", task, factor));
    out.back().engine = name;
  }
  add_spreads(task, residuals, out);
}

/// A figure that is off by more than a factor of ten is about another workload than the row says.
constexpr double kAboutSomethingElse = 2.3;

}  // namespace

std::vector<CalibrationRow> fit_speed(std::span<const SpeedSample> samples) {
  std::map<std::string, Residuals> by_task;
  for (const SpeedSample& sample : samples)
    if (std::abs(sample.log_time_ratio) < kAboutSomethingElse)
      by_task[sample.task].push_back({&sample, sample.log_time_ratio});
  std::vector<CalibrationRow> rows;
  for (auto& [task, residuals] : by_task)
    fit_task(task, std::move(residuals), rows);
  return rows;
}

}  // namespace gpu_advisor::estimate
