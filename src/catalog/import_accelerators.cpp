#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "accelerator_fields_internal.hpp"
#include "gpu_advisor/catalog/import.hpp"
#include "gpu_advisor/support/csv.hpp"
#include "gpu_advisor/support/text.hpp"
#include "json_file_internal.hpp"
#include "write_rows_internal.hpp"

namespace gpu_advisor::catalog {
namespace {

using support::Csv;
using support::Result;
using units::tflops_per_second;

/// CSV columns whose cell goes into the field of another name unchanged.
struct Column {
  std::string_view csv, field;
};
constexpr std::array kColumns{
    Column{"id", "id"},
    Column{"name", "name"},
    Column{"vendor", "vendor"},
    Column{"family", "family"},
    Column{"architecture", "architecture"},
    Column{"release_date", "release_date"},
    Column{"form_factor", "form_factor"},
    Column{"memory_gib", "memory_gib"},
    Column{"memory_type", "memory_type"},
    Column{"memory_bandwidth_gbps", "memory_bandwidth_gbps"},
    Column{"cuda_cores", "cores"},
    Column{"tensor_cores", "tensor_cores"},
    Column{"fp64_tflops", "fp64_tflops"},
    Column{"fp32_tflops", "fp32_tflops"},
    Column{"tf32_tensor_tflops", "tf32_tflops"},
    Column{"fp16_tensor_tflops", "fp16_tflops"},
    Column{"bf16_tensor_tflops", "bf16_tflops"},
    Column{"fp8_tensor_tflops", "fp8_tflops"},
    Column{"fp4_tensor_tflops", "fp4_tflops"},
    Column{"int8_tops", "int8_tops"},
    Column{"tdp_w", "tdp_w"},
    Column{"gpu_link", "link"},
    Column{"gpu_link_gbps_bidir", "link_gbps"},
    Column{"pcie_gen", "pcie_generation"},
    Column{"pcie_lanes", "pcie_lanes"},
    Column{"mig_max_instances", "mig_max_instances"},
    Column{"msrp_usd", "msrp_usd"},
    Column{"street_price_usd", "street_price_usd"},
    Column{"price_as_of", "price_as_of"},
    Column{"notes", "notes"},
    Column{"source", "source"},
};

const Field<Accelerator>& field_named(std::string_view key) {
  return *std::ranges::find(accelerator_fields(), key, &Field<Accelerator>::key);
}

support::Status set_cell(const Csv& csv, std::size_t row, const Column& column, Accelerator& gpu) {
  const std::string_view cell = csv.cell(row, column.csv);
  if (cell.empty())
    return support::ok();
  const Field<Accelerator>& field = field_named(column.field);
  FieldInput input = cell;
  if (field.kind == FieldKind::number || field.kind == FieldKind::integer) {
    GPU_ADVISOR_TRY(const auto number, csv.number(row, column.csv));
    input = *number;
  }
  if (const std::string_view expected = field.set(gpu, input); !expected.empty())
    return csv.fail(row, fmt::format("column {}: expected {}", column.csv, expected));
  return support::ok();
}

/// The number after `key=` or `key ` in the notes' leading facts: "fp16_vector=19.5", "fp16
/// vector 12.3".
std::optional<double> noted_number(std::string_view notes, std::string_view key) {
  for (std::string_view part : support::split(notes, ';')) {
    part = support::trim(part);
    if (!part.starts_with(key))
      continue;
    part = support::trim(part.substr(key.size()));
    if (part.starts_with("="))
      part = support::trim(part.substr(1));
    const std::size_t end = part.find_first_not_of("0123456789.");
    if (const auto number = support::parse_number(part.substr(0, end)))
      return number;
  }
  return std::nullopt;
}

void read_notes(Accelerator& gpu) {
  const std::string_view notes = gpu.notes;
  const auto rate = [&notes](std::string_view key) -> std::optional<units::FlopsPerSecond> {
    const auto number = noted_number(notes, key);
    if (!number)
      return std::nullopt;
    return tflops_per_second(*number);
  };
  gpu.fp16_matrix_acc16 = rate("fp16_acc16");
  gpu.fp8_matrix_acc16 = rate("fp8_acc16");
  gpu.fp16_vector = rate("fp16_vector");
  if (!gpu.fp16_vector)
    gpu.fp16_vector = rate("fp16 vector");
  if (const auto mebibytes = noted_number(notes, "smi_mib"))
    gpu.driver_memory = units::mib(*mebibytes);
  if (notes.find("ANNOUNCED") != std::string_view::npos)
    gpu.status = AcceleratorStatus::announced;
}

/// CUDA cores per streaming multiprocessor by compute capability (CUDA C programming guide, table
/// of arithmetic throughput): a fact of the architecture.
int cores_per_sm(double capability) {
  if (capability < 4)
    return 192;
  if (capability < 6 || (capability > 6 && capability < 7))
    return 128;
  if (capability < 8.5 && capability != 8.6)
    return 64;
  return 128;
}

/// Kepler's last driver branch is 470, whose support ended in 2024-09 (NVIDIA driver lifecycle
/// page).
constexpr double kOldestWithDriver = 5.0;

/// Packages that software sees as two devices: the row becomes one of them.
constexpr std::array<std::string_view, 4> kDoubles{"amd-mi250", "amd-mi250x", "intel-max-1550",
                                                   "huawei-ascend-910c"};

template <typename Quantity>
void halve(std::optional<Quantity>& amount) {
  if (amount)
    amount = *amount / 2;
}

void split_in_two(Accelerator& gpu) {
  if (std::ranges::find(kDoubles, gpu.id) == kDoubles.end())
    return;
  gpu.name = std::string(gpu.name.substr(0, gpu.name.find(" ("))) + " (one of 2 devices)";
  gpu.memory = gpu.memory / 2;
  halve(gpu.driver_memory);
  halve(gpu.bandwidth);
  halve(gpu.tdp);
  for (auto* rate :
       {&gpu.fp64_vector, &gpu.fp32_vector, &gpu.fp16_vector, &gpu.tf32_matrix, &gpu.fp16_matrix,
        &gpu.bf16_matrix, &gpu.fp8_matrix, &gpu.fp4_matrix, &gpu.int8_matrix})
    halve(*rate);
  for (auto* count : {&gpu.cores, &gpu.tensor_cores})
    if (*count)
      **count /= 2;
  gpu.notes += "; software sees two devices on the package: all amounts here are of one";
}

void derive(Accelerator& gpu, std::string_view capability) {
  if (const auto number = support::parse_number(capability))
    gpu.compute_capability = number;
  else
    gpu.target = capability;
  if (gpu.vendor == Vendor::nvidia && gpu.compute_capability && gpu.cores)
    gpu.sms = *gpu.cores / cores_per_sm(*gpu.compute_capability);
  gpu.unified_memory = gpu.family == "unified" || gpu.family == "jetson";
  if (gpu.status == AcceleratorStatus::available && gpu.compute_capability &&
      *gpu.compute_capability < kOldestWithDriver)
    gpu.status = AcceleratorStatus::end_of_life;
}

std::string file_text(const std::vector<const Accelerator*>& gpus) {
  std::string text = "{\"schema\": \"gpu-advisor/accelerators@1\", \"rows\": [\n";
  for (std::size_t i = 0; i < gpus.size(); ++i)
    text += "{" + row_text(accelerator_fields(), *gpus[i]) + (i + 1 < gpus.size() ? "},\n" : "}\n");
  return text + "]}\n";
}

/// Rows of the corrections file: keys given there replace what the CSV says, new ids are added.
support::Status correct(std::string_view corrections, std::map<std::string, Accelerator>& gpus) {
  if (corrections.empty())
    return support::ok();
  GPU_ADVISOR_TRY(const auto rows, read_corrections(corrections, gpus));
  for (const Accelerator& gpu : rows)
    gpus[gpu.id] = gpu;
  return support::ok();
}

}  // namespace

Result<Imported> import_accelerators(std::string_view text, std::string_view file,
                                     std::string_view corrections) {
  GPU_ADVISOR_TRY(const Csv csv, Csv::parse(text, file));
  std::vector<std::string> required;
  for (const Column& column : kColumns)
    required.emplace_back(column.csv);
  GPU_ADVISOR_CHECKED(csv.require(required));
  std::map<std::string, Accelerator> gpus;
  for (std::size_t row = 0; row < csv.size(); ++row) {
    Accelerator gpu;
    for (const Column& column : kColumns)
      GPU_ADVISOR_CHECKED(set_cell(csv, row, column, gpu));
    if (const std::string_view ecc = csv.cell(row, "ecc"); !ecc.empty())
      gpu.ecc = ecc == "yes";
    read_notes(gpu);
    derive(gpu, csv.cell(row, "compute_capability"));
    split_in_two(gpu);
    const std::string id = gpu.id;
    if (!gpus.emplace(id, std::move(gpu)).second)
      return csv.fail(row, fmt::format("the id \"{}\" stands twice", id));
  }
  GPU_ADVISOR_CHECKED(correct(corrections, gpus));
  std::map<std::string, std::vector<const Accelerator*>> by_vendor;
  for (const auto& [id, gpu] : gpus)
    by_vendor[gpu.parent.empty() ? support::fold(gpu.vendor_name) : "nvidia-mig"].push_back(&gpu);
  Imported imported;
  for (const auto& [vendor, rows] : by_vendor)
    imported.files["accelerators/" + vendor + ".json"] = file_text(rows);
  imported.notes.push_back(
      fmt::format("{} accelerators of {} vendors", gpus.size(), by_vendor.size()));
  return imported;
}

}  // namespace gpu_advisor::catalog
