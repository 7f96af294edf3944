#include <algorithm>
#include <array>

#include "facts_internal.hpp"
#include "gpu_advisor/rules/rule.hpp"
#include "judge_internal.hpp"

namespace gpu_advisor::rank {
namespace {

Finding finding(const rules::Fired& fired) {
  return {fired.rule->id, fired.en, fired.zh};
}

std::vector<Finding> findings(const std::vector<rules::Fired>& fired) {
  std::vector<Finding> list;
  for (const rules::Fired& one : fired)
    list.push_back(finding(one));
  return list;
}

}  // namespace

struct Judge::Impl {
  /// Where a row's fact stands in the rules' table.
  struct Place {
    std::size_t index;
    const FactRow* row;
  };
  const rules::RuleSet* rules = nullptr;
  std::vector<Place> places, machine_places;  // of candidates with an offer, and without
  std::vector<bool> sifted;                   // facts that reject and score rules read

  enum class Need { all, sifting };
  [[nodiscard]] rules::Facts facts(const CandidateView& view, Need need) const {
    rules::Facts values(rules->table());
    for (const Place& place : view.machine == nullptr ? places : machine_places)
      if (need == Need::all || sifted[place.index])
        values.set(place.index, place.row->read(view));
    return values;
  }
};

Judge::Judge(const rules::RuleSet& rules) : impl_(std::make_unique<Impl>()) {
  const auto place = [&rules](const FactRow& row, std::vector<Impl::Place>& places) {
    if (const auto index = rules.table().find(row.name))
      places.push_back({*index, &row});
  };
  impl_->rules = &rules;
  for (const FactRow& row : fact_rows()) {
    place(row, impl_->places);
    const bool of_the_offer = row.name.starts_with("offer.") || row.name.starts_with("cost.");
    if (!of_the_offer || row.name == "cost.power_w")
      place(row, impl_->machine_places);
  }
  for (const FactRow& row : machine_fact_rows())
    place(row, impl_->machine_places);
  impl_->sifted.resize(rules.table().size());
  constexpr std::array kSifting{rules::Stage::reject, rules::Stage::score};
  for (const std::size_t index : rules.reads(kSifting))
    impl_->sifted[index] = true;
}

Judge::~Judge() = default;

Verdict Judge::sift(const CandidateView& view) const {
  const rules::Facts facts = impl_->facts(view, Impl::Need::sifting);
  Verdict verdict;
  verdict.maturity_penalty = impl_->rules->penalty(facts);
  if (impl_->rules->first(rules::Stage::reject, facts) != nullptr)
    verdict.rejected =
        findings(impl_->rules->fire(rules::Stage::reject, impl_->facts(view, Impl::Need::all)));
  return verdict;
}

Verdict Judge::comment(const CandidateView& view) const {
  const rules::Facts facts = impl_->facts(view, Impl::Need::all);
  Verdict verdict;
  verdict.warnings = findings(impl_->rules->fire(rules::Stage::warn, facts));
  for (Finding& more : findings(impl_->rules->fire(rules::Stage::score, facts)))
    verdict.warnings.push_back(std::move(more));
  verdict.reasons = findings(impl_->rules->fire(rules::Stage::advise, facts));
  return verdict;
}

}  // namespace gpu_advisor::rank
