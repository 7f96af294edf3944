#include "gpu_advisor/render/present/estimate_document.hpp"

#include <fmt/format.h>

#include "gpu_advisor/render/present/format.hpp"

namespace gpu_advisor::render {
namespace {

using units::Interval;

std::string range(const Interval<double>& figure) {
  return fmt::format("{} ({}-{})", short_number(figure.value), short_number(figure.low),
                     short_number(figure.high));
}

std::string range(const Interval<units::Bytes>& figure) {
  const units::Bytes gib = units::gib(1);
  return range(Interval<double>{figure.value / gib, figure.low / gib, figure.high / gib});
}

Table memory_table(const EstimateView& view) {
  Table table{
      .title = std::string(text("estimate.memory", view.language)), .columns = {}, .rows = {}};
  table.columns = {{"part", std::string(text("column.part", view.language)), Align::left, 0},
                   {"gib", "GiB", Align::right, 0}};
  const auto& parts = view.answer.memory.parts;
  const std::pair<std::string_view, units::Bytes> rows[] = {{"weights", parts.weights},
                                                            {"gradients", parts.gradients},
                                                            {"optimizer", parts.optimizer},
                                                            {"activations", parts.activations},
                                                            {"kv_cache", parts.kv_cache},
                                                            {"logits", parts.logits},
                                                            {"communication", parts.communication},
                                                            {"runtime", parts.runtime},
                                                            {"fragmentation", parts.fragmentation}};
  for (const auto& [name, size] : rows)
    if (size > units::Bytes{})
      table.rows.push_back(
          {.cells = {{std::string(text("part." + std::string(name), view.language))},
                     {short_number(size / units::gib(1))}}});
  return table;
}

void add(Facts& facts, std::string_view label, std::string value, Tone tone = Tone::plain) {
  facts.rows.emplace_back(label, Cell{.text = std::move(value), .tone = tone});
}

Facts summary(const EstimateView& view) {
  const auto say = [&view](std::string_view key) { return text(key, view.language); };
  const estimate::Memory& memory = view.answer.memory;
  Facts facts{.title = "", .rows = {}};
  add(facts, say("estimate.fits"), std::string(say(memory.fits ? "word.yes" : "word.no")),
      memory.fits ? Tone::good : Tone::bad);
  add(facts, say("estimate.needed"), range(memory.per_gpu) + " GiB");
  add(facts, say("estimate.capacity"), short_number(memory.capacity / units::gib(1)) + " GiB");
  if (memory.reserved)
    add(facts, say("estimate.reserved"), short_number(*memory.reserved / units::gib(1)) + " GiB");
  if (view.answer.layout.gpus() > 1)
    add(facts, say("estimate.total"), range(memory.total) + " GiB");
  if (memory.host_ram.value > units::Bytes{})
    add(facts, say("estimate.host_ram"), range(memory.host_ram) + " GiB");
  const std::pair<std::string_view, std::optional<std::int64_t>> limits[] = {
      {"estimate.max_context", memory.max_context},
      {"estimate.max_micro_batch", memory.max_micro_batch},
      {"estimate.max_concurrency", memory.max_concurrency}};
  for (const auto& [key, value] : limits)
    if (value)
      add(facts, say(key), std::to_string(*value));
  return facts;
}

Facts speed(const EstimateView& view) {
  const auto say = [&view](std::string_view key) { return text(key, view.language); };
  Facts facts{.title = std::string(say("estimate.speed")), .rows = {}};
  if (const auto& training = view.answer.training) {
    if (training->has_tokens)
      add(facts, say("fact.tokens_gpu"), range(training->tokens_per_s_per_gpu));
    add(facts, say("fact.samples_gpu"), range(training->samples_per_s_per_gpu));
    add(facts, say("estimate.step"),
        fmt::format("{} s", short_number(training->step_time.value / units::seconds(1))));
    add(facts, say("estimate.tflops"), range(training->model_tflops_per_gpu));
    add(facts, say("estimate.mfu"), fmt::format("{:.0f} %", training->mfu.value * 100));
  }
  if (const auto& inference = view.answer.inference) {
    const std::pair<std::string_view, const std::optional<Interval<double>>*> figures[] = {
        {"estimate.prefill", &inference->prefill_tok_s},
        {"fact.decode", &inference->decode_tok_s_per_request},
        {"fact.output", &inference->output_tok_s},
        {"fact.ttft", &inference->ttft_ms},
        {"estimate.tpot", &inference->tpot_ms},
        {"fact.samples", &inference->samples_s}};
    for (const auto& [key, figure] : figures)
      if (*figure)
        add(facts, say(key), range(**figure));
  }
  return facts;
}

Table term_table(const EstimateView& view) {
  const auto say = [&view](std::string_view key) { return std::string(text(key, view.language)); };
  Table table{.title = say("estimate.explain"), .columns = {}, .rows = {}};
  table.columns = {{"term", say("column.part"), Align::left, 0, true},
                   {"value", say("column.value"), Align::right, 0},
                   {"unit", say("column.unit"), Align::left, 0}};
  for (const estimate::Term& term : view.terms)
    table.rows.push_back(
        {.cells = {{term.name}, {short_number(term.value)}, {term.unit}},
         .notes = {
             {Tone::muted, term.formula + (term.source.empty() ? "" : " [" + term.source + "]")}}});
  return table;
}

}  // namespace

Document estimate_document(const EstimateView& view) {
  Document document;
  document.title =
      fmt::format("{}: {}, {} x {}", view.workload.model.name, workload::name(view.workload.task),
                  view.machine.count, view.machine.gpu->name);
  if (!view.answer.supported) {
    document.sections.emplace_back(
        Notes{.title = "", .tone = Tone::bad, .bullets = false, .lines = {view.answer.reason}});
    return document;
  }
  document.sections.emplace_back(summary(view));
  document.sections.emplace_back(memory_table(view));
  document.sections.emplace_back(speed(view));
  if (!view.terms.empty())
    document.sections.emplace_back(term_table(view));
  const auto list = [&](std::string_view key, Tone tone, const std::vector<std::string>& lines) {
    if (!lines.empty())
      document.sections.emplace_back(Notes{.title = std::string(text(key, view.language)),
                                           .tone = tone,
                                           .bullets = true,
                                           .lines = lines});
  };
  list("recommend.warnings", Tone::warn, view.answer.warnings);
  list("recommend.reasons", Tone::plain, view.answer.advice);
  list("recommend.assumptions", Tone::muted, view.answer.assumptions);
  return document;
}

}  // namespace gpu_advisor::render
