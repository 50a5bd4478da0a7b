// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/conversion_scale.h"

#include <gtest/gtest.h>

namespace apertune::search {
namespace {

using base::fromSeconds;

TEST(ConversionScale, FollowsTheLastConversionThatWasMeasured)
{
    ConversionScale scale;
    EXPECT_EQ(scale.of(fromSeconds(4)), fromSeconds(4));
    scale.note(fromSeconds(2), fromSeconds(6));
    EXPECT_EQ(scale.of(fromSeconds(4)), fromSeconds(12));
    scale.note(fromSeconds(2), fromSeconds(3));
    EXPECT_EQ(scale.of(fromSeconds(4)), fromSeconds(6));
}

TEST(ConversionScale, LearnsNothingWithoutBothTimes)
{
    ConversionScale scale;
    scale.note({}, fromSeconds(6));
    scale.note(fromSeconds(2), {});
    EXPECT_EQ(scale.of(fromSeconds(4)), fromSeconds(4));
}

} // namespace
} // namespace apertune::search
