#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "adapter_internal.hpp"
#include "checkpoint_model_internal.hpp"
#include "checkpoint_weights_internal.hpp"
#include "gguf_model_internal.hpp"
#include "gpu_advisor/model/reader.hpp"
#include "gpu_advisor/units/data_type.hpp"
#include "index_model_internal.hpp"
#include "placed_weight_internal.hpp"
#include "safetensors_header_internal.hpp"
#include "shards_internal.hpp"
#include "weight_index_internal.hpp"

namespace gpu_advisor::model {
namespace {

using support::Error;
using support::ErrorCode;
using support::Result;

constexpr double kMostBytes = static_cast<double>(kMostFileBytes);
constexpr double kPlainBytes = 2;  // of a weight in 16 bits

/// What the names of an index say of its model.
struct NamedStructure {
  std::int64_t layers = 0, experts = 0, buffers = 0;
  std::string main;          // the list with the most tensors
  std::string quantisation;  // canonical name; empty: not packed
};

std::string packing_of(std::string_view name) {
  if (name.ends_with(".qweight"))
    return "gptq-int4";
  if (name.find(".quant_state.") != std::string_view::npos || name.ends_with(".absmax"))
    return "nf4";
  return name.ends_with(".weight_scale_inv") ? "fp8" : "";
}

NamedStructure structure_of(const std::vector<std::string>& names) {
  NamedStructure result;
  std::map<std::string, std::int64_t> tensors;
  std::map<std::string, std::int64_t> layers;
  for (const std::string& name : names) {
    const Place place = place_of_checkpoint_name(name);
    result.buffers += is_buffer_name(name) && !name.ends_with("_proj.bias") ? 1 : 0;
    result.experts = std::max<std::int64_t>(result.experts, place.expert + 1);
    if (result.quantisation.empty())
      result.quantisation = packing_of(name);
    if (place.layer < 0)
      continue;
    ++tensors[place.stack];
    std::int64_t& count = layers[place.stack];
    count = std::max<std::int64_t>(count, place.layer + 1);
  }
  const auto most = std::ranges::max_element(
      tensors, [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most != tensors.end()) {
    result.main = most->first;
    result.layers = layers[most->first];
  }
  return result;
}

std::optional<Arch> arch_of(const NamedStructure& named) {
  const auto has = [&named](std::string_view part) {
    return named.main.find(part) != std::string::npos;
  };
  if (has("transformer_blocks") || has("joint_blocks") || has("double_blocks") ||
      has("single_blocks") || has("down_blocks") || has("up_blocks"))
    return Arch::diffusion;
  if (named.experts > 0)
    return Arch::moe;
  if (has("encoder") || has("bert"))
    return Arch::encoder;
  return std::nullopt;
}

std::vector<std::string> shards_beside(const support::FileSource& files, const WeightIndex& index,
                                       const std::string& folder) {
  std::vector<std::string> paths;
  for (const std::string& shard : index.shards)
    if (files.is_file(folder + shard))
      paths.push_back(folder + shard);
  return paths;
}

/// All headers together, and what they and the index disagree on.
Result<WeightHeader> read_shards(const support::FileSource& files, const WeightIndex& index,
                                 const std::vector<std::string>& paths) {
  WeightHeader whole;
  whole.warnings = index.warnings;
  for (const std::string& path : paths) {
    GPU_ADVISOR_TRY(WeightHeader header, read_safetensors_header(files, path));
    std::ranges::move(header.tensors, std::back_inserter(whole.tensors));
    for (const std::string& warning : header.warnings)
      whole.warnings.push_back(file_name_of(path) + ": " + warning);
    if (whole.tensors.size() > kMostTensors)
      return Error{.code = ErrorCode::malformed_weights,
                   .message = "more tensors than any model has",
                   .location = {.file = path}};
  }
  GPU_ADVISOR_CHECKED(check_unique(whole.tensors, paths.front()));
  if (whole.tensors.size() != index.tensors.size())
    whole.warnings.push_back(fmt::format("the index names {} tensors, the shards hold {}",
                                         index.tensors.size(), whole.tensors.size()));
  const double bytes = summarise(whole.tensors).bytes.base();
  if (index.total_size && *index.total_size > 0 && *index.total_size != bytes)
    whole.warnings.push_back(
        fmt::format("the index says total_size {:.0f}, the shards hold {:.0f} bytes",
                    *index.total_size, bytes));
  return whole;
}

/// Bytes of all tensors; what they rest on goes into the model's notes.
Result<double> total_bytes(const support::FileSource& files, const WeightIndex& index,
                           const std::string& path, ModelSpec& spec) {
  const std::vector<std::string> beside = shards_beside(files, index, folder_of(path));
  if (beside.size() == index.shards.size()) {
    double bytes = 0;
    for (const std::string& shard : beside) {
      GPU_ADVISOR_TRY(const std::uint64_t size, files.size(shard));
      bytes += static_cast<double>(std::min(size, kMostFileBytes));
    }
    spec.assumptions.emplace_back("bytes are the sizes of the shard files");
    if (index.total_size && *index.total_size > bytes)
      spec.warnings.push_back(fmt::format(
          "the index says total_size {:.0f}, more than its files hold", *index.total_size));
    return bytes;
  }
  if (index.total_size && *index.total_size > 0 && *index.total_size <= kMostBytes)
    return *index.total_size;
  return Error{
      .code = ErrorCode::unsupported_model,
      .message = fmt::format("the index lists {} tensors in {} files but no usable total_size, and "
                             "{} of the files lie beside it: the size is unknown",
                             index.tensors.size(), index.shards.size(), beside.size()),
      .location = {.file = path, .pointer = "/metadata/total_size"},
      .hint = "put the shards beside the index, or name the model's config.json"};
}

double parameters_of(const WeightIndex& index, const NamedStructure& named, double bytes,
                     ModelSpec& spec) {
  if (index.total_parameters && *index.total_parameters > 0) {
    const auto count = static_cast<double>(*index.total_parameters);
    if (named.quantisation.empty() && bytes < kPlainBytes * count)
      spec.warnings.emplace_back(
          "total_parameters counts more than total_size holds in 16 bits: shared weights are "
          "counted twice, or the weights are packed");
    return count;
  }
  double each = kPlainBytes;
  if (const auto known = units::find_quantisation(named.quantisation))
    each = known->bits_per_weight / 8;
  spec.assumptions.push_back(
      named.quantisation.empty()
          ? "the index does not say how many bytes a weight has: 16 bits taken, half as many "
            "parameters if they are stored in 32"
          : fmt::format("the weights are packed, and the index does not say how many they are: {} "
                        "bits each taken as for {}",
                        each * 8, named.quantisation));
  return std::floor(bytes / each);
}

/// Makes the count come out: what the inferred layers leave over stands outside them.
void account_for_rest(ModelSpec& spec, std::int64_t parameters) {
  const std::int64_t rest = parameters - spec.parameters();
  Stack& stack = spec.stacks.front();
  if (stack.layers.empty() && stack.outside.empty())
    stack.aggregate_parameters = parameters;
  else if (rest > 0)
    stack.outside.push_back({.role = Role::other, .rows = rest});
}

/// A model of this size with these layers. Without layers, or when no transformer of them has the
/// size, a stack that is its count alone.
ModelSpec sized_model(const NamedStructure& named, double parameters, const std::string& name) {
  Dimensions dimensions{.name = name, .arch = arch_of(named), .parameters = parameters};
  const bool described = named.layers > 0 && dimensions.arch != Arch::diffusion;
  if (described)
    dimensions.layers = named.layers;
  if (described && named.experts > 1)
    dimensions.experts = named.experts;
  if (named.layers > 0)
    if (auto spec = from_dimensions(dimensions))
      return std::move(spec).value();
  ModelSpec spec;
  spec.family = kTensorsFamily;
  spec.stacks.push_back({.role = StackRole::other, .name = "tensors"});
  return spec;
}

}  // namespace

Result<ModelSpec> index_model(const support::FileSource& files, const std::string& path) {
  GPU_ADVISOR_TRY(const WeightIndex index, read_weight_index(files, path));
  const std::vector<std::string> beside = shards_beside(files, index, folder_of(path));
  const bool readable = std::ranges::all_of(
      index.shards, [](const std::string& shard) { return shard.ends_with(".safetensors"); });
  if (readable && beside.size() == index.shards.size()) {
    GPU_ADVISOR_TRY(const WeightHeader header, read_shards(files, index, beside));
    if (is_adapter(header))
      return adapter_model(files, header, path);
    ModelSpec spec = checkpoint_model(header, path);
    spec.source = "safetensors-index";
    return spec;
  }
  ModelSpec notes;
  GPU_ADVISOR_TRY(const double bytes, total_bytes(files, index, path, notes));
  const NamedStructure named = structure_of(index.tensors);
  const double parameters = parameters_of(index, named, bytes, notes);
  ModelSpec spec = sized_model(named, parameters, model_name_of(path));
  account_for_rest(spec, static_cast<std::int64_t>(parameters));
  spec.name = model_name_of(path);
  spec.source = readable ? "safetensors-index" : "pytorch-index";
  spec.basis = index.total_parameters ? ParameterBasis::stored : ParameterBasis::inferred;
  spec.stored = StoredWeights{.tensors = static_cast<std::int64_t>(index.tensors.size()),
                              .bytes = units::bytes(bytes),
                              .elements = static_cast<std::int64_t>(parameters)};
  if (const auto known = units::find_quantisation(named.quantisation))
    spec.quantisation = QuantisationInfo{.method = std::string(known->family),
                                         .bits = known->bits_per_weight,
                                         .canonical = std::string(known->name),
                                         .kv_cache = {}};
  if (named.buffers > 0)
    notes.warnings.push_back(
        fmt::format("{} of the tensors are buffers, which the size counts too", named.buffers));
  spec.warnings.insert(spec.warnings.end(), index.warnings.begin(), index.warnings.end());
  spec.warnings.insert(spec.warnings.end(), notes.warnings.begin(), notes.warnings.end());
  spec.assumptions.insert(spec.assumptions.begin(), notes.assumptions.begin(),
                          notes.assumptions.end());
  return spec;
}

}  // namespace gpu_advisor::model
