#include <cmath>
#include <nlohmann/json.hpp>

#include "gpu_advisor/render/present/estimate.hpp"
#include "gpu_advisor/render/present/format.hpp"
#include "gpu_advisor/render/present/recommendation.hpp"

namespace gpu_advisor::render {
namespace {

using Json = nlohmann::ordered_json;

double cents(double amount) {
  return std::round(amount * 1e6) / 1e6;
}

Json interval(const std::optional<units::Interval<double>>& figure, double factor = 1) {
  if (!figure)
    return nullptr;
  return {{"value", cents(figure->value * factor)},
          {"low", cents(figure->low * factor)},
          {"high", cents(figure->high * factor)}};
}

class JsonPresenter {
 public:
  explicit JsonPresenter(const RecommendationView& view) : view_(view) {}

  Json document() const {
    Json json = {{"schema", "gpu-advisor/recommendation@1"},
                 {"workload", workload_json()},
                 {"assumptions", view_.result.assumptions},
                 {"currency", view_.currency.code},
                 {"catalog",
                  {{"version", view_.catalog.version()},
                   {"prices_as_of",
                    {{"oldest", view_.result.oldest_price.text()},
                     {"newest", view_.result.newest_price.text()}}},
                   {"providers", view_.result.providers_considered},
                   {"considered", view_.result.considered}}},
                 {"recommendations", Json::array()}};
    int rank = 0;
    for (const rank::Candidate& candidate : view_.result.candidates)
      json["recommendations"].push_back(candidate_json(candidate, ++rank));
    json["rejected"] = {{"summary", Json::array()}, {"nearest", Json::array()}};
    for (const rank::Rejection& rejection : view_.result.rejected)
      json["rejected"]["summary"].push_back(
          {{"rule", rejection.rule}, {"count", rejection.count}, {"message", message(rejection)}});
    for (const rank::NearMiss& miss : view_.result.nearest)
      json["rejected"]["nearest"].push_back(near_json(miss));
    json["also"] = Json::array();
    for (const rank::Also& also : view_.result.also)
      json["also"].push_back(also_json(also));
    std::vector<std::string> warnings = view_.result.warnings;
    warnings.insert(warnings.end(), view_.notes.begin(), view_.notes.end());
    json["warnings"] = warnings;
    if (view_.result.candidates.empty())
      json["reason"] = std::string(text("recommend.nothing", view_.language));
    return json;
  }

 private:
  [[nodiscard]] const catalog::Sku& sku(std::uint32_t index) const {
    return view_.catalog.skus()[index];
  }

  [[nodiscard]] std::string message(const rank::Rejection& rejection) const {
    const std::string& own =
        view_.language == Language::zh ? rejection.message_zh : rejection.message_en;
    return own.empty() ? std::string(text("limit." + rejection.rule, view_.language)) : own;
  }

  [[nodiscard]] Json workload_json() const {
    const workload::Workload& work = view_.workload;
    Json json = {{"model",
                  {{"name", work.model.name},
                   {"params", work.model.parameters()},
                   {"active_params", work.model.active_parameters()},
                   {"layers", work.model.main().layer_count()},
                   {"hidden", work.model.main().hidden},
                   {"vocab", work.model.main().vocab}}},
                 {"task", workload::name(work.task)}};
    if (workload::is_training(work.task)) {
      json["training"] = {
          {"method", workload::name(work.method)},
          {"precision", work.precision_text},
          {"optimizer", work.optimizer},
          {"seq_len", work.seq_len},
          {"global_batch", work.global_batch ? Json(*work.global_batch) : Json(nullptr)},
          {"base_quant",
           work.base_quant ? Json(std::string(work.base_quant->name)) : Json(nullptr)}};
    } else {
      json["inference"] = {
          {"engine", work.engine},
          {"quant", std::string(work.quant.name)},
          {"kv_dtype", units::name(work.kv_type)},
          {"concurrency", work.concurrency_max ? Json("max") : Json(work.concurrency)},
          {"input_len", work.input_len},
          {"output_len", work.output_len},
          {"context", work.context}};
    }
    return json;
  }

  [[nodiscard]] Json offer_json(std::uint32_t sku_index, std::uint32_t price_index,
                                catalog::Pricing pricing, int instances) const {
    const catalog::Sku& offer = sku(sku_index);
    const catalog::PriceRow& row = view_.catalog.prices()[price_index];
    return {{"provider", offer.provider},
            {"instance_type", offer.instance_type},
            {"region", view_.catalog.regions()[row.region]},
            {"count", instances},
            {"gpu", view_.catalog.accelerators()[offer.accelerator].name},
            {"gpus", offer.fractional() ? offer.gpus : offer.gpus * instances},
            {"pricing", catalog::name(pricing)},
            {"price_as_of", row.as_of.known() ? Json(row.as_of.text()) : Json(nullptr)},
            {"source", view_.catalog.sources()[row.source]}};
  }

  [[nodiscard]] Json findings(const std::vector<rank::Finding>& list) const {
    Json json = Json::array();
    for (const rank::Finding& finding : list)
      json.push_back(
          {{"rule", finding.rule},
           {"message", view_.language == Language::zh ? finding.message_zh : finding.message_en}});
    return json;
  }

  [[nodiscard]] Json candidate_json(const rank::Candidate& candidate, int rank) const {
    Json parts = Json::array();
    for (const rank::ScorePart& part : candidate.score_parts)
      parts.push_back({{"criterion", rank::name(part.criterion)},
                       {"weight", cents(part.weight)},
                       {"value", cents(part.value)},
                       {"points", cents(part.points)}});
    const double rate = view_.currency.per_usd;
    const rank::Cost& cost = candidate.cost;
    Json json = {
        {"rank", rank}, {"score", cents(candidate.score)}, {"score_parts", std::move(parts)}};
    json["offer"] =
        offer_json(candidate.sku, candidate.price, candidate.pricing, candidate.instances);
    json["more_regions"] = candidate.more_regions;
    json["layout"] = layout_json(candidate.estimate.layout, candidate.instances);
    json["memory"] = memory_json(candidate.estimate.memory);
    if (candidate.estimate.training)
      json["training"] = training_json(*candidate.estimate.training);
    if (candidate.estimate.inference)
      json["inference"] = inference_json(*candidate.estimate.inference);
    json["cost"] = {{"hourly_usd", cents(cost.hourly.dollars())},
                    {"monthly_usd", cents(cost.monthly.dollars())},
                    {"per_million_output_tokens_usd", interval(cost.per_million_output_tokens_usd)},
                    {"job_usd", interval(cost.job_usd)},
                    {"job_hours", interval(cost.job_hours)},
                    {"energy_kwh", interval(cost.energy_kwh)}};
    if (view_.currency.code != "USD") {
      json["cost"]["currency"] = view_.currency.code;
      json["cost"]["hourly"] = cents(cost.hourly.dollars() * rate);
      json["cost"]["monthly"] = cents(cost.monthly.dollars() * rate);
    }
    json["reasons"] = findings(candidate.reasons);
    json["warnings"] = findings(candidate.warnings);
    json["pareto"] = candidate.pareto;
    return json;
  }

  [[nodiscard]] Json near_json(const rank::NearMiss& miss) const {
    const Fill values = {{"offer", sku(miss.sku).provider + " " + sku(miss.sku).instance_type},
                         {"gpu", view_.catalog.accelerators()[sku(miss.sku).accelerator].name},
                         {"needed", short_number(miss.needed)},
                         {"available", short_number(miss.available)},
                         {"gap", short_number(std::abs(miss.needed - miss.available))},
                         {"unit", miss.unit}};
    return {{"offer", offer_json(miss.sku, miss.price, miss.pricing, miss.instances)},
            {"rule", miss.rule},
            {"needed", cents(miss.needed)},
            {"available", cents(miss.available)},
            {"unit", miss.unit},
            {"missing", filled(text("missing." + miss.rule, view_.language), values)}};
  }

  [[nodiscard]] Json also_json(const rank::Also& also) const {
    Json json = {{"what", also.key}, {"feasible", also.feasible}};
    if (!also.feasible)
      return json;
    json["offer"] = offer_json(also.sku, also.price, also.pricing, also.instances);
    json["hourly_usd"] = cents(also.hourly.dollars());
    json["needed_gib_per_gpu"] = cents(also.needed_gib);
    return json;
  }

  const RecommendationView& view_;
};

}  // namespace

std::string recommendation_json(const RecommendationView& view) {
  return JsonPresenter(view).document().dump(1) + "\n";
}

}  // namespace gpu_advisor::render
