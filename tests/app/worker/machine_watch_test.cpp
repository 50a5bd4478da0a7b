// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/machine_watch.h"
#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/sentences/sentences.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace apertune::worker {
namespace {

using base::Nanoseconds;

struct MachineWatch : ::testing::Test
{
    base::TemporaryDir proc = std::move(base::TemporaryDir::create("test")).value();

    void write(const std::filesystem::path& name, const std::string& text)
    {
        std::filesystem::create_directories((proc.path() / name).parent_path());
        ASSERT_TRUE(base::writeFileAtomically(proc.path() / name, text));
    }
};

TEST_F(MachineWatch, CountsWhatAllProcessorsDidInTicks)
{
    write("stat", "cpu  100 20 30 4000 50 6 7 8 9 0\ncpu0 1 2 3 4 5 6 7 8 9 0\ncpu1 1 2 3 4 5 6 7 8 9 0\nintr 1 2 3\n");
    write("pressure/cpu", "some avg10=1.00 avg60=2.00 avg300=3.00 total=123456\nfull avg10=0.00 total=99\n");
    const MachineTimes times = machineTimes(proc.path());
    const std::int64_t tick = 1'000'000'000 / ::sysconf(_SC_CLK_TCK);
    EXPECT_EQ(times.busy.count, (100 + 20 + 30 + 6 + 7) * tick) << "neither idle nor waiting for a disk";
    EXPECT_EQ(times.steal.count, 8 * tick);
    EXPECT_EQ(times.pressure.count, 123'456'000);
    EXPECT_EQ(times.processors, 2);
}

TEST_F(MachineWatch, WhatASystemDoesNotTellIsZero)
{
    const MachineTimes times = machineTimes(proc.path());
    EXPECT_EQ(times.processors, 0);
    EXPECT_EQ(times.busy.count + times.steal.count + times.pressure.count, 0);
    EXPECT_TRUE(threadTimes(proc.path()).empty());
}

TEST_F(MachineWatch, ReadsEveryThread)
{
    write("self/task/30/schedstat", "5000 700 3\n");
    write("self/task/4/schedstat", "1000 200 1\n");
    write("self/task/5/schedstat", "garbage\n");
    const auto threads = threadTimes(proc.path());
    ASSERT_EQ(threads.size(), 2u);
    EXPECT_EQ(threads[0].id, 4);
    EXPECT_EQ(threads[1].ran.count, 5000);
    EXPECT_EQ(threads[1].waited.count, 700);
}

TEST_F(MachineWatch, TheLongestWaitIsThatOfOneThread)
{
    const std::vector<ThreadTimes> before{{1, {}, {100}}, {3, {}, {1000}}, {9, {}, {50}}};
    EXPECT_EQ(longestWait(before, before).count, 0);
    EXPECT_EQ(longestWait(before, {{1, {}, {140}}, {3, {}, {1030}}}).count, 40) << "one thread ended";
    EXPECT_EQ(longestWait(before, {{1, {}, {140}}, {2, {}, {60}}, {3, {}, {1000}}}).count, 60) << "one is new";
    EXPECT_EQ(longestWait({}, {}).count, 0);
}

TEST_F(MachineWatch, ThisProcessIsThere)
{
    const Nanoseconds until = base::processCpuTime() + Nanoseconds{20'000'000};
    while (base::processCpuTime() < until) {
    }
    EXPECT_GE(allowedProcessors(), 1);
    EXPECT_GT(clockRate(), 0.01);
    const auto threads = threadTimes();
    EXPECT_TRUE(threads.empty() || threads.front().ran.count > 0);
    EXPECT_GT(machineTimes().processors, 0);
}

TEST(Timers, OfThisMachineAreMeasured)
{
    const TimerCheck check = checkTimers();
    EXPECT_GT(check.resolution.count, 0);
    EXPECT_LT(check.cost.count, 1'000'000);
    EXPECT_GT(check.scaling, 0.5);
    EXPECT_GT(check.cpuShare, 0);
    EXPECT_LT(check.cpuShare, 1.2);
}

TEST(Timers, ThatLieAreToldByName)
{
    const TimerCheck good{{30}, {25}, 2.0, 1.0, {}};
    EXPECT_TRUE(timerProblem(good, false).empty());
    EXPECT_NE(sentences::sentence(timerProblem(good, true)).find("backwards"), std::string::npos);
    TimerCheck bad = good;
    bad.resolution = {1'000'000};
    EXPECT_NE(sentences::sentence(timerProblem(bad, false)).find("ticks every"), std::string::npos);
    bad = good;
    bad.cost = {20'000};
    EXPECT_NE(sentences::sentence(timerProblem(bad, false)).find("Reading the clock"), std::string::npos);
    bad = good;
    bad.scaling = 1.3;
    EXPECT_NE(sentences::sentence(timerProblem(bad, false)).find("Twice the work"), std::string::npos);
    bad = good;
    bad.cpuShare = 1.5;
    EXPECT_NE(sentences::sentence(timerProblem(bad, false)).find("charged"), std::string::npos);
}

} // namespace
} // namespace apertune::worker
