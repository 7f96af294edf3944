#pragma once

#include "gpu_advisor/model/presets.hpp"
#include "gpu_advisor/support/file_source.hpp"
#include "gpu_advisor/workload/workload.hpp"

namespace gpu_advisor::workload {

/// What resolving needs: the catalog, presets and a way to read model files. Built models are kept
/// by name, so that a batch builds each once. Not thread-safe: one per worker.
class Resolver {
 public:
  Resolver(const catalog::Catalog& catalog, const model::PresetLibrary& presets,
           const support::FileSource& files);
  ~Resolver();
  /// Fills every default; unsupported_workload or unknown_name where it cannot honestly.
  [[nodiscard]] support::Result<Workload> workload(const Request& request) const;
  /// The GPU, count and links that the request names.
  [[nodiscard]] support::Result<Machine> machine(const Request& request) const;
  /// The layout that the request names, completed so that degrees multiply to the machine's count.
  [[nodiscard]] support::Result<Layout> layout(const Request& request, const Workload& workload,
                                               const Machine& machine) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gpu_advisor::workload
