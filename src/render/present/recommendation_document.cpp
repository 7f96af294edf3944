#include <algorithm>
#include <fmt/format.h>

#include "gpu_advisor/render/present/format.hpp"
#include "gpu_advisor/render/present/recommendation.hpp"
#include "gpu_advisor/units/parse.hpp"

namespace gpu_advisor::render {
namespace {

using rank::Candidate;

class Presenter {
 public:
  explicit Presenter(const RecommendationView& view) : view_(view) {}

  Document document() const {
    Document document;
    document.title = title();
    if (view_.result.candidates.empty()) {
      document.sections.emplace_back(nothing());
    } else {
      document.sections.emplace_back(ranking());
      add_details(document, view_.result.candidates.front());
    }
    add_notes(document);
    return document;
  }

 private:
  [[nodiscard]] std::string say(std::string_view key, const Fill& values = {}) const {
    return filled(text(key, view_.language), values);
  }
  [[nodiscard]] bool chinese() const { return view_.language == Language::zh; }
  [[nodiscard]] std::string money(units::MoneyPerHour hourly) const {
    return price(hourly.dollars() * view_.currency.per_usd);
  }
  [[nodiscard]] const catalog::Sku& sku(std::uint32_t index) const {
    return view_.catalog.skus()[index];
  }

  [[nodiscard]] std::string title() const {
    const workload::Workload& work = view_.workload;
    const std::string size = units::print_count(static_cast<double>(work.model.parameters()));
    const std::string model = work.model.name.empty() ? size : work.model.name + " (" + size + ")";
    const std::string task = std::string(workload::name(work.task));
    if (workload::is_training(work.task))
      return say("recommend.title.train", {{"model", model},
                                           {"task", task},
                                           {"method", std::string(workload::name(work.method))},
                                           {"precision", work.precision_text}});
    return say("recommend.title.serve", {{"model", model},
                                         {"task", task},
                                         {"quant", std::string(work.quant.name)},
                                         {"engine", work.engine},
                                         {"context", std::to_string(work.context)}});
  }

  [[nodiscard]] std::string place(const catalog::PriceRow& row, int more) const {
    const std::string& region = view_.catalog.regions()[row.region];
    if (more == 0)
      return region;
    return say("recommend.more_regions",
               {{"region", region.empty() ? say("recommend.any_region") : region},
                {"count", std::to_string(more)}});
  }

  [[nodiscard]] std::string gpus(const Candidate& candidate) const {
    const catalog::Sku& offer = sku(candidate.sku);
    const std::string& name = view_.catalog.accelerators()[offer.accelerator].name;
    if (offer.fractional())
      return fmt::format("{:.2g} x {}", offer.gpus, name);
    return fmt::format("{} x {}", candidate.gpus, name);
  }

  [[nodiscard]] std::string instance(std::uint32_t index, int instances) const {
    const std::string& type = sku(index).instance_type;
    return instances > 1 ? fmt::format("{} x {}", instances, type) : type;
  }

  [[nodiscard]] static std::string layout_text(const workload::Layout& layout) {
    std::string text;
    const auto add = [&text](std::string_view what, int degree) {
      if (degree > 1)
        text += fmt::format("{}{}{}", text.empty() ? "" : " ", what, degree);
    };
    add("tp", layout.tp);
    add("pp", layout.pp);
    add("dp", layout.dp);
    add("cp", layout.cp);
    add("ep", layout.ep);
    if (layout.zero_stage > 0)
      text += fmt::format("{}zero{}", text.empty() ? "" : " ", layout.zero_stage);
    return text.empty() ? "-" : text;
  }

  /// The speed that this task is about, with its unit's key.
  [[nodiscard]] std::string speed(const estimate::Estimate& answer) const {
    if (answer.training) {
      const auto& rate = answer.training->has_tokens ? answer.training->tokens_per_s_per_gpu
                                                     : answer.training->samples_per_s_per_gpu;
      return short_number(rate.value * answer.layout.gpus());
    }
    if (!answer.inference)
      return "?";
    const auto& figures = *answer.inference;
    if (figures.samples_s)
      return short_number(figures.samples_s->value);
    const bool one = view_.workload.concurrency <= 1 && !view_.workload.concurrency_max;
    const auto& figure = one ? figures.decode_tok_s_per_request : figures.output_tok_s;
    return figure ? short_number(figure->value) : "?";
  }

  [[nodiscard]] std::string speed_title() const {
    const workload::Workload& work = view_.workload;
    const bool layers = work.model.main().layer_count() > 0;
    if (!layers || work.model.arch == model::Arch::encoder)
      return say("column.samples_s");
    return say("column.tokens_s");
  }

  [[nodiscard]] Table ranking() const {
    Table table;
    table.columns = {{"rank", "#", Align::right, 0},
                     {"score", say("column.score"), Align::right, 4},
                     {"provider", say("column.provider"), Align::left, 0, true},
                     {"instance_type", say("column.instance"), Align::left, 0, true},
                     {"gpus", say("column.gpus"), Align::left, 0, true},
                     {"layout", say("column.layout"), Align::left, 6},
                     {"needed_gib", say("column.memory"), Align::right, 1},
                     {"speed", speed_title(), Align::right, 2},
                     {"hourly", view_.currency.code + "/h", Align::right, 0},
                     {"monthly", view_.currency.code + "/" + say("column.month"), Align::right, 7},
                     {"pricing", say("column.pricing"), Align::left, 5},
                     {"region", say("column.region"), Align::left, 8, true},
                     {"price_as_of", say("column.price_date"), Align::left, 9},
                     {"pareto", say("column.pareto"), Align::left, 10}};
    if (job_cost())
      table.columns.insert(table.columns.begin() + 9,
                           {"job", view_.currency.code + "/" + say("column.job"), Align::right, 3});
    int rank = 0;
    for (const Candidate& candidate : view_.result.candidates)
      table.rows.push_back(row(candidate, ++rank));
    return table;
  }

  [[nodiscard]] bool job_cost() const {
    return !view_.result.candidates.empty() &&
           view_.result.candidates.front().cost.job_usd.has_value();
  }

  [[nodiscard]] Table::Row row(const Candidate& candidate, int rank) const {
    const catalog::PriceRow& row = view_.catalog.prices()[candidate.price];
    const estimate::Memory& memory = candidate.estimate.memory;
    const bool tight = memory.per_gpu.high > memory.capacity;
    const double hourly = candidate.cost.hourly.dollars() * view_.currency.per_usd;
    Table::Row cells;
    cells.cells = {{std::to_string(rank)},
                   {fmt::format("{:.1f}", candidate.score)},
                   {sku(candidate.sku).provider},
                   {instance(candidate.sku, candidate.instances)},
                   {gpus(candidate)},
                   {layout_text(candidate.estimate.layout)},
                   {fmt::format("{} / {}", short_number(memory.per_gpu.value / units::gib(1)),
                                short_number(memory.capacity / units::gib(1))),
                    fmt::format("{:.3f}", memory.per_gpu.value / units::gib(1)),
                    tight ? Tone::warn : Tone::plain},
                   {speed(candidate.estimate)},
                   {price(hourly), fmt::format("{:.6g}", hourly), Tone::strong},
                   {price(hourly * units::kHoursPerMonth)},
                   {std::string(catalog::name(candidate.pricing))},
                   {place(row, candidate.more_regions), view_.catalog.regions()[row.region]},
                   {row.as_of.text()},
                   {candidate.pareto ? say("word.yes") : ""}};
    if (job_cost())
      cells.cells.insert(cells.cells.begin() + 9,
                         Cell{candidate.cost.job_usd
                                  ? price(candidate.cost.job_usd->value * view_.currency.per_usd)
                                  : "?"});
    return cells;
  }

  [[nodiscard]] Notes nothing() const {
    return {.title = say("recommend.nothing"),
            .tone = Tone::bad,
            .bullets = false,
            .lines = {say("recommend.nothing.hint")}};
  }

  void add_details(Document& document, const Candidate& first) const {
    Facts facts{.title = say("recommend.first"), .rows = {}};
    const estimate::Memory& memory = first.estimate.memory;
    const auto gib = [](units::Bytes size) { return short_number(size / units::gib(1)); };
    facts.rows.emplace_back(say("fact.memory"),
                            Cell{say("fact.memory.value", {{"value", gib(memory.per_gpu.value)},
                                                           {"low", gib(memory.per_gpu.low)},
                                                           {"high", gib(memory.per_gpu.high)},
                                                           {"capacity", gib(memory.capacity)}})});
    facts.rows.emplace_back(say("fact.parts"), Cell{parts_text(memory)});
    add_speed(facts, first.estimate);
    facts.rows.emplace_back(say("fact.layout"), Cell{layout_text(first.estimate.layout)});
    if (view_.explain)
      facts.rows.emplace_back(say("fact.score"), Cell{score_text(first)});
    document.sections.emplace_back(std::move(facts));
    add_findings(document, "recommend.reasons", Tone::plain, first.reasons);
    add_findings(document, "recommend.warnings", Tone::warn, first.warnings);
  }

  [[nodiscard]] static std::string parts_text(const estimate::Memory& memory) {
    const auto& parts = memory.parts;
    const std::pair<std::string_view, units::Bytes> list[] = {
        {"weights", parts.weights},
        {"gradients", parts.gradients},
        {"optimizer", parts.optimizer},
        {"activations", parts.activations},
        {"KV cache", parts.kv_cache},
        {"logits", parts.logits},
        {"communication", parts.communication},
        {"runtime", parts.runtime},
        {"fragmentation", parts.fragmentation}};
    std::string text;
    for (const auto& [name, size] : list)
      if (size > units::mib(5))
        text += fmt::format("{}{} {}", text.empty() ? "" : " + ", name,
                            short_number(size / units::gib(1)));
    return text;
  }

  static std::string with_range(const units::Interval<double>& figure) {
    return fmt::format("{} ({}-{})", short_number(figure.value), short_number(figure.low),
                       short_number(figure.high));
  }

  void add_speed(Facts& facts, const estimate::Estimate& answer) const {
    const auto add = [&facts, this](std::string_view key,
                                    const std::optional<units::Interval<double>>& figure) {
      if (figure)
        facts.rows.emplace_back(say(key), Cell{with_range(*figure)});
    };
    if (answer.training) {
      if (answer.training->has_tokens)
        add("fact.tokens_gpu", answer.training->tokens_per_s_per_gpu);
      else
        add("fact.samples_gpu", answer.training->samples_per_s_per_gpu);
    } else if (answer.inference) {
      add("fact.decode", answer.inference->decode_tok_s_per_request);
      add("fact.output", answer.inference->output_tok_s);
      add("fact.ttft", answer.inference->ttft_ms);
      add("fact.samples", answer.inference->samples_s);
    }
  }

  static std::string score_text(const Candidate& candidate) {
    std::string text;
    for (const rank::ScorePart& part : candidate.score_parts)
      text += fmt::format("{}{} {:.2f} x {:.2f} = {:.1f}", text.empty() ? "" : "; ",
                          rank::name(part.criterion), part.weight, part.value, part.points);
    return text;
  }

  void add_findings(Document& document, std::string_view title, Tone tone,
                    const std::vector<rank::Finding>& findings) const {
    if (findings.empty())
      return;
    Notes notes{.title = say(title), .tone = tone, .bullets = true, .lines = {}};
    for (const rank::Finding& finding : findings)
      notes.lines.push_back(chinese() ? finding.message_zh : finding.message_en);
    document.sections.emplace_back(std::move(notes));
  }

  void add_list(Document& document, std::string_view title, Tone tone,
                std::vector<std::string> lines) const {
    if (lines.empty())
      return;
    document.sections.emplace_back(
        Notes{.title = say(title), .tone = tone, .bullets = true, .lines = std::move(lines)});
  }

  void add_notes(Document& document) const {
    add_list(document, "recommend.nearest", Tone::plain, nearest_lines());
    add_list(document, "recommend.also", Tone::plain, also_lines());
    add_list(document, "recommend.rejected", Tone::muted, rejected_lines());
    std::vector<std::string> warnings = view_.result.warnings;
    warnings.insert(warnings.end(), view_.notes.begin(), view_.notes.end());
    add_list(document, "recommend.notes", Tone::warn, std::move(warnings));
    add_list(document, "recommend.assumptions", Tone::muted, view_.result.assumptions);
    document.sections.emplace_back(Notes{
        .title = "",
        .tone = Tone::muted,
        .bullets = false,
        .lines = {say("recommend.prices",
                      {{"oldest", view_.result.oldest_price.text()},
                       {"newest", view_.result.newest_price.text()},
                       {"providers", std::to_string(view_.result.providers_considered.size())}})}});
  }

  [[nodiscard]] std::vector<std::string> nearest_lines() const {
    std::vector<std::string> lines;
    if (!view_.result.candidates.empty() && !view_.explain)
      return lines;
    for (const rank::NearMiss& miss : view_.result.nearest)
      lines.push_back(
          say("missing." + miss.rule,
              {{"offer", sku(miss.sku).provider + " " + instance(miss.sku, miss.instances)},
               {"gpu", view_.catalog.accelerators()[sku(miss.sku).accelerator].name},
               {"needed", short_number(miss.needed)},
               {"available", short_number(miss.available)},
               {"gap", short_number(std::abs(miss.needed - miss.available))},
               {"unit", miss.unit}}));
    return lines;
  }

  [[nodiscard]] std::vector<std::string> also_lines() const {
    std::vector<std::string> lines;
    for (const rank::Also& also : view_.result.also) {
      const std::string what = say("also." + also.key);
      if (!also.feasible) {
        lines.push_back(say("also.none", {{"what", what}}));
        continue;
      }
      lines.push_back(
          say("also.line",
              {{"what", what},
               {"price", money(also.hourly) + " " + view_.currency.code + "/h"},
               {"offer", sku(also.sku).provider + " " + instance(also.sku, also.instances)},
               {"gpu", view_.catalog.accelerators()[sku(also.sku).accelerator].name},
               {"needed", short_number(also.needed_gib)}}));
    }
    return lines;
  }

  [[nodiscard]] std::vector<std::string> rejected_lines() const {
    std::vector<std::string> lines;
    for (const rank::Rejection& rejection : view_.result.rejected) {
      const std::string& message = chinese() ? rejection.message_zh : rejection.message_en;
      lines.push_back(
          say("recommend.rejected.line",
              {{"count", std::to_string(rejection.count)},
               {"message", message.empty() ? say("limit." + rejection.rule) : message}}));
    }
    return lines;
  }

  const RecommendationView& view_;
};

}  // namespace

Document recommendation_document(const RecommendationView& view) {
  return Presenter(view).document();
}

}  // namespace gpu_advisor::render
