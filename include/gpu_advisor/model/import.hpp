#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_advisor/support/result.hpp"

namespace gpu_advisor::model {

/// What an import made: path below data/ to content, and what is worth telling about rows.
struct ImportedModels {
  std::map<std::string, std::string> files;
  std::vector<std::string> notes;
};

/// `catalog import --format models-csv`: the columns of a models CSV (the header names them) become
/// data/models/<modality>.json. `corrections` is data/import/models.json: aliases, config keys and
/// parts beside the CSV, by id, each with its source; may be empty.
[[nodiscard]] support::Result<ImportedModels> import_models_csv(std::string_view csv,
                                                                std::string_view file,
                                                                std::string_view corrections);

}  // namespace gpu_advisor::model
