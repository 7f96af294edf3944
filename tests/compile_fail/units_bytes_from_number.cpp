#include "gpu_advisor/units/quantity.hpp"

namespace units = gpu_advisor::units;

#ifdef GPU_ADVISOR_MUST_NOT_COMPILE
const units::Bytes kSize = 80.0;
#else
const units::Bytes kSize = units::bytes(80);
#endif
