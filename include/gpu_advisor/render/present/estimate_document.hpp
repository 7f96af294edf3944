#pragma once

#include <vector>

#include "gpu_advisor/estimate/estimate.hpp"
#include "gpu_advisor/render/document/document.hpp"
#include "gpu_advisor/render/present/texts.hpp"

namespace gpu_advisor::render {

struct EstimateView {
  const workload::Workload& workload;
  const workload::Machine& machine;
  const estimate::Estimate& answer;
  Language language = Language::en;
  std::vector<estimate::Term> terms;  // of --explain
};
[[nodiscard]] Document estimate_document(const EstimateView& view);

}  // namespace gpu_advisor::render
