#include "roofline_internal.hpp"
#include "time_internal.hpp"

namespace gpu_advisor::estimate {
namespace {

Interval<double> scaled(const Interval<double>& figure, double factor) {
  return {figure.value * factor, figure.low * factor, figure.high * factor};
}

bool layered(const workload::Workload& work) {
  return work.model.main().layer_count() > 0;
}

}  // namespace

double model_flops_per_sample(const Question& question) {
  const workload::Workload& work = question.workload;
  if (!layered(work)) {
    double flops = 0;
    for (const ops::Operation& op : question.ops.operations)
      if (op.kind == ops::OpKind::aggregate)
        flops += op.flops_per_token;
    return 3 * flops;
  }
  const double tokens = static_cast<double>(work.seq_len);
  // The convention counts attention over the whole sequence, not its causal half (Narayanan et al.
  // 2021, appendix; Chowdhery et al. 2022, appendix B).
  const double forward = question.ops.forward_flops_per_token(tokens);
  const double passes = work.method == workload::Method::full ? 3 : 2;
  return passes * forward * tokens;
}

TrainingSpeed estimate_training(const Question& question) {
  const workload::Workload& work = question.workload;
  const bool tokens = layered(work);
  const StepTime step = tokens ? layered_step(question) : aggregate_step(question);
  const Work kind = tokens ? Work::train : Work::vision_train;
  const TimeSpread spread = time_spread(question, kind);
  TrainingSpeed speed;
  const workload::Layout& layout = question.layout;
  speed.samples_per_step = layout.micro_batch * layout.grad_accum * layout.dp;
  const double seconds = step.total();
  speed.parts = {units::seconds(step.compute), units::seconds(step.communication),
                 units::seconds(step.bubble), units::seconds(step.optimizer),
                 units::seconds(step.input)};
  const Interval<double> time = around(seconds, spread.log_spread);
  speed.step_time = {units::seconds(time.value), units::seconds(time.low),
                     units::seconds(time.high)};
  const double gpus = layout.gpus();
  const double rate =
      seconds > 0 ? static_cast<double>(speed.samples_per_step) / seconds / gpus : 0;
  speed.samples_per_s_per_gpu = around(rate, spread.log_spread);
  speed.has_tokens = tokens;
  speed.tokens_per_s_per_gpu =
      scaled(speed.samples_per_s_per_gpu, tokens ? static_cast<double>(work.seq_len) : 0);
  speed.model_tflops_per_gpu =
      scaled(speed.samples_per_s_per_gpu, model_flops_per_sample(question) / 1e12);
  const MatrixPeak peak =
      matrix_peak(*question.machine.gpu, workload::compute_type(work.precision));
  speed.mfu =
      scaled(speed.model_tflops_per_gpu, peak.flops_per_s > 0 ? 1e12 / peak.flops_per_s : 0);
  speed.basis = spread.basis;
  return speed;
}

}  // namespace gpu_advisor::estimate
