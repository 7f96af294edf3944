#include <algorithm>
#include <set>
#include <tuple>

#include "also_internal.hpp"
#include "evaluation_internal.hpp"
#include "judge_internal.hpp"
#include "near_internal.hpp"
#include "score_internal.hpp"

namespace gpu_advisor::rank {
namespace {

/// Hourly limit in USD that the budget sets; empty: none, or one on the whole job.
std::optional<units::MoneyPerHour> hourly_limit(const Limits& limits) {
  if (!limits.budget)
    return std::nullopt;
  if (limits.budget->period == units::BudgetPeriod::hour)
    return units::MoneyPerHour::usd(limits.budget->amount);
  if (limits.budget->period == units::BudgetPeriod::month)
    return units::MoneyPerHour::usd(limits.budget->amount / units::kHoursPerMonth);
  return std::nullopt;
}

/// One pass over the offers: evaluates, sifts, and keeps what is feasible.
class Search {
 public:
  Search(const catalog::Catalog& catalog, const Judge& judge, const workload::Workload& workload,
         const Limits& limits, const Options& options)
      : catalog_(catalog),
        judge_(judge),
        limits_(limits),
        options_(options),
        evaluator_(catalog, workload, limits),
        hourly_limit_(hourly_limit(limits)) {}

  void consider(const Offer& offer) {
    const catalog::Sku& sku = catalog_.skus()[offer.sku];
    const bool open_count = !limits_.min_gpus && !limits_.max_gpus && !limits_.nodes;
    for (const int instances : instance_counts(sku, limits_)) {
      const units::MoneyPerHour hourly = offer.hourly * instances;
      if (hourly_limit_ && hourly > *hourly_limit_) {
        refused.add("budget");
        note_too_dear(offer, instances);
        return;
      }
      if (instances > 1 && !nodes_can_cooperate(sku)) {
        refuse(offer, instances, {.rule = "network"});
        return;
      }
      ++considered_;
      const bool feasible = try_count(offer, instances, hourly);
      if ((feasible || hopeless_) && open_count)
        return;
    }
  }

  std::vector<Candidate> candidates;
  RefusalCount refused;
  NearMisses near;
  [[nodiscard]] int considered() const { return considered_; }

  /// Names the cheapest offers above the budget that would serve: only where nothing below it does.
  void look_above_budget() {
    if (!candidates.empty() || !hourly_limit_)
      return;
    std::ranges::stable_sort(too_dear_, {}, &TooDear::hourly);
    constexpr int kNamed = 3;
    int named = 0;
    for (const TooDear& dear : too_dear_) {
      if (!would_serve(dear.offer, dear.instances, dear.hourly))
        continue;
      near.add(dear.offer, dear.instances,
               {"budget", dear.hourly.dollars(), hourly_limit_->dollars(), "USD/h"});
      if (++named == kNamed)
        return;
    }
  }

 private:
  Candidate candidate_of(const Offer& offer, int instances, units::MoneyPerHour hourly,
                         const layout::Best& best) {
    Candidate candidate{.sku = offer.sku,
                        .price = offer.price,
                        .pricing = offer.pricing,
                        .instances = instances,
                        .gpus = gpus_per_instance(catalog_.skus()[offer.sku]) * instances,
                        .estimate = best.estimate,
                        .more_regions = offer.more_regions};
    candidate.cost = cost_of(evaluator_.workload(), best.estimate, hourly, candidate.gpus);
    return candidate;
  }

  /// Whether an offer would do but for its price.
  bool would_serve(const Offer& offer, int instances, units::MoneyPerHour hourly) {
    const layout::Best& best = evaluator_.best(catalog_.skus()[offer.sku], instances);
    if (!best.fits || !best.estimate.supported)
      return false;
    const Candidate candidate = candidate_of(offer, instances, hourly, best);
    return judge_.sift({catalog_, evaluator_.workload(), limits_, options_.today, candidate})
        .rejected.empty();
  }

  bool try_count(const Offer& offer, int instances, units::MoneyPerHour hourly) {
    const catalog::Sku& sku = catalog_.skus()[offer.sku];
    const layout::Best& best = evaluator_.best(sku, instances);
    Candidate candidate = candidate_of(offer, instances, hourly, best);
    hopeless_ = !best.estimate.supported;
    const Miss miss = missed_target(evaluator_.workload(), limits_, best, candidate.cost);
    if (!miss.rule.empty()) {
      refuse(offer, instances, miss);
      return false;
    }
    const Verdict verdict =
        judge_.sift({catalog_, evaluator_.workload(), limits_, options_.today, candidate});
    if (!verdict.rejected.empty()) {
      const Finding& finding = verdict.rejected.front();
      refused.add(finding);
      hopeless_ = true;
      return false;
    }
    candidate.score_parts =
        score_parts({evaluator_.workload(), candidate.estimate, candidate.cost, sku,
                     candidate.pricing, candidate.more_regions + 1, verdict.maturity_penalty, 0},
                    options_.weights);
    for (const ScorePart& part : candidate.score_parts)
      candidate.score += part.points;
    candidates.push_back(std::move(candidate));
    return true;
  }

  /// This count and the larger ones: one of them may be the nearest that would serve.
  void note_too_dear(const Offer& offer, int from) {
    const catalog::Sku& sku = catalog_.skus()[offer.sku];
    for (const int instances : instance_counts(sku, limits_))
      if (instances >= from && (instances == 1 || nodes_can_cooperate(sku)))
        too_dear_.push_back({offer, instances, offer.hourly * instances});
  }

  void refuse(const Offer& offer, int instances, const Miss& miss) {
    refused.add(miss.rule);
    near.add(offer, instances, miss);
  }

  const catalog::Catalog& catalog_;
  const Judge& judge_;
  const Limits& limits_;
  const Options& options_;
  Evaluator evaluator_;
  std::optional<units::MoneyPerHour> hourly_limit_;
  int considered_ = 0;
  struct TooDear {
    Offer offer;
    int instances = 1;
    units::MoneyPerHour hourly;
  };
  std::vector<TooDear> too_dear_;
  bool hopeless_ = false;  // more instances would not help
};

/// Best first, with a total order.
void sort_candidates(const catalog::Catalog& catalog, std::vector<Candidate>& candidates) {
  std::ranges::sort(candidates, [&catalog](const Candidate& a, const Candidate& b) {
    const auto key = [&catalog](const Candidate& c) {
      return std::tuple(-c.score, c.cost.hourly.dollars(),
                        std::string_view(catalog.skus()[c.sku].id), c.pricing, c.instances);
    };
    return key(a) < key(b);
  });
}

/// Of one SKU and pricing model only the best size stays in the ranking.
void keep_best_sizes(std::vector<Candidate>& sorted) {
  std::set<std::pair<std::uint32_t, catalog::Pricing>> seen;
  std::erase_if(sorted, [&seen](const Candidate& candidate) {
    return !seen.emplace(candidate.sku, candidate.pricing).second;
  });
}

void note_prices(const catalog::Catalog& catalog, Recommendation& result,
                 const std::vector<Offer>& offers) {
  std::set<std::string> providers;
  for (const Offer& offer : offers) {
    providers.insert(catalog.skus()[offer.sku].provider);
    const catalog::Date date = catalog.prices()[offer.price].as_of;
    if (!date.known())
      continue;
    if (!result.oldest_price.known() || date < result.oldest_price)
      result.oldest_price = date;
    if (!result.newest_price.known() || date > result.newest_price)
      result.newest_price = date;
  }
  result.providers_considered.assign(providers.begin(), providers.end());
}

void comment_on_top(const catalog::Catalog& catalog, const Judge& judge,
                    const workload::Workload& workload, const Limits& limits,
                    const catalog::Date& today, std::vector<Candidate>& candidates) {
  for (Candidate& candidate : candidates) {
    Verdict verdict = judge.comment({catalog, workload, limits, today, candidate});
    candidate.warnings = std::move(verdict.warnings);
    candidate.reasons = std::move(verdict.reasons);
  }
}

}  // namespace

support::Result<Recommendation> recommend(const catalog::Catalog& catalog,
                                          const rules::RuleSet& rules,
                                          const workload::Workload& workload, const Limits& limits,
                                          const Options& options) {
  GPU_ADVISOR_TRY(const Admission admission, Admission::prepare(catalog, limits, options.today));
  const Judge judge(rules);
  Search search(catalog, judge, workload, limits, options);
  const std::vector<Offer> offers = collect_offers(catalog, limits, admission, search.refused);
  for (const Offer& offer : offers)
    search.consider(offer);

  search.look_above_budget();

  Recommendation result;
  result.candidates = std::move(search.candidates);
  sort_candidates(catalog, result.candidates);
  keep_best_sizes(result.candidates);
  mark_pareto(workload, result.candidates);
  if (result.candidates.size() > static_cast<std::size_t>(options.top))
    result.candidates.resize(static_cast<std::size_t>(options.top));
  comment_on_top(catalog, judge, workload, limits, options.today, result.candidates);
  result.rejected = search.refused.take();
  result.nearest = search.near.take();
  result.considered = search.considered();
  result.assumptions = workload.assumptions;
  result.warnings = workload.warnings;
  note_prices(catalog, result, offers);
  if (options.also)
    result.also = next_questions(catalog, judge, workload, limits, options);
  return result;
}

}  // namespace gpu_advisor::rank
