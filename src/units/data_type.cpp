#include "gpu_advisor/units/data_type.hpp"

#include <algorithm>
#include <array>

#include "gpu_advisor/support/text.hpp"

namespace gpu_advisor::units {
namespace {

struct DataTypeRow {
  DataType type;
  std::string_view name;
  double bytes;
};

constexpr std::array kDataTypes{
    DataTypeRow{DataType::fp64, "fp64", 8},    DataTypeRow{DataType::fp32, "fp32", 4},
    DataTypeRow{DataType::tf32, "tf32", 4},    DataTypeRow{DataType::fp16, "fp16", 2},
    DataTypeRow{DataType::bf16, "bf16", 2},    DataTypeRow{DataType::fp8, "fp8", 1},
    DataTypeRow{DataType::fp6, "fp6", 0.75},   DataTypeRow{DataType::fp4, "fp4", 0.5},
    DataTypeRow{DataType::int8, "int8", 1},    DataTypeRow{DataType::int4, "int4", 0.5},
    DataTypeRow{DataType::int2, "int2", 0.25}, DataTypeRow{DataType::int1, "int1", 0.125}};

struct DataTypeAlias {
  std::string_view folded;  // support::fold of the spelling
  DataType type;
};

/// Spellings of PyTorch, JAX, safetensors, GGUF and the engines.
constexpr std::array kAliases{
    DataTypeAlias{"float64", DataType::fp64},   DataTypeAlias{"f64", DataType::fp64},
    DataTypeAlias{"double", DataType::fp64},    DataTypeAlias{"float32", DataType::fp32},
    DataTypeAlias{"f32", DataType::fp32},       DataTypeAlias{"float", DataType::fp32},
    DataTypeAlias{"single", DataType::fp32},    DataTypeAlias{"tensorfloat32", DataType::tf32},
    DataTypeAlias{"float16", DataType::fp16},   DataTypeAlias{"f16", DataType::fp16},
    DataTypeAlias{"half", DataType::fp16},      DataTypeAlias{"bfloat16", DataType::bf16},
    DataTypeAlias{"float8", DataType::fp8},     DataTypeAlias{"f8", DataType::fp8},
    DataTypeAlias{"fp8e4m3", DataType::fp8},    DataTypeAlias{"fp8e5m2", DataType::fp8},
    DataTypeAlias{"fp8e4m3fn", DataType::fp8},  DataTypeAlias{"float8e4m3fn", DataType::fp8},
    DataTypeAlias{"float8e5m2", DataType::fp8}, DataTypeAlias{"float8e4m3", DataType::fp8},
    DataTypeAlias{"f8e4m3", DataType::fp8},     DataTypeAlias{"f8e5m2", DataType::fp8},
    DataTypeAlias{"mxfp8", DataType::fp8},      DataTypeAlias{"mxfp6", DataType::fp6},
    DataTypeAlias{"mxfp4", DataType::fp4},      DataTypeAlias{"nvfp4", DataType::fp4},
    DataTypeAlias{"float4", DataType::fp4},     DataTypeAlias{"i8", DataType::int8},
    DataTypeAlias{"u8", DataType::int8},        DataTypeAlias{"uint8", DataType::int8},
    DataTypeAlias{"i4", DataType::int4},        DataTypeAlias{"uint4", DataType::int4}};

const DataTypeRow& row(DataType type) {
  return *std::ranges::find(kDataTypes, type, &DataTypeRow::type);
}

}  // namespace

std::string_view name(DataType type) {
  return row(type).name;
}

double bytes_per_element(DataType type) {
  return row(type).bytes;
}

std::optional<DataType> parse_data_type(std::string_view text) {
  const std::string key = support::fold(text);
  const auto named = std::ranges::find(kDataTypes, key, &DataTypeRow::name);
  if (named != kDataTypes.end()) {
    return named->type;
  }
  const auto alias = std::ranges::find(kAliases, key, &DataTypeAlias::folded);
  return alias == kAliases.end() ? std::nullopt : std::optional(alias->type);
}

}  // namespace gpu_advisor::units
