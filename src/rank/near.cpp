#include <algorithm>
#include <cmath>

#include "near_internal.hpp"

namespace gpu_advisor::rank {
namespace {

constexpr std::size_t kKept = 3;  // per limit

/// How far off, as a factor: 0.82 GiB too little of 80 is nearer than of 8.
double distance(const NearMiss& miss) {
  return std::abs(std::log(std::max(miss.needed, 1e-9) / std::max(miss.available, 1e-9)));
}

}  // namespace

void NearMisses::add(const Offer& offer, int instances, const Miss& miss) {
  if (miss.unit.empty())
    return;
  auto& kept = by_rule_[std::string(miss.rule)];
  NearMiss entry{.sku = offer.sku,
                 .price = offer.price,
                 .pricing = offer.pricing,
                 .instances = instances,
                 .rule = std::string(miss.rule),
                 .needed = miss.needed,
                 .available = miss.available,
                 .unit = std::string(miss.unit)};
  const auto place = std::ranges::upper_bound(kept, distance(entry), {}, distance);
  kept.insert(place, std::move(entry));
  if (kept.size() > kKept)
    kept.pop_back();
}

std::vector<NearMiss> NearMisses::take() {
  std::vector<NearMiss> all;
  for (const std::string_view limit : builtin_limits())
    if (const auto found = by_rule_.find(limit); found != by_rule_.end())
      all.insert(all.end(), found->second.begin(), found->second.end());
  return all;
}

}  // namespace gpu_advisor::rank
