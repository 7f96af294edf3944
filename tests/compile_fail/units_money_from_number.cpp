#include "gpu_advisor/units/money.hpp"

namespace units = gpu_advisor::units;

#ifdef GPU_ADVISOR_MUST_NOT_COMPILE
const units::Money kPrice = 1.5;
#else
const units::Money kPrice = units::Money::usd(1.5);
#endif
