#include "gpu_advisor/workload/resolve.hpp"

#include "gpu_advisor/support/text.hpp"
#include "resolve_internal.hpp"

namespace gpu_advisor::workload {
namespace {

/// The task that a model is for, where the user names none.
Task usual_task(const model::ModelSpec& model) {
  if (model.arch == model::Arch::cnn || model.arch == model::Arch::vit)
    return Task::vision_inference;
  if (model.arch == model::Arch::diffusion)
    return Task::diffusion_inference;
  return Task::inference;
}

}  // namespace

struct Resolver::Impl {
  Impl(const catalog::Catalog& catalog_, const model::PresetLibrary& presets,
       const support::FileSource& files)
      : catalog(&catalog_), models(presets, files) {}
  const catalog::Catalog* catalog;
  ModelCache models;
};

Resolver::Resolver(const catalog::Catalog& catalog, const model::PresetLibrary& presets,
                   const support::FileSource& files)
    : impl_(std::make_unique<Impl>(catalog, presets, files)) {}
Resolver::~Resolver() = default;

support::Result<Workload> Resolver::workload(const Request& request) const {
  GPU_ADVISOR_TRY(ModelCache::Found found, impl_->models.find(request));
  Workload workload;
  workload.id = request.id;
  workload.model = std::move(found.model);
  workload.assumptions = workload.model.assumptions;
  workload.warnings = workload.model.warnings;
  workload.task = request.task.value_or(usual_task(workload.model));
  if (!request.task)
    workload.assumptions.push_back("task " + std::string(name(workload.task)));
  // The serving side is filled for training too: "what would it take to serve it" is a next
  // question.
  GPU_ADVISOR_CHECKED(resolve_inference(request, found.quantisation, workload));
  if (is_training(workload.task)) {
    workload.assumptions = workload.model.assumptions;
    GPU_ADVISOR_CHECKED(resolve_training(request, workload));
  }
  return workload;
}

support::Result<Machine> Resolver::machine(const Request& request) const {
  return resolve_machine(*impl_->catalog, request);
}

support::Result<Layout> Resolver::layout(const Request& request, const Workload& workload,
                                         const Machine& machine) const {
  return resolve_layout(request, workload, machine);
}

}  // namespace gpu_advisor::workload
