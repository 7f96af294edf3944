#include <algorithm>
#include <cmath>

#include "gpu_advisor/support/text.hpp"
#include "quantisation_internal.hpp"

namespace gpu_advisor::units {
namespace {

enum class Where { alone, within_name };

std::optional<Quantisation> by_canonical(std::string_view name) {
  const auto& rows = quantisations();
  const auto found = std::ranges::lower_bound(rows, name, {}, &Quantisation::name);
  return found != rows.end() && found->name == name ? std::optional(*found) : std::nullopt;
}

/// By folded spelling: a canonical name or an alias.
std::optional<Quantisation> by_key(std::string_view key, Where where) {
  for (const Quantisation& row : quantisations()) {
    if (support::fold(row.name) == key) {
      return row;
    }
  }
  const auto aliases = quantisation_aliases();
  const auto found = std::ranges::find(aliases, key, &QuantisationAlias::folded);
  if (found == aliases.end() || (where == Where::within_name && !found->within_names)) {
    return std::nullopt;
  }
  return by_canonical(found->canonical);
}

/// The number before "bpw" of ExLlama names: "exl2-4.0bpw", "4_5bpw-exl2".
std::optional<Quantisation> exllama_in(const std::string& lower) {
  const std::size_t end = lower.find("bpw");
  if (end == std::string::npos) {
    return std::nullopt;
  }
  std::size_t start = end;
  while (start > 0 &&
         (std::string_view("0123456789._").find(lower[start - 1]) != std::string::npos)) {
    --start;
  }
  std::string number = lower.substr(start, end - start);
  number.erase(0, number.find_first_not_of("._"));
  std::ranges::replace(number, '_', '.');
  const std::optional<double> bits = support::parse_number(number);
  if (!bits || *bits < 1 || *bits > 8.5) {
    return std::nullopt;
  }
  for (const Quantisation& row : quantisations()) {
    if (row.family == "exl2" && std::abs(row.bits_per_weight - *bits) < 1e-6) {
      return row;
    }
  }
  return exllama(lower.find("exl3") == std::string::npos ? "exl2" : "exl3", "exl2", *bits);
}

/// "q4_k_xl_qat" is a "q4_k_xl": drops parts after underscores until something is known.
std::optional<Quantisation> by_prefix(std::string_view token, Where where) {
  for (std::size_t end = token.rfind('_'); end != std::string_view::npos && end > 0;
       end = token.rfind('_', end - 1)) {
    if (auto row = by_key(support::fold(token.substr(0, end)), where)) {
      return row;
    }
  }
  return std::nullopt;
}

std::vector<std::string_view> words(std::string_view text) {
  constexpr std::string_view kSeparators = "-:/ .+()[],";
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  while ((start = text.find_first_not_of(kSeparators, start)) != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(kSeparators, start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end;
  }
  return parts;
}

/// The earliest of the longest runs of words that name a format.
std::optional<Quantisation> within(std::string_view text) {
  constexpr std::size_t kLongest = 3;
  const std::vector<std::string_view> parts = words(text);
  for (std::size_t length = std::min(kLongest, parts.size()); length > 0; --length) {
    for (std::size_t i = 0; i + length <= parts.size(); ++i) {
      const std::string_view last = parts[i + length - 1];
      const std::string_view run =
          text.substr(static_cast<std::size_t>(parts[i].data() - text.data()),
                      static_cast<std::size_t>(last.data() + last.size() - parts[i].data()));
      if (auto row = by_key(support::fold(run), Where::within_name)) {
        return row;
      }
    }
  }
  for (const std::string_view part : parts) {
    if (auto row = by_prefix(part, Where::within_name)) {
      return row;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Quantisation> find_quantisation(std::string_view text) {
  const std::string lower = support::to_lower(support::trim(text));
  if (auto row = by_canonical(lower)) {
    return row;
  }
  if (auto row = by_key(support::fold(lower), Where::alone)) {
    return row;
  }
  if (auto row = exllama_in(lower)) {
    return row;
  }
  return within(lower);
}

}  // namespace gpu_advisor::units
