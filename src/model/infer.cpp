#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "gpu_advisor/units/parse.hpp"
#include "infer_internal.hpp"

namespace gpu_advisor::model {
namespace {

struct Reference {
  std::string_view name;
  double parameters;
  std::int64_t layers, hidden, vocab;
};

// Published configurations of dense decoder families, smallest first (data/models has their
// sources). Between two of them depth and width are interpolated on logarithmic scales.
constexpr std::array kReferences{
    Reference{"GPT-2", 1.24e8, 12, 768, 50257},
    Reference{"Qwen2.5-0.5B", 4.94e8, 24, 896, 151936},
    Reference{"Llama-3.2-1B", 1.236e9, 16, 2048, 128256},
    Reference{"Llama-3.2-3B", 3.213e9, 28, 3072, 128256},
    Reference{"Llama-3.1-8B", 8.03e9, 32, 4096, 128256},
    Reference{"Qwen2.5-14B", 1.477e10, 48, 5120, 152064},
    Reference{"Qwen2.5-32B", 3.276e10, 64, 5120, 152064},
    Reference{"Llama-3.1-70B", 7.055e10, 80, 8192, 128256},
    Reference{"Llama-3.1-405B", 4.0585e11, 126, 16384, 128256},
};

/// A size within this factor of a published one takes its depth and width unchanged.
constexpr double kSameShape = 1.3;

/// Published widths are such that the heads of 128 divide by the tensor-parallel degrees people
/// use: by 8 from 4096 on, by 4 from 2048 on.
std::int64_t width_step(double hidden) {
  if (hidden >= 4096)
    return 1024;
  if (hidden >= 2048)
    return 512;
  return hidden < 1024 ? 64 : 128;
}

std::int64_t to_multiple(double value, std::int64_t step) {
  return std::max<std::int64_t>(step, std::llround(value / static_cast<double>(step)) * step);
}

}  // namespace

InferredShape infer_shape(double parameters) {
  const auto distance = [parameters](const Reference& r) {
    return std::abs(std::log(r.parameters / parameters));
  };
  const auto* nearest = std::ranges::min_element(kReferences, {}, distance);
  if (distance(*nearest) < std::log(kSameShape)) {
    return {nearest->layers, nearest->hidden, nearest->vocab, std::string(nearest->name)};
  }
  const auto* above = std::ranges::find_if(
      kReferences, [&](const Reference& r) { return r.parameters > parameters; });
  above = std::clamp(above, kReferences.begin() + 1, kReferences.end() - 1);
  const auto* below = above - 1;
  const double share =
      std::log(parameters / below->parameters) / std::log(above->parameters / below->parameters);
  const auto between = [share](std::int64_t a, std::int64_t b) {
    return std::exp(std::log(static_cast<double>(a)) * (1 - share) +
                    std::log(static_cast<double>(b)) * share);
  };
  const double hidden = between(below->hidden, above->hidden);
  return {std::max<std::int64_t>(2, to_multiple(between(below->layers, above->layers), 2)),
          to_multiple(hidden, width_step(hidden)), above->vocab,
          fmt::format("{} and {}", below->name, above->name)};
}

double rounding_of(double given) {
  constexpr double kMost = 1.0 / 12;
  constexpr int kDigits = 15;
  for (int digits = 1; digits < kDigits; ++digits) {
    const double step = std::pow(10.0, std::floor(std::log10(given)) - (digits - 1));
    if (std::abs(std::round(given / step) * step - given) < 1e-6 * step) {
      return std::min({step / 2, given * kMost});
    }
  }
  return 0.5;
}

std::string in_words(double parameters) {
  return units::print_count(parameters);
}

}  // namespace gpu_advisor::model
