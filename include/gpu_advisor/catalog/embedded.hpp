#pragma once

#include "gpu_advisor/support/embedded.hpp"

namespace gpu_advisor::catalog {

using support::embedded_files;
using support::EmbeddedFile;
using support::kEmbeddedPadding;

}  // namespace gpu_advisor::catalog
