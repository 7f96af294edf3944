#include "gpu_advisor/units/quantity.hpp"

namespace units = gpu_advisor::units;

#ifdef GPU_ADVISOR_MUST_NOT_COMPILE
const double kGib = units::gb(80);
#else
const double kGib = units::gb(80) / units::gib(1);
#endif
