// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/nvml/nvml_profiler.h"

#include "core/base/clock.h"

#include <gmock/gmock.h>

#include <atomic>
#include <map>

namespace apertune::profilers {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

struct FakeGpu
{
    std::atomic<int> samples = 0;
    std::atomic<unsigned long long> reasons = 1; // idle
    int initStatus = 0;
    int handleStatus = 0;
    std::string asked;
} g_gpu;

NvmlTable table()
{
    NvmlTable t;
    t.init = [] { return g_gpu.initStatus; };
    t.errorString = [](int) { return "Driver/library version mismatch"; };
    t.deviceGetHandleByUUID = [](const char* uuid, NvmlTable::Handle* handle) {
        g_gpu.asked = uuid;
        *handle = &g_gpu;
        return g_gpu.handleStatus;
    };
    t.deviceGetPowerUsage = [](NvmlTable::Handle, unsigned* value) {
        *value = 250'000 + static_cast<unsigned>(g_gpu.samples++);
        return 0;
    };
    t.deviceGetClockInfo = [](NvmlTable::Handle, int which, unsigned* value) {
        *value = which == NvmlTable::kClockSm ? 1980 : 3201;
        return 0;
    };
    t.deviceGetTemperature = [](NvmlTable::Handle, int, unsigned*) { return 3; }; // not supported
    t.deviceGetTotalEnergyConsumption = [](NvmlTable::Handle, unsigned long long* value) {
        *value = 5'000'000 + static_cast<unsigned long long>(g_gpu.samples.load());
        return 0;
    };
    t.deviceGetCurrentClocksEventReasons = [](NvmlTable::Handle, unsigned long long* value) {
        *value = g_gpu.reasons;
        return 0;
    };
    return t;
}

struct Nvml : ::testing::Test
{
    NvmlOptions options{"GPU-1234", 2, base::fromMilliseconds(2)};
    trace::TraceBuilder builder;

    Nvml()
    {
        g_gpu.samples = 0;
        g_gpu.reasons = 1;
        g_gpu.initStatus = 0;
        g_gpu.handleStatus = 0;
        builder.head().originMonotonic = base::monotonicNow().count;
    }

    trace::Trace recorded()
    {
        auto session = makeNvmlProfiler(options, table())->start();
        EXPECT_TRUE(session.ok());
        const base::Nanoseconds end = base::monotonicNow() + base::fromSeconds(10);
        while (g_gpu.samples < 4 && base::monotonicNow() < end) {
        }
        EXPECT_TRUE((*session)->stop(builder).ok());
        return builder.finish(false);
    }
};

TEST_F(Nvml, WhatTheDeviceOffersBecomesCounters)
{
    const trace::Trace trace = recorded();
    EXPECT_EQ(g_gpu.asked, "GPU-1234");
    std::map<std::string, std::vector<std::int64_t>> series;
    for (const trace::Series& s : trace.series) {
        EXPECT_EQ(s.kind, trace::EventKind::counter);
        EXPECT_EQ(trace.track(s).device, 2);
        auto& values = series[trace.track(s).label + " " + trace.track(s).unit];
        for (std::size_t i = 0; i < s.events.size(); ++i)
            values.push_back(s.events.value.empty() ? 0 : s.events.value[i]);
        EXPECT_GE(s.events.start.front(), 0);
    }
    ASSERT_THAT(series, SizeIs(4)) << "no temperature, no memory: they are not offered";
    EXPECT_GE(series["GPU power mW"].size(), 4u);
    EXPECT_EQ(series["GPU power mW"].front(), 250'000);
    EXPECT_EQ(series["SM clock MHz"].front(), 1980);
    EXPECT_EQ(series["memory clock MHz"].front(), 3201);
    EXPECT_EQ(series["GPU energy mJ"].front(), 0) << "since the recording began";
    EXPECT_EQ(series["GPU energy mJ"].back(), static_cast<std::int64_t>(series["GPU energy mJ"].size()) - 1);
    EXPECT_TRUE(trace.losses.empty()) << "idle is no throttling";
}

TEST_F(Nvml, AClockThatWasHeldBackIsAWarning)
{
    g_gpu.reasons = 0x4 | 0x40;
    const trace::Trace trace = recorded();
    ASSERT_THAT(trace.losses, SizeIs(1));
    EXPECT_EQ(trace.losses[0].severity, trace::Severity::warning);
    EXPECT_THAT(trace.losses[0].reason, HasSubstr("power cap, heat, by hardware"));
}

TEST_F(Nvml, AnUnusableDriverIsExplained)
{
    const auto absent = makeNvmlProfiler(options, std::nullopt);
    EXPECT_FALSE(absent->availability().possible);
    EXPECT_THAT(absent->availability().reason, HasSubstr("no NVIDIA driver"));
    EXPECT_FALSE(absent->start().ok());

    g_gpu.initStatus = 18;
    EXPECT_THAT(makeNvmlProfiler(options, table())->availability().reason, HasSubstr("mismatch"));
    g_gpu.initStatus = 0;
    g_gpu.handleStatus = 6;
    const auto hidden = makeNvmlProfiler(options, table())->start();
    ASSERT_FALSE(hidden.ok());
    EXPECT_EQ(hidden.error().code, base::ErrorCode::unsupported);
    EXPECT_FALSE(hidden.error().hint.empty());
}

TEST_F(Nvml, ASessionThatIsDroppedEndsItsThread)
{
    options.period = base::fromSeconds(100);
    const base::Nanoseconds begin = base::monotonicNow();
    {
        const auto session = makeNvmlProfiler(options, table())->start();
        ASSERT_TRUE(session.ok());
    }
    EXPECT_LT(base::monotonicNow() - begin, base::fromSeconds(20));
}

} // namespace
} // namespace apertune::profilers
