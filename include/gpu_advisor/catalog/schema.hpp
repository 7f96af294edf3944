#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gpu_advisor::catalog {

/// The JSON Schema (draft-07) of one kind of data file, made from the field list by which the
/// catalog reads it; data/schema/<kind>.schema.json is this text.
struct DataSchema {
  std::string_view kind;  // "offers"
  std::string (*text)();
};
[[nodiscard]] std::span<const DataSchema> data_schemas();

}  // namespace gpu_advisor::catalog
