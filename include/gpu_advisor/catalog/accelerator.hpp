#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gpu_advisor/catalog/date.hpp"
#include "gpu_advisor/units/data_type.hpp"
#include "gpu_advisor/units/quantity.hpp"

namespace gpu_advisor::catalog {

enum class Vendor { nvidia, amd, apple, intel, google, aws, huawei, other };
enum class AcceleratorStatus { available, announced, end_of_life };

/// How GPUs of one node reach each other.
enum class LinkKind {
  none,
  nvlink,
  infinity_fabric,
  ici,
  hccs,
  neuronlink,
  xe_link,
  ethernet,
  other
};

/// One accelerator as software sees it (half a K80 board, one GCD of an MI250X, one MIG slice).
/// Absent optionals mean "unknown" or "the hardware lacks it", never zero; rates are dense, without
/// sparsity, at the default power limit.
struct Accelerator {
  std::string id;                    // "nvidia-a100-sxm-80gb"
  std::string name;                  // "A100 SXM 80GB"
  std::vector<std::string> aliases;  // spellings of users, clouds and benchmarks
  Vendor vendor = Vendor::other;
  std::string vendor_name;
  std::string family;                        // datacenter, geforce-rtx, …
  std::string architecture;                  // "Ampere", "CDNA3", "Apple M3", "" unknown
  std::optional<double> compute_capability;  // NVIDIA: 8.0; AMD and others: empty
  std::string target;                        // AMD: "gfx942"
  Date release_date;
  AcceleratorStatus status = AcceleratorStatus::available;
  std::string form_factor;                    // pcie, sxm4, oam, soc, laptop, …
  units::Bytes memory;                        // marketed, in GiB
  std::optional<units::Bytes> driver_memory;  // as nvidia-smi or the runtime reports it
  std::string memory_type;
  std::optional<units::BytesPerSecond> bandwidth;
  std::optional<int> cores;         // CUDA cores or stream processors
  std::optional<int> tensor_cores;  // or matrix cores
  std::optional<int> sms;  // streaming multiprocessors / compute units / GPU cores, where known
  std::optional<units::FlopsPerSecond> fp64_vector, fp32_vector, fp16_vector;
  std::optional<units::FlopsPerSecond> tf32_matrix, fp16_matrix, bf16_matrix, fp8_matrix,
      fp4_matrix, int8_matrix;
  /// GeForce: the rate with 16-bit accumulators, twice that with 32-bit ones.
  std::optional<units::FlopsPerSecond> fp16_matrix_acc16, fp8_matrix_acc16;
  std::optional<units::Watts> tdp;
  LinkKind link = LinkKind::none;
  std::string link_name;                                // "nvlink4"
  std::optional<units::BytesPerSecond> link_bandwidth;  // per GPU, both directions added
  std::optional<int> pcie_generation, pcie_lanes;
  std::optional<int> mig_max_instances;
  std::optional<bool> ecc;
  bool unified_memory =
      false;  // the GPU shares the host's memory (Apple, GB10, Jetson, Strix Halo)
  std::optional<double> usable_share;  // of unified memory that the GPU may use, where known
  std::optional<double> msrp_usd, street_price_usd;
  Date price_as_of;
  std::string parent;  // MIG slice: the id of the whole GPU
  std::string notes;
  std::string source;

  /// What a process can really use: the driver's figure where known, else the marketed size less
  /// the reservation of its kind (README of the data gives 1 to 7 percent); unified memory: its
  /// share.
  [[nodiscard]] units::Bytes usable_memory() const;
  /// Bytes per second one way over the PCIe slot; empty when unknown.
  [[nodiscard]] std::optional<units::BytesPerSecond> pcie_bandwidth() const;
  /// Dense rate of matrix products in this format as hardware offers it; empty: no unit for it.
  [[nodiscard]] std::optional<units::FlopsPerSecond> matrix_rate(units::DataType type) const;
};

}  // namespace gpu_advisor::catalog
