#pragma once

#include <cstddef>
#include <vector>

#include "gpu_advisor/render/document/document.hpp"

namespace gpu_advisor::render {

/// Which columns of a table are shown, and how wide; the others did not fit.
struct TableFit {
  struct Shown {
    std::size_t column;  // index into Table::columns
    std::size_t width;   // terminal columns
  };
  std::vector<Shown> shown;
  std::vector<std::size_t> dropped;  // indices, in the table's order
};

inline constexpr std::size_t kColumnGap = 2;

/// Columns at their natural width if `width` allows. Else texts become narrower, then columns with
/// the highest priority number go, then texts become as narrow as they can be read. Numbers
/// (right-aligned) are never cut: a shortened number is another number.
[[nodiscard]] TableFit fit_table(const Table& table, std::size_t width);

}  // namespace gpu_advisor::render
