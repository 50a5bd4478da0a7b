// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/sentences/sentences.h"
#include "tests/core/interchange/trace_text.h"

#include <gtest/gtest.h>

#include <map>

using namespace apertune;
using namespace apertune::trace;
using interchange::test::realTraces;

// The folder that APERTUNE_TRACES names holds recordings of torch.profiler; none is part of the project.

TEST(RealTraces, AreImportedWithoutLoss)
{
    if (realTraces().empty())
        GTEST_SKIP() << "APERTUNE_TRACES names no folder with traces";
    for (const auto& file : realTraces()) {
        SCOPED_TRACE(file);
        const auto trace = interchange::importKineto(file);
        ASSERT_TRUE(trace) << sentences::describe(trace.error());
        EXPECT_EQ(trace->source, "kineto");
        for (const trace::Loss& loss : trace->losses)
            EXPECT_EQ(loss.severity, LossSeverity::notice) << sentences::sentence(loss.reason);
        EXPECT_FALSE(trace->devices.empty());
        EXPECT_GT(trace->originEpoch, 1'600'000'000'000'000'000);
        EXPECT_EQ(trace->begin().count, 0);
        for (const trace::Track& track : trace->tracks)
            EXPECT_FALSE(track.label.empty());
    }
}

TEST(RealTraces, JoinTheirDeviceWorkWithTheCallsThatLaunchedIt)
{
    if (realTraces().empty())
        GTEST_SKIP() << "APERTUNE_TRACES names no folder with traces";
    for (const auto& file : realTraces()) {
        SCOPED_TRACE(file);
        const auto trace = interchange::importKineto(file);
        ASSERT_TRUE(trace);
        std::map<std::uint32_t, std::int64_t> calls;
        for (const trace::Series& series : trace->series)
            if (series.kind == trace::EventKind::runtimeCall || series.kind == trace::EventKind::driverCall)
                for (std::size_t i = 0; i < series.events.size(); ++i)
                    calls[series.events.at(i).correlation] = series.events.start[i];
        std::size_t work = 0, joined = 0, shaped = 0, kernels = 0;
        for (const trace::Series& series : trace->series) {
            if (!trace::isDeviceWork(series.kind))
                continue;
            EXPECT_EQ(trace->track(series).type, trace::TrackType::stream);
            for (std::size_t i = 0; i < series.events.size(); ++i) {
                const trace::Event event = series.events.at(i);
                ++work;
                joined += calls.contains(event.correlation);
                kernels += series.kind == trace::EventKind::kernel;
                shaped += series.kind == trace::EventKind::kernel && trace->details.kernels[event.detail].grid[0] > 0;
                if (series.kind == trace::EventKind::copy) {
                    EXPECT_NE(trace->details.copies[event.detail].direction, trace::CopyDirection::unknown);
                    EXPECT_GT(event.value, 0);
                }
            }
        }
        EXPECT_GE(joined * 100, work * 95);
        EXPECT_EQ(shaped, kernels);
    }
}
