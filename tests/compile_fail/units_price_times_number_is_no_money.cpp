#include "gpu_advisor/units/money.hpp"

namespace units = gpu_advisor::units;

#ifdef GPU_ADVISOR_MUST_NOT_COMPILE
const units::Money kCost = units::MoneyPerHour::usd(2) * 24.0;
#else
const units::Money kCost = units::MoneyPerHour::usd(2) * units::hours(24);
#endif
