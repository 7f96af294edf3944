#include <cmath>
#include <nlohmann/json.hpp>

#include "gpu_advisor/render/present/estimate.hpp"

namespace gpu_advisor::render {
namespace {

using Json = nlohmann::ordered_json;
using estimate::Bytes;
using units::Interval;

/// Five significant digits: more would pretend.
double rounded(double value) {
  if (value == 0 || !std::isfinite(value))
    return 0;
  const double scale = std::pow(10, 4 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

double gib(Bytes size) {
  return rounded(size / units::gib(1));
}

Json interval(const Interval<double>& figure) {
  return {{"value", rounded(figure.value)},
          {"low", rounded(figure.low)},
          {"high", rounded(figure.high)}};
}
Json interval(const Interval<Bytes>& figure) {
  return {{"value", gib(figure.value)}, {"low", gib(figure.low)}, {"high", gib(figure.high)}};
}
Json interval(const Interval<units::Seconds>& figure) {
  const units::Seconds one = units::seconds(1);
  return {{"value", rounded(figure.value / one)},
          {"low", rounded(figure.low / one)},
          {"high", rounded(figure.high / one)}};
}

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json figure_or_null(const std::optional<Interval<double>>& figure) {
  return figure ? interval(*figure) : Json(nullptr);
}

std::string_view basis_name(estimate::Basis basis) {
  switch (basis) {
    case estimate::Basis::measured_nearby:
      return "measured nearby";
    case estimate::Basis::calibrated:
      return "calibrated";
    case estimate::Basis::derived:
      return "derived from specifications";
  }
  return "";
}

Json error_json(const support::Error& error) {
  Json json = {{"code", support::error_row(error.code).name}, {"message", error.message}};
  if (!error.location.pointer.empty())
    json["pointer"] = error.location.pointer;
  if (!error.location.file.empty())
    json["file"] = error.location.file;
  if (error.location.offset)
    json["offset"] = *error.location.offset;
  if (!error.hint.empty())
    json["hint"] = error.hint;
  return json;
}

}  // namespace

Json memory_json(const estimate::Memory& memory) {
  const auto& parts = memory.parts;
  Json json = {{"per_gpu_gib", interval(memory.per_gpu)},
               {"total_gib", interval(memory.total)},
               {"capacity_gib", gib(memory.capacity)},
               {"reserved_gib", memory.reserved ? Json(gib(*memory.reserved)) : Json(nullptr)},
               {"parts_gib",
                {{"weights", gib(parts.weights)},
                 {"gradients", gib(parts.gradients)},
                 {"optimizer", gib(parts.optimizer)},
                 {"activations", gib(parts.activations)},
                 {"kv_cache", gib(parts.kv_cache)},
                 {"logits", gib(parts.logits)},
                 {"communication", gib(parts.communication)},
                 {"runtime", gib(parts.runtime)},
                 {"fragmentation", gib(parts.fragmentation)}}},
               {"total_parts_gib",
                {{"weights", gib(memory.total_weights)}, {"kv_cache", gib(memory.total_kv_cache)}}},
               {"fit_probability", rounded(memory.fit_probability)},
               {"max_context", or_null(memory.max_context)},
               {"max_micro_batch", or_null(memory.max_micro_batch)},
               {"max_concurrency", or_null(memory.max_concurrency)}};
  if (memory.host_ram.value > Bytes{})
    json["host_ram_gib"] = interval(memory.host_ram);
  return json;
}

Json training_json(const estimate::TrainingSpeed& speed) {
  const units::Seconds one = units::seconds(1);
  return {{"tokens_per_s_per_gpu",
           speed.has_tokens ? interval(speed.tokens_per_s_per_gpu) : Json(nullptr)},
          {"samples_per_s_per_gpu", interval(speed.samples_per_s_per_gpu)},
          {"step_time_s", interval(speed.step_time)},
          {"model_tflops_per_gpu", interval(speed.model_tflops_per_gpu)},
          {"mfu", interval(speed.mfu)},
          {"samples_per_step", speed.samples_per_step},
          {"parts_s",
           {{"compute", rounded(speed.parts.compute / one)},
            {"communication_exposed", rounded(speed.parts.communication_exposed / one)},
            {"bubble", rounded(speed.parts.bubble / one)},
            {"optimizer", rounded(speed.parts.optimizer / one)},
            {"input", rounded(speed.parts.input / one)}}},
          {"basis", basis_name(speed.basis)}};
}

Json inference_json(const estimate::InferenceSpeed& speed) {
  return {{"prefill_tok_s", figure_or_null(speed.prefill_tok_s)},
          {"decode_tok_s_per_request", figure_or_null(speed.decode_tok_s_per_request)},
          {"output_tok_s", figure_or_null(speed.output_tok_s)},
          {"total_tok_s", figure_or_null(speed.total_tok_s)},
          {"requests_s", figure_or_null(speed.requests_s)},
          {"ttft_ms", figure_or_null(speed.ttft_ms)},
          {"tpot_ms", figure_or_null(speed.tpot_ms)},
          {"samples_s", figure_or_null(speed.samples_s)},
          {"concurrency", speed.concurrency},
          {"basis", basis_name(speed.basis)}};
}

Json layout_json(const workload::Layout& layout, int nodes) {
  return {{"tp", layout.tp},
          {"pp", layout.pp},
          {"dp", layout.dp},
          {"cp", layout.cp},
          {"ep", layout.ep},
          {"zero_stage", layout.zero_stage},
          {"nodes", nodes},
          {"micro_batch", layout.micro_batch},
          {"grad_accum", layout.grad_accum},
          {"activation_checkpointing", workload::name(layout.checkpointing)}};
}

std::string estimate_line(std::string_view id, const estimate::Estimate& answer) {
  Json json = {{"schema", "gpu-advisor/estimate@1"}, {"id", id}, {"supported", answer.supported}};
  if (!answer.supported) {
    json["reason"] = answer.reason;
    return json.dump();
  }
  json["fits"] = answer.memory.fits;
  json["assumptions"] = answer.assumptions;
  json["warnings"] = answer.warnings;
  if (!answer.advice.empty())
    json["advice"] = answer.advice;
  json["memory"] = memory_json(answer.memory);
  if (answer.training)
    json["training"] = training_json(*answer.training);
  if (answer.inference)
    json["inference"] = inference_json(*answer.inference);
  json["layout"] = layout_json(answer.layout, answer.nodes);
  return json.dump();
}

std::string unsupported_line(std::string_view id, const support::Error& error) {
  const Json json = {{"schema", "gpu-advisor/estimate@1"},
                     {"id", id},
                     {"supported", false},
                     {"reason", error.message + (error.hint.empty() ? "" : "; " + error.hint)}};
  return json.dump();
}

std::string error_document(const support::Error& error) {
  return Json{{"error", error_json(error)}}.dump(1);
}

std::string error_line(std::string_view id, const support::Error& error) {
  const Json json = {{"id", id.empty() ? Json(nullptr) : Json(id)}, {"error", error_json(error)}};
  return json.dump();
}

}  // namespace gpu_advisor::render
