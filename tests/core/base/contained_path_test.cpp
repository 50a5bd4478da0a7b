// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/contained_path.h"

#include <gtest/gtest.h>

namespace apertune::base::test {

TEST(ContainedPath, AFolderAndAllBelowItAreWithinIt)
{
    EXPECT_TRUE(isWithin("/home/a", "/home/a"));
    EXPECT_TRUE(isWithin("/home/a", "/home/a/models/net.pt"));
    EXPECT_TRUE(isWithin("/", "/home"));
}

TEST(ContainedPath, ANeighbourWithTheSameBeginningIsOutside)
{
    EXPECT_FALSE(isWithin("/home/a", "/home/ab"));
    EXPECT_FALSE(isWithin("/home/a", "/home"));
    EXPECT_FALSE(isWithin("/home/a", "/home/a/../b"));
    EXPECT_FALSE(isWithin("/home/a", "models"));
}

} // namespace apertune::base::test
