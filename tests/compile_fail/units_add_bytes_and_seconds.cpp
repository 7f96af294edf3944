#include "gpu_advisor/units/quantity.hpp"

namespace units = gpu_advisor::units;

#ifdef GPU_ADVISOR_MUST_NOT_COMPILE
const auto kSum = units::gib(1) + units::seconds(1);
#else
const auto kSum = units::gib(1) + units::mib(1);
#endif
