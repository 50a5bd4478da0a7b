// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/baseline.h"

#include <gtest/gtest.h>

namespace apertune::model {

TEST(BaselineName, IsAWordThatNamesNothingElse)
{
    for (const char* name : {"release", "v1.2", "nightly_2026-11-27", "a", "T12", "t12b", "trace3", "s", "tr", "Best"})
        EXPECT_TRUE(checkBaselineName(name)) << name;
    for (const char* name : {"", "12", "#12", "t12", "s3", "tr3", "t1", "best", "last", "-x", ".x", "s3:best", "a b",
                             "a/b", "\xc3\xbc", "a\n"})
        EXPECT_FALSE(checkBaselineName(name)) << name;
    EXPECT_TRUE(checkBaselineName(std::string(64, 'a')));
    EXPECT_FALSE(checkBaselineName(std::string(65, 'a')));
}

} // namespace apertune::model
