#include <algorithm>
#include <string_view>

#include "memory_engine_internal.hpp"
#include "memory_framework_internal.hpp"
#include "memory_internal.hpp"

namespace gpu_advisor::estimate {
namespace {

using workload::Method;
using workload::Task;

/// The kind of workload that a spread is known for.
std::string_view kind_of(const workload::Workload& work) {
  switch (work.task) {
    case Task::vision_train:
    case Task::diffusion_train:
      return "vision-train";
    case Task::vision_inference:
    case Task::diffusion_inference:
      return "vision-inference";
    case Task::inference:
      return "inference";
    default:
      return work.method == Method::full ? "train" : "adapter-train";
  }
}

/// The framework or engine as the calibration knows it; empty: unknown.
std::string_view software_of(const workload::Workload& work) {
  return workload::is_training(work.task) ? framework_named(work.framework).mark
                                          : engine_named(work.engine).mark;
}

// Where no measurement of the kind is in the calibration.
constexpr double kUnknownSpread = 0.25;
// Dimensions inferred from a parameter count alone leave activations and caches open.
constexpr double kInferredFactor = 1.4;

}  // namespace

double memory_constant(const Question& question, std::string_view constant, double otherwise) {
  return question.calibration.value({.constant = constant,
                                     .engine = software_of(question.workload),
                                     .task = kind_of(question.workload)},
                                    otherwise);
}

double memory_spread(const Question& question) {
  const workload::Workload& work = question.workload;
  const auto* row = question.calibration.find(
      {.constant = "memory_spread", .engine = software_of(work), .task = kind_of(work)});
  const double spread = row != nullptr && row->log_spread > 0 ? row->log_spread : kUnknownSpread;
  return work.model.dimensions_inferred ? spread * kInferredFactor : spread;
}

}  // namespace gpu_advisor::estimate
