// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "core/sentences/sentences.h"
#include "profilers/nvml/nvml_profiler.h"
#include "tests/core/base/fake_nvml.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <thread>

namespace apertune::profilers {
namespace {

using base::NvmlApi;
using ::testing::HasSubstr;
using ::testing::SizeIs;

struct Nvml : ::testing::Test
{
    NvmlOptions options{"GPU-1234", 2, base::fromMilliseconds(2)};
    trace::TraceBuilder builder;
    base::test::FakeNvml nvml;

    Nvml()
    {
        nvml.gpus.emplace_back("NVIDIA L4", "GPU-0000");
        nvml.gpus.emplace_back("NVIDIA H200", "GPU-1234");
        builder.head().originMonotonic = base::monotonicNow().count;
    }

    trace::Trace recorded()
    {
        auto session = makeNvmlProfiler(options, &nvml.api)->start();
        EXPECT_TRUE(session.ok());
        const base::Nanoseconds end = base::monotonicNow() + base::fromSeconds(120);
        while (nvml.gpus[1].samples < 4 && base::monotonicNow() < end) {
        }
        EXPECT_TRUE((*session)->stop(builder).ok());
        return builder.finish(false);
    }
};

TEST_F(Nvml, WhatTheDeviceOffersBecomesCounters)
{
    const trace::Trace trace = recorded();
    EXPECT_EQ(nvml.gpus[0].samples, 0u) << "not the GPU that was asked for";
    std::map<std::string, std::vector<std::int64_t>> series;
    for (const trace::Series& s : trace.series) {
        EXPECT_EQ(trace.track(s).device, 2);
        if (s.kind != trace::EventKind::counter)
            continue; // this series tells what held the clock
        auto& values = series[trace.track(s).label + " " + trace.track(s).unit];
        for (std::size_t i = 0; i < s.events.size(); ++i)
            values.push_back(s.events.value.empty() ? 0 : s.events.value[i]);
        EXPECT_GE(s.events.start.front(), 0);
    }
    ASSERT_THAT(series, SizeIs(4)) << "no temperature, no memory: they are not offered";
    EXPECT_GE(series["GPU power mW"].size(), 4u);
    EXPECT_EQ(series["GPU power mW"].front(), 250'000);
    EXPECT_EQ(series["SM clock MHz"].front(), 345);
    EXPECT_EQ(series["memory clock MHz"].front(), 3201);
    EXPECT_EQ(series["GPU energy mJ"].front(), 0) << "since the recording began";
    EXPECT_EQ(series["GPU energy mJ"].back(), static_cast<std::int64_t>(series["GPU energy mJ"].size()) - 1);
    EXPECT_TRUE(trace.losses.empty()) << "idle is no throttling";
}

TEST_F(Nvml, PowerIsThatOfTheInstantWhereTheDriverTellsIt)
{
    nvml.api.deviceGetFieldValues = [](NvmlApi::Handle handle, int count, NvmlApi::Field* fields) {
        EXPECT_EQ(count, 1);
        EXPECT_EQ(fields->id, NvmlApi::kPowerInstant);
        ++static_cast<base::test::FakeGpu*>(handle)->samples;
        fields->valueType = NvmlApi::kUnsignedInt;
        fields->word = 640'000;
        return 0;
    };
    const trace::Trace trace = recorded();
    const auto power = std::find_if(trace.series.begin(), trace.series.end(),
                                    [&](const trace::Series& s) { return trace.track(s).label == "GPU power"; });
    ASSERT_NE(power, trace.series.end());
    EXPECT_EQ(power->events.value.front(), 640'000);
}

TEST_F(Nvml, AClockThatWasHeldBackIsAWarning)
{
    nvml.gpus[1].reasons = 0x4 | 0x40;
    const trace::Trace trace = recorded();
    ASSERT_THAT(trace.losses, SizeIs(1));
    EXPECT_EQ(trace.losses[0].severity, trace::LossSeverity::warning);
    EXPECT_THAT(sentences::sentence(trace.losses[0].reason), HasSubstr("power cap, heat, by hardware"));
}

TEST_F(Nvml, WhatHeldTheClockIsATrackOfStates)
{
    const auto wait = [this](std::uint64_t more) {
        const std::uint64_t wanted = nvml.gpus[1].samples + more;
        const base::Nanoseconds end = base::monotonicNow() + base::fromSeconds(120);
        while (nvml.gpus[1].samples < wanted && base::monotonicNow() < end)
            std::this_thread::yield();
    };
    auto session = makeNvmlProfiler(options, &nvml.api)->start();
    ASSERT_TRUE(session.ok());
    for (const unsigned long long reasons : {0x1ULL, 0x4ULL, 0x4ULL | 0x40ULL, 0ULL, 0x2ULL}) {
        nvml.gpus[1].reasons = reasons;
        wait(3); // the one that is under way, and two that read this
    }
    ASSERT_TRUE((*session)->stop(builder).ok());
    const trace::Trace trace = builder.finish(false);
    std::vector<std::string> states;
    for (const trace::Series& s : trace.series) {
        if (s.kind != trace::EventKind::deviceRange)
            continue;
        EXPECT_EQ(trace.track(s).label, "clock held by");
        EXPECT_EQ(trace.track(s).device, 2);
        for (std::size_t i = 0; i < s.events.size(); ++i) {
            states.emplace_back(trace.nameOf(s, i));
            EXPECT_GT(s.events.duration[i], 0);
            EXPECT_TRUE(i == 0 || s.events.start[i] >= s.events.end(i - 1)) << "one state at a time";
        }
    }
    EXPECT_THAT(states,
                ::testing::ElementsAre("idle", "power cap", "power cap, heat, by hardware", "application clocks"))
        << "and none while nothing held it";
    ASSERT_THAT(trace.losses, SizeIs(2));
}

TEST_F(Nvml, WhatDoesNotFitIsCounted)
{
    options.mostSamples = 1;
    auto session = makeNvmlProfiler(options, &nvml.api)->start();
    ASSERT_TRUE(session.ok());
    ASSERT_TRUE((*session)->stop(builder).ok()); // stop() takes the last sample
    const trace::Trace trace = builder.finish(false);
    for (const trace::Series& s : trace.series)
        EXPECT_EQ(s.events.size(), 1u);
    ASSERT_THAT(trace.losses, ::testing::Not(::testing::IsEmpty()));
    EXPECT_THAT(sentences::sentence(trace.losses.back().reason), HasSubstr("more than fit"));
    EXPECT_GE(trace.losses.back().count, 1);
}

TEST_F(Nvml, AnUnusableDriverIsExplained)
{
    const auto absent = makeNvmlProfiler(options, nullptr);
    EXPECT_FALSE(absent->availability().possible);
    EXPECT_THAT(sentences::sentence(absent->availability().reason), HasSubstr("no NVIDIA driver"));
    EXPECT_FALSE(absent->start().ok());

    nvml.initStatus = base::NvmlApi::kLibraryMismatch;
    EXPECT_THAT(sentences::sentence(makeNvmlProfiler(options, &nvml.api)->availability().reason),
                HasSubstr("mismatch"));
    nvml.initStatus = 0;
    nvml.gpus.clear();
    const auto hidden = makeNvmlProfiler(options, &nvml.api)->start();
    ASSERT_FALSE(hidden.ok());
    EXPECT_EQ(hidden.error().code, base::ErrorCode::unsupported);
    EXPECT_FALSE(hidden.error().hint.empty());
}

TEST_F(Nvml, ASessionThatIsDroppedEndsItsThread)
{
    options.period = base::fromSeconds(3600);
    const base::Nanoseconds begin = base::monotonicNow();
    {
        const auto session = makeNvmlProfiler(options, &nvml.api)->start();
        ASSERT_TRUE(session.ok());
    }
    EXPECT_LT(base::monotonicNow() - begin, base::fromSeconds(300));
}

} // namespace
} // namespace apertune::profilers
