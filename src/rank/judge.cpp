#include <algorithm>

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
  const rules::RuleSet* rules = nullptr;
  /// Where each row's fact stands in the rules' table.
  std::vector<std::pair<std::size_t, const FactRow*>> places;

  [[nodiscard]] rules::Facts facts(const CandidateView& view) const {
    rules::Facts values(rules->table());
    for (const auto& [index, row] : places)
      values.set(index, row->read(view));
    return values;
  }
};

Judge::Judge(const rules::RuleSet& rules) : impl_(std::make_unique<Impl>()) {
  impl_->rules = &rules;
  for (const FactRow& row : fact_rows())
    if (const auto index = rules.table().find(row.name))
      impl_->places.emplace_back(*index, &row);
}

Judge::~Judge() = default;

Verdict Judge::sift(const CandidateView& view) const {
  const rules::Facts facts = impl_->facts(view);
  Verdict verdict;
  if (impl_->rules->first(rules::Stage::reject, facts) != nullptr)
    verdict.rejected = findings(impl_->rules->fire(rules::Stage::reject, facts));
  verdict.maturity_penalty = impl_->rules->penalty(facts);
  return verdict;
}

Verdict Judge::comment(const CandidateView& view) const {
  const rules::Facts facts = impl_->facts(view);
  Verdict verdict;
  verdict.warnings = findings(impl_->rules->fire(rules::Stage::warn, facts));
  for (Finding& more : findings(impl_->rules->fire(rules::Stage::score, facts)))
    verdict.warnings.push_back(std::move(more));
  verdict.reasons = findings(impl_->rules->fire(rules::Stage::advise, facts));
  return verdict;
}

}  // namespace gpu_advisor::rank
