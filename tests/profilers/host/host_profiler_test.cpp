// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/sentences/sentences.h"
#include "profilers/host/host_profiler.h"
#include "profilers/host/host_sample.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>
#include <map>

namespace apertune::profilers {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

std::map<std::string, std::vector<std::int64_t>> values(const trace::Trace& trace)
{
    std::map<std::string, std::vector<std::int64_t>> series;
    for (const trace::Series& s : trace.series) {
        auto& list = series[trace.track(s).label + " " + trace.track(s).unit];
        for (std::size_t i = 0; i < s.events.size(); ++i)
            list.push_back(s.events.value.empty() ? 0 : s.events.value[i]);
    }
    return series;
}

HostSample at(double seconds)
{
    HostSample sample;
    sample.time = base::fromSeconds(seconds);
    sample.residentBytes = 1000;
    return sample;
}

struct Host : ::testing::Test
{
    base::TemporaryDir dir = base::TemporaryDir::create("host").value();

    void write(const std::string& name, const std::string& text) const
    {
        ASSERT_TRUE(base::writeFileAtomically(dir.path() / name, text).ok());
    }
};

TEST(HostCounters, RatesAreMeansOfTheIntervalTheyEnd)
{
    HostSample first = at(1);
    HostSample second = at(1.5);
    second.residentBytes = 2000;
    second.cpu = base::fromSeconds(0.75);
    second.voluntarySwitches = 10;
    second.involuntarySwitches = 3;
    first.stealTicks = 5;
    first.allTicks = 100;
    second.stealTicks = 15;
    second.allTicks = 200;
    second.megahertz = 2600;
    first.energyMicrojoules = 1'000'000;
    second.energyMicrojoules = 11'000'000;
    trace::TraceBuilder builder;
    addHostCounters(builder, {first, second});
    const trace::Trace trace = builder.finish(false);
    EXPECT_EQ(values(trace), (std::map<std::string, std::vector<std::int64_t>>{{"resident memory B", {2000}},
                                                                               {"CPU use %", {150}},
                                                                               {"voluntary switches 1/s", {20}},
                                                                               {"involuntary switches 1/s", {6}},
                                                                               {"stolen time %", {10}},
                                                                               {"CPU clock MHz", {2600}},
                                                                               {"CPU power mW", {20'000}}}));
    EXPECT_EQ(trace.begin(), base::fromSeconds(1.5));
}

TEST(HostCounters, OneSampleIsNoSeries)
{
    trace::TraceBuilder builder;
    addHostCounters(builder, {at(1)});
    addHostCounters(builder, {});
    EXPECT_EQ(builder.eventCount(), 0U);
}

TEST_F(Host, FilesAreReadAsTheKernelWritesThem)
{
    write("proc/self/statm", "5000 300 20 1 0 40 0\n");
    write("proc/stat", "cpu  10 20 30 40 50 60 70 80 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n");
    for (int cpu = 0; cpu < 1024; ++cpu)
        if (cpu < 64)
            write("sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cpufreq/scaling_cur_freq", "2600000\n");
    write("sys/class/powercap/intel-rapl:0/energy_uj", "111\n");
    write("sys/class/powercap/intel-rapl:1/energy_uj", "222\n");
    HostReader reader(dir.path());
    EXPECT_THAT(reader.missing(), IsEmpty());
    const HostSample sample = reader.read();
    EXPECT_EQ(sample.residentBytes, 300 * ::sysconf(_SC_PAGESIZE));
    EXPECT_EQ(sample.stealTicks, 80);
    EXPECT_EQ(sample.allTicks, 360);
    EXPECT_EQ(sample.megahertz, 2600);
    EXPECT_EQ(sample.energyMicrojoules, 0) << "it is counted from the first sample";
    // The kernel changes what the open file holds.
    for (const auto& [package, energy] : {std::pair("0", "121"), {"1", "225"}})
        std::ofstream(dir.path() / "sys/class/powercap" / (std::string("intel-rapl:") + package) / "energy_uj")
            << energy << '\n';
    EXPECT_EQ(reader.read().energyMicrojoules, 13);
}

TEST_F(Host, WhatIsMissingIsSaidOnceAndTheRestIsRead)
{
    HostReader reader(dir.path());
    EXPECT_THAT(reader.missing(), SizeIs(4));
    const HostSample sample = reader.read();
    EXPECT_FALSE(sample.residentBytes || sample.allTicks || sample.megahertz || sample.energyMicrojoules);
    EXPECT_GT(sample.time.count, 0);
}

TEST_F(Host, DamagedFilesAreNotRead)
{
    write("proc/self/statm", "what\n");
    write("proc/stat", "");
    HostReader reader(dir.path());
    const HostSample sample = reader.read();
    EXPECT_FALSE(sample.residentBytes || sample.allTicks);
}

TEST(HostProfiler, SamplesThisProcessUntilItIsStopped)
{
    const auto profiler = makeHostProfiler({base::fromMilliseconds(2), "/"});
    EXPECT_EQ(profiler->name(), "host");
    EXPECT_TRUE(profiler->availability().possible);
    trace::TraceBuilder builder;
    const base::Nanoseconds begin = base::monotonicNow();
    builder.head().originMonotonic = begin.count;
    auto session = profiler->start();
    ASSERT_TRUE(session.ok());
    while (base::monotonicNow() - begin < base::fromSeconds(1)) { // busy, so that CPU time is used
    }
    ASSERT_TRUE((*session)->stop(builder).ok());
    const base::Nanoseconds end = base::monotonicNow() - begin;
    const trace::Trace trace = builder.finish(false);
    auto series = values(trace);
    ASSERT_FALSE(series["resident memory B"].empty());
    EXPECT_GT(series["resident memory B"].front(), 100'000);
    EXPECT_FALSE(series["CPU use %"].empty());
    EXPECT_GE(trace.begin().count, 0);
    EXPECT_LE(trace.end(), end);
}

TEST(HostProfiler, WhatDoesNotFitIsCounted)
{
    HostOptions options;
    options.mostSamples = 1;
    trace::TraceBuilder builder;
    auto session = makeHostProfiler(options)->start();
    ASSERT_TRUE(session.ok());
    ASSERT_TRUE((*session)->stop(builder).ok()); // stop() takes the last sample
    std::int64_t lost = 0;
    for (const trace::Loss& loss : builder.head().losses)
        if (sentences::sentence(loss.reason).find("more than fit") != std::string::npos)
            lost += loss.count;
    EXPECT_GE(lost, 1);
}

TEST(HostProfiler, ASessionThatIsDroppedEndsItsThread)
{
    const auto profiler = makeHostProfiler({base::fromSeconds(3600), "/"});
    const base::Nanoseconds begin = base::monotonicNow();
    {
        const auto session = profiler->start();
        ASSERT_TRUE(session.ok());
    }
    EXPECT_LT(base::monotonicNow() - begin, base::fromSeconds(300)) << "it must not wait for the next sample";
}

} // namespace
} // namespace apertune::profilers
