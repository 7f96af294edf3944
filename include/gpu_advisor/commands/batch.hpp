#pragma once

#include <iosfwd>

#include "gpu_advisor/catalog/catalog.hpp"
#include "gpu_advisor/model/presets.hpp"
#include "gpu_advisor/support/file_source.hpp"

namespace gpu_advisor::commands {

/// What a batch needs to answer rows.
struct BatchInputs {
  const catalog::Catalog& catalog;
  const model::PresetLibrary& presets;
  const support::FileSource& files;
  int jobs = 1;  // threads; the output is the same for any number
};

/// Answers each NDJSON row with one line, in the order of the rows, in constant memory. True when
/// every row was well formed.
[[nodiscard]] bool estimate_batch(const BatchInputs& inputs, std::istream& in, std::ostream& out);

}  // namespace gpu_advisor::commands
