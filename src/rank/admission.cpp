#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "admission_internal.hpp"
#include "gpu_advisor/support/text.hpp"

namespace gpu_advisor::rank {
namespace {

using catalog::Pricing;
using support::Error;
using support::ErrorCode;

/// "no such provider", with the nearest spellings.
Error unknown_name(std::string_view what, const std::string& name,
                   const std::vector<std::string>& known) {
  const auto near = support::nearest(name, known);
  return Error{
      .code = ErrorCode::unknown_name,
      .message = "unknown " + std::string(what) + " \"" + name + "\"",
      .location = {.file = "--" + std::string(what)},
      .hint = near.empty() ? "list them with: gpu-advisor offers" : support::did_you_mean(near)};
}

bool names_provider(const catalog::Provider& provider, const std::string& pattern) {
  if (support::glob_match(pattern, provider.id) || support::glob_match(pattern, provider.name))
    return true;
  const std::string folded = support::fold(pattern);
  return std::ranges::any_of(provider.aliases, [&folded](const std::string& alias) {
    return support::fold(alias) == folded;
  });
}

support::Result<std::set<std::string, std::less<>>> allowed_providers(
    const catalog::Catalog& catalog, const std::vector<std::string>& patterns) {
  std::set<std::string, std::less<>> allowed;
  for (const std::string& pattern : patterns) {
    const std::size_t before = allowed.size();
    bool known = false;
    for (const catalog::Provider& provider : catalog.providers())
      if (names_provider(provider, pattern)) {
        allowed.insert(provider.id);
        known = true;
      }
    if (!known && allowed.size() == before) {
      std::vector<std::string> ids;
      for (const catalog::Provider& provider : catalog.providers()) {
        ids.push_back(provider.id);
        ids.insert(ids.end(), provider.aliases.begin(), provider.aliases.end());
      }
      return unknown_name("provider", pattern, ids);
    }
  }
  return allowed;
}

support::Result<std::vector<bool>> allowed_regions(const catalog::Catalog& catalog,
                                                   const std::vector<std::string>& patterns) {
  std::vector<bool> allowed(catalog.regions().size(), patterns.empty());
  for (const std::string& pattern : patterns) {
    bool known = false;
    for (std::size_t i = 0; i < allowed.size(); ++i)
      if (support::glob_match(pattern, catalog.regions()[i])) {
        allowed[i] = true;
        known = true;
      }
    if (!known)
      return unknown_name("region", pattern, {catalog.regions().begin(), catalog.regions().end()});
  }
  return allowed;
}

support::Result<std::vector<bool>> allowed_gpus(const catalog::Catalog& catalog,
                                                const Limits& limits) {
  std::vector<bool> allowed(catalog.accelerators().size(), limits.gpus.empty());
  for (const std::string& pattern : limits.gpus) {
    GPU_ADVISOR_TRY(const auto matches, catalog.filter_accelerators(pattern));
    for (const std::uint32_t index : matches)
      allowed[index] = true;
  }
  for (const std::string& pattern : limits.exclude_gpus) {
    GPU_ADVISOR_TRY(const auto matches, catalog.filter_accelerators(pattern));
    for (const std::uint32_t index : matches)
      allowed[index] = false;
  }
  return allowed;
}

}  // namespace

const std::vector<std::string_view>& builtin_limits() {
  static const std::vector<std::string_view> kLimits{
      "provider",  "region",  "gpu",     "min_vram",         "gpus",   "unknown_accelerator",
      "announced", "retired", "flagged", "nvlink",           "rdma",   "price_unknown",
      "price_age", "budget",  "network", "unsupported",      "layout", "memory",
      "headroom",  "ttft",    "tpot",    "min_tokens_per_s", "qps",    "deadline"};
  return kLimits;
}

support::Result<Admission> Admission::prepare(const catalog::Catalog& catalog, const Limits& limits,
                                              const catalog::Date& today) {
  Admission admission(catalog, limits, today);
  GPU_ADVISOR_TRY(admission.providers_, allowed_providers(catalog, limits.providers));
  GPU_ADVISOR_TRY(admission.region_allowed_, allowed_regions(catalog, limits.regions));
  GPU_ADVISOR_TRY(admission.gpu_allowed_, allowed_gpus(catalog, limits));
  return admission;
}

bool Admission::has_fast_link(const catalog::Sku& sku) const {
  using enum catalog::NodeLink;
  if (sku.gpus <= 1)
    return true;
  return sku.link == nvlink || sku.link == nvswitch || sku.link == nvl72;
}

std::string_view Admission::refuses(const catalog::Sku& sku) const {
  if (!providers_.empty() && !providers_.contains(sku.provider))
    return "provider";
  if (sku.accelerator == catalog::kNoAccelerator || sku.gpus <= 0)
    return limits_->gpus.empty() ? "unknown_accelerator" : "gpu";
  if (!gpu_allowed_[sku.accelerator])
    return "gpu";
  const catalog::Accelerator& gpu = catalog_->accelerators()[sku.accelerator];
  if (gpu.status == catalog::AcceleratorStatus::announced)
    return "announced";
  if (sku.status == "retired")
    return "retired";
  if (sku.status == "component")
    return "flagged";
  // A user who asks for 24 GiB means cards sold as 24 GB, whatever the driver keeps for itself.
  if (limits_->min_vram && sku.gpu_memory.value_or(gpu.memory) < *limits_->min_vram)
    return "min_vram";
  if (limits_->max_gpus && std::ceil(sku.gpus) > *limits_->max_gpus)
    return "gpus";
  if (limits_->require_nvlink && !has_fast_link(sku))
    return "nvlink";
  if (limits_->require_rdma && sku.fabric != catalog::Fabric::infiniband &&
      sku.fabric != catalog::Fabric::roce && sku.fabric != catalog::Fabric::efa)
    return "rdma";
  return {};
}

std::string_view Admission::refuses(const catalog::PriceRow& row, Pricing pricing) const {
  const auto slot = static_cast<std::size_t>(pricing);
  if (!region_allowed_[row.region])
    return "region";
  if (!row.prices[slot])
    return "price_unknown";
  if (row.flagged[slot])
    return "flagged";
  if (limits_->max_price_age_days &&
      (!row.as_of.known() ||
       catalog::days_between(row.as_of, today_) > *limits_->max_price_age_days))
    return "price_age";
  return {};
}

void RefusalCount::add(std::string_view limit, int count) {
  for (Rejection& rejection : rejections_)
    if (rejection.rule == limit) {
      rejection.count += count;
      return;
    }
  rejections_.push_back(
      {.rule = std::string(limit), .message_en = {}, .message_zh = {}, .count = count});
}

void RefusalCount::add(const Finding& rule) {
  add(rule.rule);
  const auto place = std::ranges::find(rejections_, rule.rule, &Rejection::rule);
  place->message_en = rule.message_en;
  place->message_zh = rule.message_zh;
}

std::vector<Rejection> RefusalCount::take() {
  std::ranges::sort(rejections_, [](const Rejection& a, const Rejection& b) {
    return std::tuple(-a.count, std::string_view(a.rule)) <
           std::tuple(-b.count, std::string_view(b.rule));
  });
  return std::move(rejections_);
}

std::vector<Offer> collect_offers(const catalog::Catalog& catalog, const Limits& limits,
                                  const Admission& admission, RefusalCount& refused) {
  std::vector<Offer> offers;
  for (std::uint32_t sku = 0; sku < catalog.skus().size(); ++sku) {
    const auto rows = catalog.prices_of(sku);
    if (const std::string_view limit = admission.refuses(catalog.skus()[sku]); !limit.empty()) {
      refused.add(limit, static_cast<int>(std::max<std::size_t>(rows.size(), 1)));
      continue;
    }
    if (rows.empty())
      refused.add("price_unknown");
    for (const Pricing pricing : limits.pricing) {
      Offer best{.sku = sku, .pricing = pricing, .more_regions = -1};
      for (const catalog::PriceRow& row : rows) {
        if (const std::string_view limit = admission.refuses(row, pricing); !limit.empty()) {
          refused.add(limit);
          continue;
        }
        const units::MoneyPerHour hourly = *row.prices[static_cast<std::size_t>(pricing)];
        if (best.more_regions < 0 || hourly < best.hourly) {
          best.hourly = hourly;
          best.price = static_cast<std::uint32_t>(&row - catalog.prices().data());
        }
        ++best.more_regions;
      }
      if (best.more_regions >= 0)
        offers.push_back(best);
    }
  }
  std::ranges::stable_sort(offers, {}, &Offer::hourly);
  return offers;
}

}  // namespace gpu_advisor::rank
