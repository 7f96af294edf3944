#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpu_advisor::catalog {

/// A GPU's name taken apart, so that "Tesla V100-SXM2-16GB", "V100 SXM2 16 GB" and "v100_16gb_sxm"
/// come out alike. Makers' words (NVIDIA, GeForce, Tesla …) and text in brackets fall away.
struct GpuName {
  std::string ordered;           // letters and digits in the order written: "rtx4000sffada"
  std::string sorted;            // the parts sorted: "4000.ada.rtx.sff"
  std::string form;              // "sxm", "pcie", "oam", or empty: left open
  std::optional<double> memory;  // GB as written
};

[[nodiscard]] GpuName take_apart(std::string_view name);
/// The key of a name as a whole, apart from case and punctuation: "=titanxmaxwell".
[[nodiscard]] std::string whole_name(std::string_view name);

}  // namespace gpu_advisor::catalog
