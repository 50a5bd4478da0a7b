// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_text.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

namespace apertune::base {
namespace {

TEST(NumberText, IsTheShortestThatReadsBack)
{
    EXPECT_EQ(roundTripText(0.5), "0.5");
    EXPECT_EQ(roundTripText(3), "3");
    EXPECT_EQ(roundTripText(1e300), "1e+300");
    for (const double value : {0.1, 1.0 / 3, -std::numeric_limits<double>::denorm_min(), 2.2250738585072014e-308})
        EXPECT_EQ(std::strtod(roundTripText(value).c_str(), nullptr), value);
}

} // namespace
} // namespace apertune::base
