#include <cmath>

#include "gpu_advisor/model/reader.hpp"
#include "gpu_advisor/model/weight_file.hpp"
#include "gpu_advisor/units/parse.hpp"
#include "resolve_internal.hpp"

namespace gpu_advisor::workload {
namespace {

using model::Dimensions;
using model::ModelSpec;
using support::Error;
using support::ErrorCode;
using support::Result;

/// A published count and a user's rounded one ("7B" for 6.74e9) may differ by this factor and still
/// mean the same model.
constexpr double kSameSize = 1.15;

bool near(double a, double b) {
  return a > 0 && b > 0 && std::abs(std::log(a / b)) < std::log(kSameSize);
}

template <typename A, typename B>
bool agrees(const std::optional<A>& given, B known) {
  return !given || known <= 0 || static_cast<double>(*given) == static_cast<double>(known);
}

/// Whether the fields beside a name describe the preset of that name.
bool describes(const Dimensions& given, const ModelSpec& preset) {
  const double parameters = static_cast<double>(preset.parameters());
  const double published = static_cast<double>(preset.published_parameters.value_or(0));
  if (given.parameters && !near(*given.parameters, parameters) &&
      !near(*given.parameters, published))
    return false;
  if (preset.stacks.size() != 1)
    return true;
  const model::Stack& stack = preset.main();
  return agrees(given.layers, stack.layer_count()) && agrees(given.hidden, stack.hidden);
}

bool has_size(const Dimensions& given) {
  return given.parameters || (given.layers && given.hidden) || given.gmacs;
}

Error no_size(const Request& request) {
  return Error{.code = ErrorCode::unsupported_workload,
               .message = request.model_name.empty() ? "no model is named and no size is given"
                                                     : "the model \"" + request.model_name +
                                                           "\" is unknown and no size is given",
               .hint = "give params, or layers and hidden"};
}

}  // namespace

const Result<ModelCache::Found>& ModelCache::preset(const std::string& name) {
  const auto known = by_name_.find(name);
  if (known != by_name_.end())
    return known->second;
  const auto build = [this, &name]() -> Result<Found> {
    GPU_ADVISOR_TRY(const model::ResolvedName resolved, presets_->resolve(name));
    GPU_ADVISOR_TRY(ModelSpec spec, presets_->build(resolved.id));
    if (!resolved.note.empty())
      spec.assumptions.push_back(resolved.note);
    return Found{std::move(spec), resolved.quantisation};
  };
  return by_name_.emplace(name, build()).first->second;
}

Result<ModelCache::Found> ModelCache::from_name(const Request& request) {
  const std::string& path =
      request.model_config.empty() ? request.model_name : request.model_config;
  const bool exists = files_->is_file(path) || files_->is_folder(path);
  // "model-Q4_K_M.gguf" without such a file is a name that people use.
  const bool named = request.model_config.empty() && path.find('/') == std::string::npos && !exists;
  if (!named && (!request.model_config.empty() || model::looks_like_path(*files_, path))) {
    GPU_ADVISOR_TRY(ModelSpec spec, model::read_model(*files_, path));
    GPU_ADVISOR_CHECKED(model::check_sizable(spec));
    std::string quantisation = spec.quantisation ? spec.quantisation->canonical : "";
    return Found{std::move(spec), std::move(quantisation)};
  }
  constexpr std::string_view kEnd = ".gguf";
  return preset(path.ends_with(kEnd) ? path.substr(0, path.size() - kEnd.size()) : path);
}

Result<ModelCache::Found> ModelCache::find(const Request& request) {
  const Dimensions& given = request.dimensions;
  std::string quantisation;
  if (!request.model_name.empty() || !request.model_config.empty()) {
    auto found = from_name(request);
    if (found && describes(given, found->model))
      return found;
    if (!found && !has_size(given))
      return found.error().code == ErrorCode::unknown_name ? Result<Found>(no_size(request))
                                                           : found;
    if (found)
      quantisation = found->quantisation;
  }
  if (!has_size(given))
    return no_size(request);
  Dimensions dimensions = given;
  if (dimensions.name.empty())
    dimensions.name = request.model_name;
  if (!dimensions.resolution)
    dimensions.resolution = request.resolution;
  GPU_ADVISOR_TRY(ModelSpec spec, model::from_dimensions(dimensions));
  return Found{std::move(spec), std::move(quantisation)};
}

}  // namespace gpu_advisor::workload
