#pragma once

#include <string>

#include "gpu_advisor/rank/recommendation.hpp"
#include "gpu_advisor/render/document/document.hpp"
#include "gpu_advisor/render/present/texts.hpp"

namespace gpu_advisor::render {

/// How money is shown: units of the currency that one US dollar buys.
struct Currency {
  std::string code = "USD";
  double per_usd = 1;
};

struct RecommendationView {
  const catalog::Catalog& catalog;
  const workload::Workload& workload;
  const rank::Limits& limits;
  const rank::Recommendation& result;
  Currency currency;
  Language language = Language::en;
  bool explain = false;
  std::vector<std::string> notes = {};  // of the command: flags that do nothing here, …
};

[[nodiscard]] Document recommendation_document(const RecommendationView& view);
/// `gpu-advisor/recommendation@1` of INTERFACE.md.
[[nodiscard]] std::string recommendation_json(const RecommendationView& view);

}  // namespace gpu_advisor::render
