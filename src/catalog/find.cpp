#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "gpu_advisor/catalog/catalog.hpp"
#include "gpu_advisor/support/text.hpp"
#include "gpu_advisor/units/parse.hpp"
#include "gpu_name_internal.hpp"

namespace gpu_advisor::catalog {
namespace {

using support::Error;
using support::ErrorCode;
using support::Result;

/// "144GB" is the card sold as 141: names round.
constexpr double kMemorySlack = 0.03;

bool same_memory(const Accelerator& gpu, double gigabytes) {
  const double size = gpu.memory / units::gib(1);
  return std::abs(size - gigabytes) <= std::max(0.6, kMemorySlack * size);
}

bool same_form(const Accelerator& gpu, const std::string& form) {
  return gpu.form_factor.starts_with(form);
}

bool is_sxm(const Accelerator* gpu) {
  return gpu->form_factor.starts_with("sxm");
}

std::vector<std::uint32_t> spelled(std::span<const Catalog::Spelling> spellings,
                                   const std::string& key) {
  // Not std::ranges::equal_range: Clang 14 does not compile its result.
  const auto first = std::ranges::lower_bound(spellings, key, {}, &Catalog::Spelling::key);
  const auto last = std::ranges::upper_bound(spellings, key, {}, &Catalog::Spelling::key);
  std::set<std::uint32_t> found;
  for (const Catalog::Spelling& spelling : std::span(first, last))
    found.insert(spelling.accelerator);
  return {found.begin(), found.end()};
}

/// All that a name may mean: its parts in the order written, else in any order, else with the brand
/// that people leave out ("3090").
std::vector<std::uint32_t> meant(std::span<const Catalog::Spelling> spellings,
                                 const GpuName& wanted) {
  if (wanted.ordered.empty())
    return {};
  for (const std::string& key : {wanted.ordered, wanted.sorted})
    if (auto found = spelled(spellings, key); !found.empty())
      return found;
  if (std::isdigit(static_cast<unsigned char>(wanted.ordered.front())) == 0)
    return {};
  for (const std::string_view brand : {"rtx", "gtx", "rx"})
    if (auto found = spelled(spellings, std::string(brand) + wanted.ordered); !found.empty())
      return found;
  return {};
}

Error unknown(std::string_view name, std::span<const Accelerator> gpus) {
  std::vector<std::string> known;
  for (const Accelerator& gpu : gpus)
    known.push_back(gpu.name);
  auto near = support::nearest(name, known);
  if (near.empty()) {
    // A short name differs in more than a third of its letters from "GeForce RTX …": compare cores.
    const GpuName wanted = take_apart(name);
    std::vector<std::string> cores;
    for (const Accelerator& gpu : gpus)
      cores.push_back(take_apart(gpu.name).ordered);
    for (const std::string& core : support::nearest(wanted.ordered, cores))
      near.push_back(
          known[static_cast<std::size_t>(std::ranges::find(cores, core) - cores.begin())]);
  }
  return Error{
      .code = ErrorCode::unknown_name,
      .message = fmt::format("unknown GPU \"{}\"", name),
      .location = {.file = "--gpu"},
      .hint = near.empty() ? "list them with: gpu-advisor gpus" : support::did_you_mean(near)};
}

/// A memory size or a range of them: "24GB", "24GB..80GB", "24GB..".
struct MemoryRange {
  double least = 0, most = 1e9;
};
std::optional<MemoryRange> memory_range(std::string_view text) {
  if (support::to_lower(text).find("gb") == std::string::npos)
    return std::nullopt;
  const auto gigabytes = [](std::string_view part) -> std::optional<double> {
    std::string lower = support::to_lower(support::trim(part));
    if (lower.ends_with("gb"))
      lower.resize(lower.size() - 2);
    return support::parse_number(lower);
  };
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    const auto size = gigabytes(text);
    if (!size)
      return std::nullopt;
    return MemoryRange{*size * (1 - kMemorySlack), *size * (1 + kMemorySlack)};
  }
  MemoryRange range;
  const std::string_view first = text.substr(0, dots), last = text.substr(dots + 2);
  if (!first.empty()) {
    const auto size = gigabytes(first);
    if (!size)
      return std::nullopt;
    range.least = *size * (1 - kMemorySlack);
  }
  if (!last.empty()) {
    const auto size = gigabytes(last);
    if (!size)
      return std::nullopt;
    range.most = *size * (1 + kMemorySlack);
  }
  return range;
}

bool is_count(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos;
}

}  // namespace

Result<Catalog::Match> Catalog::find_accelerator(std::string_view name) const {
  const auto by_id = std::ranges::find(accelerators_, name, &Accelerator::id);
  if (by_id != accelerators_.end())
    return Match{.accelerator = &*by_id, .note = {}};
  // The whole name first: text in brackets counts there ("TITAN X (Maxwell)").
  if (const auto whole = spelled(spellings_, whole_name(name)); whole.size() == 1)
    return Match{.accelerator = &accelerators_[whole.front()], .note = {}};
  const GpuName wanted = take_apart(name);
  std::vector<const Accelerator*> found;
  for (const std::uint32_t index : meant(spellings_, wanted))
    found.push_back(&accelerators_[index]);
  // Memory size and form narrow what the model's name leaves open.
  std::erase_if(found, [&wanted](const Accelerator* gpu) {
    return (wanted.memory && !same_memory(*gpu, *wanted.memory)) ||
           (!wanted.form.empty() && !same_form(*gpu, wanted.form));
  });
  if (found.empty())
    return unknown(name, accelerators_);
  std::string note;
  if (wanted.form.empty() && std::ranges::any_of(found, is_sxm) &&
      !std::ranges::all_of(found, is_sxm)) {
    std::erase_if(found, [](const Accelerator* gpu) { return !is_sxm(gpu); });
    note = fmt::format("{} read as {}", name, found.front()->name);
  }
  if (found.size() > 1) {
    // The smaller memory is the careful reading of a name that leaves it open.
    std::ranges::stable_sort(found, {}, [](const Accelerator* gpu) { return gpu->memory; });
    note = fmt::format("{} read as {}", name, found.front()->name);
  }
  return Match{.accelerator = found.front(), .note = std::move(note)};
}

Result<std::vector<std::uint32_t>> Catalog::filter_accelerators(std::string_view pattern) const {
  std::vector<bool> kept(accelerators_.size(), true);
  for (const std::string_view raw : support::split(pattern, ':')) {
    const std::string_view part = support::trim(raw);
    if (part.empty() || is_count(part))
      continue;
    if (const auto range = memory_range(part)) {
      for (std::size_t i = 0; i < kept.size(); ++i) {
        const double size = accelerators_[i].memory / units::gib(1);
        kept[i] = kept[i] && size >= range->least && size <= range->most;
      }
      continue;
    }
    const GpuName wanted = take_apart(part);
    std::set<std::uint32_t> named;
    for (const std::uint32_t index : spelled(spellings_, whole_name(part)))
      named.insert(index);
    for (const std::uint32_t index : meant(spellings_, wanted))
      if ((wanted.form.empty() || same_form(accelerators_[index], wanted.form)) &&
          (!wanted.memory || same_memory(accelerators_[index], *wanted.memory)))
        named.insert(index);
    for (std::uint32_t i = 0; i < accelerators_.size(); ++i) {
      const Accelerator& gpu = accelerators_[i];
      if (support::glob_match(part, gpu.id) || support::glob_match(part, gpu.name) ||
          support::glob_match(part, gpu.vendor_name) || support::glob_match(part, gpu.architecture))
        named.insert(i);
    }
    if (named.empty())
      return unknown(part, accelerators_);
    for (std::uint32_t i = 0; i < kept.size(); ++i)
      kept[i] = kept[i] && named.contains(i);
  }
  std::vector<std::uint32_t> indices;
  for (std::uint32_t i = 0; i < kept.size(); ++i)
    if (kept[i])
      indices.push_back(i);
  if (indices.empty())
    return unknown(pattern, accelerators_);
  return indices;
}

}  // namespace gpu_advisor::catalog
