#pragma once

// Catch2 in either generation: one header in 2.x (Debian 12), many in 3.x. Every test includes
// this. Common to both: TEST_CASE, SECTION, CHECK, REQUIRE, CAPTURE, INFO, GENERATE, Catch::Approx,
// Catch::Matchers::WithinRel and WithinAbs.

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#else
#include <catch2/catch.hpp>

namespace Catch {
using Detail::Approx;  // else Catch::Approx is the matcher for vectors
}  // namespace Catch
#endif
