#pragma once

#include <deque>
#include <map>
#include <vector>

#include "admission_internal.hpp"

namespace gpu_advisor::rank {

/// The machine that `instances` of a SKU make up. A fractional SKU is one device with its share of
/// the memory, the bandwidth and the rates.
class Machines {
 public:
  explicit Machines(const catalog::Catalog& catalog) : catalog_(&catalog) {}
  [[nodiscard]] workload::Machine make(const catalog::Sku& sku, int instances);

 private:
  const catalog::Catalog* catalog_;
  std::map<std::string, catalog::Accelerator, std::less<>> slices_;  // by SKU id; stable addresses
};

/// Whole GPUs of one instance: 1 for a slice.
[[nodiscard]] int gpus_per_instance(const catalog::Sku& sku);

/// Finds the best layout for machines, once for all SKUs that are physically the same.
class Evaluator {
 public:
  Evaluator(const catalog::Catalog& catalog, const workload::Workload& workload,
            const Limits& limits);
  [[nodiscard]] const layout::Best& best(const catalog::Sku& sku, int instances);
  [[nodiscard]] const workload::Workload& workload() const { return *workload_; }
  [[nodiscard]] const ops::OperationList& operations() const { return operations_; }

 private:
  const catalog::Catalog* catalog_;
  const workload::Workload* workload_;
  const Limits* limits_;
  ops::OperationList operations_;
  Machines machines_;
  std::map<std::vector<double>, layout::Best> known_;  // by what physics sees of a machine
};

/// Instance counts to try, ascending.
[[nodiscard]] std::vector<int> instance_counts(const catalog::Sku& sku, const Limits& limits);

/// Whether nodes of this SKU can work on one model together: only with a network that somebody
/// vouches for.
[[nodiscard]] bool nodes_can_cooperate(const catalog::Sku& sku);

/// Cost of a deployment from its price and its speed.
[[nodiscard]] Cost cost_of(const workload::Workload& workload, const estimate::Estimate& estimate,
                           units::MoneyPerHour hourly, int gpus);

/// The first target or limit that an estimate misses, with what was needed and what there is; an
/// empty rule: none.
struct Miss {
  std::string_view rule;
  double needed = 0, available = 0;
  std::string_view unit;
};
[[nodiscard]] Miss missed_target(const workload::Workload& workload, const Limits& limits,
                                 const layout::Best& best, const Cost& cost);

}  // namespace gpu_advisor::rank
