// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parallel.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace apertune::base {
namespace {

TEST(SideBySide, EveryTaskRunsOnceWhateverTheProcessors)
{
    for (const unsigned processors : {0u, 1u, 2u, 64u}) {
        std::vector<std::atomic<int>> ran(20);
        std::vector<std::function<void()>> tasks;
        for (auto& count : ran)
            tasks.emplace_back([&count] { ++count; });
        runInParallel(tasks, processors);
        for (const auto& count : ran)
            EXPECT_EQ(count, 1);
    }
    runInParallel({});
}

TEST(SideBySide, TasksOverlapWhereThereAreTwoProcessors)
{
    // Each waits for the other: one after the other they would never end.
    std::atomic<int> here{0};
    const auto meet = [&here] {
        ++here;
        while (here < 2)
            std::this_thread::yield();
    };
    runInParallel({meet, meet}, 2);
    EXPECT_EQ(here, 2);
}

TEST(SideBySide, AnExceptionComesBackAfterTheOthersHaveEnded)
{
    std::atomic<int> ended{0};
    const auto fine = [&ended] { ++ended; };
    EXPECT_THROW(runInParallel({fine, [] { throw std::runtime_error("no"); }, fine, fine}, 2), std::runtime_error);
    EXPECT_EQ(ended, 3);
}

} // namespace
} // namespace apertune::base
