#include "gpu_advisor/units/quantity.hpp"

namespace units = gpu_advisor::units;

#ifdef GPU_ADVISOR_MUST_NOT_COMPILE
const bool kLess = units::flops(1) < units::bytes(2);
#else
const bool kLess = units::flops(1) < units::flops(2);
#endif
