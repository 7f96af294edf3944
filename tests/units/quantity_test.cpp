#include "gpu_advisor/units/quantity.hpp"

#include "catch2.hpp"
#include "gpu_advisor/units/interval.hpp"
#include "gpu_advisor/units/money.hpp"

using namespace gpu_advisor::units;

TEST_CASE("quantities divide into quantities of the right kind") {
  const Seconds time = gb(900) / gb_per_second(450);
  CHECK(time == seconds(2));
  const Flops work = tflops_per_second(100) * seconds(3);
  CHECK(work == flops(3e14));
  const BytesPerSecond rate = gbit_per_second(100);
  CHECK(rate == gb_per_second(12.5));
  CHECK(watts(700) * hours(1) == kwh(0.7));
  CHECK(tokens(100) / seconds(4) == tokens_per_second(25));
}

TEST_CASE("decimal and binary factories differ") {
  CHECK(gib(1) / bytes(1) == 1073741824);
  CHECK(gb(1) / bytes(1) == 1000000000);
  CHECK(gib(80) > gb(80));
}

TEST_CASE("money is exact in micro-dollars") {
  CHECK(Money::usd(0.1) + Money::usd(0.2) == Money::usd(0.3));
  CHECK(Money::usd(-1.5).micros() == -1500000);
  CHECK(MoneyPerHour::usd(2) * hours(730) == Money::usd(1460));
  CHECK((MoneyPerHour::usd(0.526) * 8).dollars() == Catch::Approx(4.208));
}

TEST_CASE("an amount beyond all money stays at the bound") {
  CHECK(Money::usd(1e30).dollars() == Catch::Approx(9e12));
  CHECK(Money::usd(-1e30).dollars() == Catch::Approx(-9e12));
}

TEST_CASE("an exact interval has no width") {
  CHECK(Interval<double>::exact(3) == Interval<double>{3, 3, 3});
}
