// Prints, for each model file that <folder>/index.csv lists, the expected parameter count, ours and
// the difference. A developer's tool: models_report FOLDER
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <string>

#include "gpu_advisor/model/reader.hpp"
#include "gpu_advisor/support/csv.hpp"

using namespace gpu_advisor;

namespace {

std::string cell(const support::Csv& csv, std::size_t row, std::string_view column) {
  return std::string(csv.cell(row, column));
}

/// The counts that an index may give, the most independent first.
double expected_of(const support::Csv& csv, std::size_t row) {
  for (const std::string_view column : {"expected_total_params", "params"}) {
    const auto number = csv.number(row, column);
    if (number && *number) {
      return **number;
    }
  }
  return 0;
}

void print_row(const support::FileSource& files, const std::string& folder, const support::Csv& csv,
               std::size_t row) {
  const std::string file = cell(csv, row, "file");
  const double expected = expected_of(csv, row);
  const auto model = model::read_model(files, folder + "/" + file);
  if (!model) {
    fmt::print("{:<62} {:>16} refused: {}\n", file, expected, model.error().to_text());
    return;
  }
  const auto ours = static_cast<double>(model->parameters());
  const auto draft = static_cast<double>(model->draft_parameters.value_or(0));
  const bool whole = expected == ours || (draft > 0 && expected == ours + draft);
  const std::string verdict = expected == 0 ? "-"
                              : whole       ? "exact"
                                            : fmt::format("{:+.4f} %", 100 * (ours / expected - 1));
  fmt::print("{:<62} {:>16} {:>16} {:>12} {} {:.0f}{}{}\n", file, expected, ours, verdict,
             model->architecture_class, model->active_parameters(),
             model->quantisation
                 ? " " + model->quantisation->method + "/" + model->quantisation->canonical
                 : "",
             draft > 0 ? fmt::format(" draft {}", draft) : "");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: models_report FOLDER\n");
    return EXIT_FAILURE;
  }
  const std::string folder = argv[1];
  const auto files = support::disk_files();
  constexpr std::uint64_t kMost = 1U << 26;
  const auto text = files->read(folder + "/index.csv", kMost);
  const auto csv =
      text ? support::Csv::parse(*text, "index.csv") : support::Result<support::Csv>(text.error());
  if (!csv) {
    fmt::print(stderr, "{}\n", csv.error().to_text());
    return EXIT_FAILURE;
  }
  for (std::size_t row = 0; row < csv->size(); ++row) {
    print_row(*files, folder, *csv, row);
  }
  return EXIT_SUCCESS;
}
