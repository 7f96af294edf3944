#include "gpu_advisor/commands/batch.hpp"

#include <algorithm>
#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "gpu_advisor/estimate/estimate.hpp"
#include "gpu_advisor/render/present/estimate.hpp"
#include "gpu_advisor/support/text.hpp"
#include "gpu_advisor/workload/request_json.hpp"
#include "gpu_advisor/workload/resolve.hpp"

namespace gpu_advisor::commands {
namespace {

using support::Error;
using support::ErrorCode;
using support::Result;

/// Rows of one round: enough to keep the threads busy, few enough for constant memory.
constexpr std::size_t kRoundPerJob = 256;
/// A longer line is not a workload.
constexpr std::size_t kLongestLine = std::size_t{1} << 20;

struct Answer {
  std::string line;
  bool well_formed = true;
};

/// Answers rows; keeps the models that it has built.
class Worker {
 public:
  explicit Worker(const BatchInputs& inputs)
      : catalog_(&inputs.catalog), resolver_(inputs.catalog, inputs.presets, inputs.files) {}

  Answer answer(const std::string& row) const {
    if (row.size() > kLongestLine) {
      return {render::error_line("", Error{.code = ErrorCode::file_too_large,
                                           .message = "the line is longer than 1 MiB"}),
              false};
    }
    const auto request = workload::parse_request(row, "");
    if (!request)
      return {render::error_line(id_of(request.error()), request.error()), false};
    auto estimate = this->estimate(*request);
    if (!estimate)
      return {render::unsupported_line(request->id, estimate.error()), true};
    return {render::estimate_line(request->id, *estimate), true};
  }

 private:
  Result<estimate::Estimate> estimate(const workload::Request& request) const {
    GPU_ADVISOR_TRY(const workload::Workload work, resolver_.workload(request));
    GPU_ADVISOR_TRY(const workload::Machine machine, resolver_.machine(request));
    GPU_ADVISOR_TRY(const workload::Layout layout, resolver_.layout(request, work, machine));
    const ops::OperationList operations = ops::describe(work.model);
    return estimate::estimate({work, operations, machine, layout, catalog_->calibration()});
  }

  /// `parse_request` leaves the id of a broken row as the first line of context.
  static std::string id_of(const Error& error) {
    constexpr std::string_view kMark = "id: ";
    if (error.context.empty() || !error.context.front().starts_with(kMark))
      return {};
    return error.context.front().substr(kMark.size());
  }

  const catalog::Catalog* catalog_;
  workload::Resolver resolver_;
};

/// Splits the rows by index, so that the answers do not depend on the number of threads.
std::vector<Answer> answer_round(const std::vector<std::unique_ptr<Worker>>& workers,
                                 const std::vector<std::string>& rows) {
  std::vector<Answer> answers(rows.size());
  const auto work = [&workers, &rows, &answers](std::size_t worker) {
    for (std::size_t i = worker; i < rows.size(); i += workers.size())
      answers[i] = workers[worker]->answer(rows[i]);
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < workers.size(); ++i)
    threads.emplace_back(work, i);
  work(0);
  for (std::thread& thread : threads)
    thread.join();
  return answers;
}

}  // namespace

bool estimate_batch(const BatchInputs& inputs, std::istream& in, std::ostream& out) {
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < std::max(inputs.jobs, 1); ++i)
    workers.push_back(std::make_unique<Worker>(inputs));
  bool well_formed = true;
  std::vector<std::string> rows;
  std::string line;
  bool more = true;
  while (more) {
    more = static_cast<bool>(std::getline(in, line));
    if (more && !support::trim(line).empty())
      rows.push_back(line);
    if (rows.size() < kRoundPerJob * workers.size() && more)
      continue;
    for (const Answer& answer : answer_round(workers, rows)) {
      out << answer.line << '\n';
      well_formed = well_formed && answer.well_formed;
    }
    out.flush();
    rows.clear();
  }
  return well_formed;
}

}  // namespace gpu_advisor::commands
