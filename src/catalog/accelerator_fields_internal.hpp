#pragma once

#include "field_internal.hpp"
#include "gpu_advisor/catalog/accelerator.hpp"

namespace gpu_advisor::catalog {

/// Every key of a row of data/accelerators, in the order in which they are written.
[[nodiscard]] std::span<const Field<Accelerator>> accelerator_fields();

}  // namespace gpu_advisor::catalog
