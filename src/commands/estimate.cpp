#include "gpu_advisor/render/present/estimate.hpp"

#include <fmt/format.h>
#include <fstream>
#include <ostream>
#include <sstream>

#include "command_internal.hpp"
#include "gpu_advisor/catalog/calibration_file.hpp"
#include "gpu_advisor/commands/batch.hpp"
#include "gpu_advisor/rank/advice.hpp"
#include "gpu_advisor/render/present/estimate_document.hpp"
#include "gpu_advisor/rules/rule.hpp"
#include "gpu_advisor/workload/resolve.hpp"
#include "gpu_advisor/workload/words.hpp"
#include "rule_files_internal.hpp"
#include "workload_options_internal.hpp"

namespace gpu_advisor::commands {
namespace {

using support::Result;

/// A batch is as long as its reader has patience; a file is still bounded by the disk.
Result<ExitCode> run_batch(const Call& call, const std::string& path) {
  GPU_ADVISOR_TRY(const catalog::Catalog catalog, load_catalog(call, {.offers = false}));
  GPU_ADVISOR_TRY(const model::PresetLibrary presets, load_presets(call));
  GPU_ADVISOR_TRY(const auto jobs, read_option<std::int64_t>(call.values, "--jobs", parse_whole));
  const BatchInputs inputs{catalog, presets, call.world.files, static_cast<int>(jobs.value_or(1))};
  if (path == "-")
    return estimate_batch(inputs, call.world.in, call.world.out) ? 0 : 3;
  if (!call.world.files.is_file(path))
    return support::Error{.code = support::ErrorCode::file_not_found,
                          .message = "no such file",
                          .location = {.file = path}};
  std::ifstream file(path);
  return estimate_batch(inputs, file, call.world.out) ? 0 : 3;
}

Result<workload::Request> hardware_request(const Call& call) {
  GPU_ADVISOR_TRY(workload::Request request, request_of(call.values));
  const auto gpu = call.values.get("--gpu");
  if (!gpu)
    return usage_error("--gpu", "no GPU is named",
                       "give --gpu NAME, or use recommend to search all of them");
  request.gpu = *gpu;
  GPU_ADVISOR_TRY(const auto count, read_option<std::int64_t>(call.values, "--gpus", parse_whole));
  if (count)
    request.count = static_cast<int>(*count);
  GPU_ADVISOR_TRY(const auto nodes, read_option<std::int64_t>(call.values, "--nodes", parse_whole));
  if (nodes)
    request.nodes = static_cast<int>(*nodes);
  request.interconnect = call.values.get("--interconnect").value_or("");
  request.network = call.values.get("--network").value_or("");
  GPU_ADVISOR_TRY(request.network_gbps,
                  read_option<double>(call.values, "--network-gbps", parse_positive));
  GPU_ADVISOR_TRY(const layout::Limits degrees, layout_limits_of(call.values));
  request.tp = degrees.tp;
  request.pp = degrees.pp;
  request.dp = degrees.dp;
  request.cp = degrees.cp;
  request.ep = degrees.ep;
  return request;
}

Result<catalog::Calibration> calibration_of(const Call& call, const catalog::Catalog& catalog) {
  std::vector<catalog::CalibrationRow> rows = catalog.calibration().rows();
  constexpr std::uint64_t kLargest = std::uint64_t{16} << 20;
  for (const std::string& path : call.values.all("--calibration")) {
    GPU_ADVISOR_TRY(const std::string text, call.world.files.read(path, kLargest));
    GPU_ADVISOR_TRY(const auto own, catalog::parse_calibration(text, path));
    rows.insert(rows.end(), own.begin(), own.end());
  }
  return catalog::Calibration(std::move(rows));
}

/// What the rules say of the answer, in the user's language.
support::Status add_advice(const Call& call, const catalog::Catalog& catalog,
                           const estimate::Question& question, estimate::Estimate& answer) {
  if (!answer.supported)
    return support::ok();
  GPU_ADVISOR_TRY(const rules::RuleSet rules, load_rule_files(call));
  const rank::Advice advice =
      rank::advise(catalog, rules, question.workload, question.machine, answer);
  const auto add = [&call](const std::vector<rank::Finding>& findings,
                           std::vector<std::string>& lines) {
    for (const rank::Finding& finding : findings)
      lines.push_back(call.globals.language == render::Language::zh ? finding.message_zh
                                                                    : finding.message_en);
  };
  add(advice.against, answer.warnings);
  add(advice.warnings, answer.warnings);
  add(advice.reasons, answer.advice);
  return support::ok();
}

}  // namespace

Result<ExitCode> run_estimate(const Call& call) {
  if (const auto batch = call.values.get("--batch"))
    return run_batch(call, *batch);
  GPU_ADVISOR_TRY(const workload::Request request, hardware_request(call));
  GPU_ADVISOR_TRY(const catalog::Catalog catalog, load_catalog(call, {.offers = false}));
  GPU_ADVISOR_TRY(const model::PresetLibrary presets, load_presets(call));
  GPU_ADVISOR_TRY(const catalog::Calibration calibration, calibration_of(call, catalog));
  const workload::Resolver resolver(catalog, presets, call.world.files);
  GPU_ADVISOR_TRY(const workload::Workload work, resolver.workload(request));
  GPU_ADVISOR_TRY(const workload::Machine machine, resolver.machine(request));
  GPU_ADVISOR_TRY(const workload::Layout layout, resolver.layout(request, work, machine));
  const ops::OperationList operations = ops::describe(work.model);
  const estimate::Question question{work, operations, machine, layout, calibration};
  estimate::Estimate answer = estimate::estimate(question, estimate::Limits::solve);
  GPU_ADVISOR_CHECKED(add_advice(call, catalog, question, answer));
  if (call.globals.format == "json") {
    call.world.out << render::estimate_line(request.id, answer) << '\n';
  } else {
    render::EstimateView view{work, machine, answer, call.globals.language, {}};
    if (call.values.has("--explain") && answer.supported) {
      view.terms = estimate::explain_memory(question);
      for (estimate::Term& term : estimate::explain_time(question, answer.memory))
        view.terms.push_back(std::move(term));
    }
    write_document(call, render::estimate_document(view));
  }
  if (!answer.supported) {
    call.world.err << "gpu-advisor: " << answer.reason << '\n';
    return 5;
  }
  if (!answer.memory.fits)
    call.world.err << "gpu-advisor: it does not fit\n";
  return answer.memory.fits ? 0 : 1;
}

}  // namespace gpu_advisor::commands
