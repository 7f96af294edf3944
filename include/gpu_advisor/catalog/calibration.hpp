#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpu_advisor::catalog {

/// One fitted or published constant. Few per (architecture family, dtype, engine or framework);
/// never per model, source or row. Selector fields that are empty match everything.
struct CalibrationRow {
  std::string constant;      // "gemm_efficiency", "bandwidth_efficiency", "launch_us", …
  std::string architecture;  // "Ampere"; "" any
  std::string dtype;         // "bf16"; "" any
  std::string engine;        // engine or framework; "" any
  std::string task;          // "train", "prefill", "decode", …; "" any
  double value = 0;
  double log_spread = 0;  // standard deviation of ln(measured / estimated) that remains
  int rows = 0;           // measurements behind it; 0: from a data sheet or a paper
  int sources = 0;        // distinct sources behind it
  std::string basis;      // "fitted" by calibrate | "chosen" by hand | "published" | "derived"
  std::string source;     // where a published one is from
};

/// The shipped constants and, over them, the user's own. Lookup takes the most specific row.
class Calibration {
 public:
  Calibration() = default;
  explicit Calibration(std::vector<CalibrationRow> rows);
  struct Key {
    std::string_view constant, architecture = {}, dtype = {}, engine = {}, task = {};
  };
  /// The row with the most matching selectors (order of weight: engine, architecture, dtype, task),
  /// or null when the constant has none that matches.
  [[nodiscard]] const CalibrationRow* find(const Key& key) const;
  [[nodiscard]] double value(const Key& key, double otherwise) const;
  [[nodiscard]] const std::vector<CalibrationRow>& rows() const { return rows_; }

 private:
  std::vector<CalibrationRow> rows_;
};

}  // namespace gpu_advisor::catalog
