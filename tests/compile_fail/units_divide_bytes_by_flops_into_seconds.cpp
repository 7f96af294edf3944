#include "gpu_advisor/units/quantity.hpp"

namespace units = gpu_advisor::units;

#ifdef GPU_ADVISOR_MUST_NOT_COMPILE
const units::Seconds kTime = units::gb(1) / units::tflops_per_second(1);
#else
const units::Seconds kTime = units::gb(1) / units::gb_per_second(1);
#endif
