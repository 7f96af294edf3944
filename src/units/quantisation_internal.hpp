#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_advisor/units/data_type.hpp"

namespace gpu_advisor::units {

/// The rows of GGUF files, as the quantise tool of llama.cpp mixes block formats.
[[nodiscard]] std::vector<Quantisation> gguf_quantisations();

/// ExLlama stores an average of `bits` per weight in the layers, six bits in the head (its default)
/// and sixteen in the embedding.
[[nodiscard]] Quantisation exllama(std::string_view name, std::string_view family, double bits);

/// Another spelling (folded) of a canonical name. Common words do not count inside a model's name.
struct QuantisationAlias {
  std::string_view folded;
  std::string_view canonical;
  bool within_names = true;
};
[[nodiscard]] std::span<const QuantisationAlias> quantisation_aliases();

}  // namespace gpu_advisor::units
