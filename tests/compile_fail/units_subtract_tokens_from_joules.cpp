#include "gpu_advisor/units/quantity.hpp"

namespace units = gpu_advisor::units;

#ifdef GPU_ADVISOR_MUST_NOT_COMPILE
const auto kLeft = units::kwh(2) - units::tokens(1);
#else
const auto kLeft = units::tokens(2) - units::tokens(1);
#endif
