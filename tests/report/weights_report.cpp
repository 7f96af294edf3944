// Compares what the readers of weight files say with an index.csv of expected values in a folder.
// Run by hand: weights_report FOLDER

#include <chrono>
#include <cstdio>
#include <fmt/format.h>

#include "gpu_advisor/model/weight_file.hpp"
#include "gpu_advisor/support/csv.hpp"
#include "gpu_advisor/support/file_source.hpp"

namespace {

using namespace gpu_advisor;

std::string expected_of(const support::Csv& csv, std::size_t row, std::string_view column) {
  const std::string cell(csv.cell(row, column));
  return cell.empty() ? "-" : cell;
}

std::string mark(const std::string& expected, const std::string& ours) {
  if (expected == "-" || expected == ours)
    return ours;
  return ours + " (expected " + expected + ")";
}

void report(const support::FileSource& files, const std::string& folder, const support::Csv& csv,
            std::size_t row) {
  const std::string file(csv.cell(row, "file"));
  const auto start = std::chrono::steady_clock::now();
  const auto spec = model::read_weight_file(files, folder + "/" + file);
  const double ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  if (!spec) {
    fmt::print("| {} | refused: {} | | | | | | {:.1f} |\n", file, spec.error().to_text(), ms);
    return;
  }
  const auto column = [&](std::string_view name) { return expected_of(csv, row, name); };
  const std::string context = spec->max_context ? fmt::format("{}", *spec->max_context) : "-";
  const auto& stored = *spec->stored;
  fmt::print("| {} | {} | {} | {} | {} | {} | {} | {:.1f} |\n", file,
             mark(column("tensor_count"), fmt::format("{}", stored.tensors)),
             mark(column("params"), fmt::format("{}", spec->parameters())),
             mark(column("tensor_bytes"), fmt::format("{:.0f}", stored.bytes / units::bytes(1))),
             mark(column("block_count"), fmt::format("{}", spec->main().layer_count())),
             mark(column("embedding_length"), fmt::format("{}", spec->main().hidden)),
             mark(column("context_length"), context), ms);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: weights_report FOLDER\n");
    return 2;
  }
  const std::string folder = argv[1];
  const auto files = support::disk_files();
  const auto text = files->read(folder + "/index.csv", std::uint64_t{1} << 24);
  const auto csv = text ? support::Csv::parse(*text, "index.csv") : text.error();
  if (!csv) {
    fmt::print(stderr, "{}\n", csv.error().to_text());
    return 3;
  }
  fmt::print(
      "| file | tensors | parameters | bytes | layers | width | context | ms |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (std::size_t row = 0; row < csv->size(); ++row)
    report(*files, folder, *csv, row);
  return 0;
}
