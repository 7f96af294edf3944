#include "gpu_advisor/units/money.hpp"

namespace units = gpu_advisor::units;

#ifdef GPU_ADVISOR_MUST_NOT_COMPILE
const auto kSum = units::Money::usd(1) + units::MoneyPerHour::usd(2);
#else
const units::Money kSum = units::Money::usd(1) + units::MoneyPerHour::usd(2) * units::hours(3);
#endif
