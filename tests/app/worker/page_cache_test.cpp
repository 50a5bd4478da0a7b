// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/page_cache.h"
#include "core/base/temporary_dir.h"

#include <gtest/gtest.h>

#include <fstream>

namespace apertune::worker {
namespace {

TEST(PageCache, AFileThatNobodyMapsLeavesItOrIsToldToStay)
{
    const auto dir = base::TemporaryDir::create("pages").value();
    std::ofstream(dir.path() / "weights") << std::string(1 << 20, 'w');
    const double stayed = dropFromPageCache(dir.path());
    // All pages of a file system in memory stay, and none of any other one.
    EXPECT_TRUE(stayed == 0 || stayed == 1) << stayed;
    EXPECT_EQ(dropFromPageCache(dir.path() / "weights"), stayed);
}

TEST(PageCache, WhatCannotBeReadCountsAsResident)
{
    const auto dir = base::TemporaryDir::create("pages").value();
    EXPECT_EQ(dropFromPageCache(dir.path() / "nothing"), 1);
    EXPECT_EQ(dropFromPageCache(dir.path()), 1) << "an empty folder";
}

} // namespace
} // namespace apertune::worker
