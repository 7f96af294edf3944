#include "gpu_advisor/estimate/calibrate.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <ostream>

#include "command_internal.hpp"
#include "gpu_advisor/catalog/calibration_file.hpp"
#include "gpu_advisor/estimate/estimate.hpp"
#include "gpu_advisor/support/text.hpp"
#include "gpu_advisor/workload/resolve.hpp"
#include "measurements_internal.hpp"

namespace gpu_advisor::commands {
namespace {

using estimate::SpeedSample;
using support::Result;

/// The constants of other matters; what this command fits is left out, so that ratios are against
/// the derivation from specifications.
catalog::Calibration without_time_factors(const catalog::Calibration& known) {
  std::vector<catalog::CalibrationRow> rows = known.rows();
  std::erase_if(rows, [](const catalog::CalibrationRow& row) {
    return row.constant.starts_with("time_factor") || row.constant == "time_spread";
  });
  return catalog::Calibration(std::move(rows));
}

class Sampler {
 public:
  Sampler(const catalog::Catalog& catalog, const model::PresetLibrary& presets,
          const support::FileSource& files)
      : calibration_(without_time_factors(catalog.calibration())),
        resolver_(catalog, presets, files) {}

  /// False when the row cannot be judged.
  bool add(const Measurement& run) {
    const auto work = resolver_.workload(run.request);
    const auto machine = resolver_.machine(run.request);
    if (!work || !machine || machine->gpu == nullptr)
      return false;
    const auto layout = resolver_.layout(run.request, *work, *machine);
    if (!layout)
      return false;
    const ops::OperationList operations = ops::describe(work->model);
    const estimate::Estimate answer =
        estimate::estimate({*work, operations, *machine, *layout, calibration_});
    if (!answer.supported)
      return false;
    const SpeedSample sample{.task = {},
                             .engine = std::string(estimate::speed_software(*work)),
                             .architecture = machine->gpu->architecture,
                             .source = run.source};
    if (answer.training)
      add_training(run, *answer.training, sample);
    if (answer.inference)
      add_inference(run, *work, *answer.inference, sample);
    return true;
  }

  std::vector<SpeedSample> samples;

 private:
  void add_rate(SpeedSample sample, std::string_view task, const std::optional<double>& measured,
                double derived) {
    if (!measured || *measured <= 0 || derived <= 0)
      return;
    sample.task = task;
    sample.log_time_ratio = std::log(derived / *measured);
    samples.push_back(std::move(sample));
  }

  void add_training(const Measurement& run, const estimate::TrainingSpeed& speed,
                    const SpeedSample& sample) {
    const std::string_view task = speed.has_tokens ? "train" : "vision-train";
    if (run.tokens_per_s_per_gpu)
      add_rate(sample, task, run.tokens_per_s_per_gpu, speed.tokens_per_s_per_gpu.value);
    else
      add_rate(sample, task, run.samples_per_s_per_gpu, speed.samples_per_s_per_gpu.value);
  }

  void add_inference(const Measurement& run, const workload::Workload& work,
                     const estimate::InferenceSpeed& speed, const SpeedSample& sample) {
    const auto value = [](const auto& figure) { return figure ? figure->value : 0.0; };
    const bool alone = work.concurrency <= 1 && !work.concurrency_max;
    const bool layers = work.model.main().layer_count() > 0;
    add_rate(sample, "prefill", run.prefill_tok_s, value(speed.prefill_tok_s));
    add_rate(sample, "decode", run.decode_tok_s, value(speed.decode_tok_s_per_request));
    if (run.tpot_ms && !run.decode_tok_s)
      add_rate(sample, "decode", 1e3 / *run.tpot_ms, 1e3 / value(speed.tpot_ms));
    if (!alone) {
      add_rate(sample, "serve", run.output_tok_s, value(speed.output_tok_s));
      if (!run.output_tok_s)
        add_rate(sample, "serve", run.requests_s, value(speed.requests_s));
    }
    add_rate(sample, layers ? "encode" : "vision-inference", run.samples_s, value(speed.samples_s));
  }

  catalog::Calibration calibration_;
  workload::Resolver resolver_;
};

constexpr std::uint64_t kLargestCsv = std::uint64_t{256} << 20;

}  // namespace

Result<ExitCode> run_calibrate(const Call& call) {
  const auto output = call.values.get("--output");
  if (!output)
    return usage_error("--output", "is missing", "the calibration file to write");
  if (call.values.operands().empty())
    return usage_error("", "calibrate needs CSV files of measurements");
  GPU_ADVISOR_TRY(const catalog::Catalog catalog, load_catalog(call, {.offers = false}));
  GPU_ADVISOR_TRY(const model::PresetLibrary presets, load_presets(call));
  Sampler sampler(catalog, presets, call.world.files);
  const auto left_out = call.values.all("--leave-out");
  std::size_t rows = 0, judged = 0;
  for (const std::string& path : call.values.operands()) {
    GPU_ADVISOR_TRY(const std::string text, call.world.files.read(path, kLargestCsv));
    GPU_ADVISOR_TRY(const std::vector<Measurement> runs, read_measurements(text, path));
    for (const Measurement& run : runs) {
      const bool skipped = std::ranges::any_of(left_out, [&run](const std::string& pattern) {
        return support::glob_match(pattern, run.source);
      });
      if (skipped)
        continue;
      ++rows;
      judged += sampler.add(run);
    }
  }
  const auto fitted = estimate::fit_speed(sampler.samples);
  std::ofstream file(*output, std::ios::binary);
  file << catalog::print_calibration(fitted);
  if (!file)
    return support::Error{.code = support::ErrorCode::file_unreadable,
                          .message = "cannot be written",
                          .location = {.file = *output}};
  call.world.err << fmt::format("{} rows, {} judged, {} speeds, {} constants\n", rows, judged,
                                sampler.samples.size(), fitted.size());
  return 0;
}

}  // namespace gpu_advisor::commands
