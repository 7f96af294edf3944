#pragma once

#include <map>
#include <string>
#include <vector>

#include "evaluation_internal.hpp"

namespace gpu_advisor::rank {

/// Keeps, for each limit with a figure, the offers that missed it by the least.
class NearMisses {
 public:
  void add(const Offer& offer, int instances, const Miss& miss);
  /// Nearest first within each limit, limits in the fixed order.
  [[nodiscard]] std::vector<NearMiss> take();

 private:
  std::map<std::string, std::vector<NearMiss>, std::less<>> by_rule_;
};

}  // namespace gpu_advisor::rank
