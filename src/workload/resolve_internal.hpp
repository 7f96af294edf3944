#pragma once

#include <map>
#include <string>

#include "gpu_advisor/workload/resolve.hpp"

namespace gpu_advisor::workload {

/// The models of a resolver, each built once.
class ModelCache {
 public:
  ModelCache(const model::PresetLibrary& presets, const support::FileSource& files)
      : presets_(&presets), files_(&files) {}

  /// A model and the quantisation that its name spells out (empty: none).
  struct Found {
    model::ModelSpec model;
    std::string quantisation;
  };
  [[nodiscard]] support::Result<Found> find(const Request& request);

 private:
  [[nodiscard]] support::Result<Found> from_name(const Request& request);
  [[nodiscard]] const support::Result<Found>& preset(const std::string& name);

  const model::PresetLibrary* presets_;
  const support::FileSource* files_;
  std::map<std::string, support::Result<Found>, std::less<>> by_name_;
};

/// Fills the training side: precision regime, batch, sequence, optimizer, adapters.
[[nodiscard]] support::Status resolve_training(const Request& request, Workload& workload);
/// Fills the inference side: engine, weights' and cache's formats, lengths, concurrency.
[[nodiscard]] support::Status resolve_inference(const Request& request,
                                                const std::string& named_quantisation,
                                                Workload& workload);
[[nodiscard]] support::Result<Machine> resolve_machine(const catalog::Catalog& catalog,
                                                       const Request& request);
[[nodiscard]] support::Result<Layout> resolve_layout(const Request& request,
                                                     const Workload& workload,
                                                     const Machine& machine);

}  // namespace gpu_advisor::workload
