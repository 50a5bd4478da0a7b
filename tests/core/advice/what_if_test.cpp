// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/what_if.h"
#include "core/advice/what_if_document.h"
#include "core/sentences/sentences.h"
#include "planted_device.h"
#include "tests/core/advice/host_trace.h"
#include "tests/core/analysis/small_trace.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace apertune::advice {
namespace {

using analysis::testing::SmallTrace;

std::vector<Change> changes(std::initializer_list<const char*> texts)
{
    std::vector<Change> all;
    for (const char* const text : texts) {
        auto change = parseChange(text);
        EXPECT_TRUE(change) << text;
        if (change)
            all.push_back(*change);
    }
    return all;
}

/// Eight passes of 100 µs: a convolution of 60, a normalisation of 20 that calls another operator, a pause of 10 and a
/// rectifier of 10.
trace::Trace hostPasses()
{
    testing::HostTrace t;
    for (int i = 0; i < 8; ++i) {
        const std::int64_t start = 100 * i;
        t.op("forward", start, start + 100);
        t.op("aten::conv2d", start, start + 60);
        t.op("aten::batch_norm", start + 60, start + 80);
        t.op("aten::native_batch_norm", start + 62, start + 79);
        t.op("aten::relu_", start + 90, start + 100);
    }
    return t.finish();
}

/// The saved share of a change of a host trace.
double savedOnHost(const char* change)
{
    const trace::Trace trace = hostPasses();
    const Facts facts(trace, {});
    const auto report = whatIf(facts, changes({change}));
    EXPECT_TRUE(report) << (report ? "" : sentences::describe(report.error()));
    return report ? report->together.saved : -1;
}

TEST(WhatIf, OperatorsOfAHostSaveTheirTime)
{
    EXPECT_NEAR(savedOnHost("operator:batch_norm=remove"), 0.2, 0.001);
    EXPECT_NEAR(savedOnHost("operator:aten::conv2d=0.5"), 0.3, 0.001);
    EXPECT_NEAR(savedOnHost("operator:conv2d=150%"), -0.3, 0.001);
    EXPECT_NEAR(savedOnHost("operator:/norm|relu/=0"), 0.3, 0.001) << "a nested match counts once";
    EXPECT_NEAR(savedOnHost("operator:/relu|conv/#2=0"), 0.1, 0.001) << "the second match of each pass";
    EXPECT_NEAR(savedOnHost("host=0.5"), 0.5, 0.001);
}

TEST(WhatIf, TogetherChangesOfDisjointPartsAddUp)
{
    const trace::Trace trace = hostPasses();
    const Facts facts(trace, {});
    const auto report = whatIf(facts, changes({"operator:conv2d=0.5", "operator:batch_norm=remove"}));
    ASSERT_TRUE(report);
    EXPECT_NEAR(report->effects[0].saved, 0.3, 0.001);
    EXPECT_NEAR(report->effects[1].saved, 0.2, 0.001);
    EXPECT_NEAR(report->together.saved, 0.5, 0.001);
    EXPECT_NEAR(report->after(report->together).value, 50e3, 500);
    EXPECT_EQ(report->effects[0].events, 1);
}

TEST(WhatIf, WhatTheRecorderAddedIsNotGained)
{
    trace::Trace trace = hostPasses();
    // Recording added 5 µs to each pass of five operators, 1 µs to each.
    trace.cost =
        trace::RecordingCost{{95e3, 95e3, 95e3, 0.95}, {100e3, 100e3, 100e3, 0.95}, {1.053, 1.04, 1.06, 0.95}, 8, 8};
    const Facts facts(trace, {});
    const auto report = whatIf(facts, changes({"operator:batch_norm=remove"}));
    ASSERT_TRUE(report);
    EXPECT_NEAR(report->together.saved, 18.0 / 95, 0.002) << "two operators went, with 18 of their 20 µs";
    EXPECT_TRUE(report->bare);
}

/// Ten iterations: a launch of 5 µs for each of four kernels of 10 µs, every 20 µs, then a wait.
trace::Trace launchBound()
{
    SmallTrace t;
    std::uint32_t correlation = 1;
    for (int i = 0; i < 10; ++i) {
        const std::int64_t start = 200 * i;
        for (int k = 0; k < 4; ++k, ++correlation) {
            t.op("aten::op", start + 30 * k, start + 30 * k + 28);
            t.call("cudaLaunchKernel", start + 30 * k + 20, start + 30 * k + 25, correlation);
            t.kernel(k == 0 ? "first" : "other", start + 30 * k + 25, start + 30 * k + 35, correlation);
        }
        t.call("cudaDeviceSynchronize", start + 120, start + 126);
        t.b.add(t.host, trace::EventKind::range, t.event("ProfilerStep#" + std::to_string(i), start, start + 150));
    }
    return t.finish();
}

TEST(WhatIf, AGraphRemovesTheHostsTimeBetweenLaunches)
{
    const trace::Trace trace = launchBound();
    const Facts facts(trace, {});
    ASSERT_TRUE(facts.replay);
    const auto report = whatIf(facts, changes({"graph", "kernel:first=remove", "host=0.5"}));
    ASSERT_TRUE(report);
    // The last kernel ended after 125 µs of 200. Launched as one, it ends after 25 + 4 · 10 and three short pauses.
    EXPECT_NEAR(report->effects[0].saved, (125.0 - 74) / 200, 0.02);
    EXPECT_NEAR(report->effects[1].saved, 5.0 / 200, 0.02) << "the kernel was hidden, its launch call was not";
    EXPECT_GT(report->effects[2].saved, 0.4);
    EXPECT_GE(report->together.saved, report->effects[2].saved - 0.02);
}

TEST(WhatIf, AFasterKernelThatTheHostHidesGainsNothing)
{
    const trace::Trace trace = launchBound();
    const Facts facts(trace, {});
    const auto report = whatIf(facts, changes({"kernel:first=0.5"}));
    ASSERT_TRUE(report);
    EXPECT_NEAR(report->together.saved, 0, 0.005);
    ASSERT_TRUE(report->together.onCriticalPath);
    EXPECT_LT(*report->together.onCriticalPath, 0.05);
}

/// Ten iterations of a device that is the limit: an upload of 40 µs, a kernel of 100 µs, and a wait.
trace::Trace copyBound()
{
    SmallTrace t;
    std::uint32_t correlation = 1;
    for (int i = 0; i < 10; ++i) {
        const std::int64_t start = 150 * i;
        t.call("cudaMemcpyAsync", start, start + 3, correlation);
        t.copy(trace::CopyDirection::hostToDevice, 400'000, start + 3, start + 43, correlation++);
        t.call("cudaLaunchKernel", start + 3, start + 6, correlation);
        t.kernel("work", start + 43, start + 143, correlation++);
        t.call("cudaDeviceSynchronize", start + 6, start + 145);
        t.b.add(t.host, trace::EventKind::range, t.event("ProfilerStep#" + std::to_string(i), start, start + 149));
    }
    return t.finish();
}

TEST(WhatIf, CopiesThatOverlapOrGoSaveTheirTime)
{
    const trace::Trace trace = copyBound();
    const Facts facts(trace, {});
    ASSERT_TRUE(facts.replay);
    const auto report = whatIf(facts, changes({"copies=remove", "copies=overlap"}));
    ASSERT_TRUE(report);
    EXPECT_NEAR(report->effects[0].saved, 40.0 / 150, 0.03);
    EXPECT_NEAR(report->effects[1].saved, 40.0 / 150, 0.05);
    EXPECT_EQ(report->effects[0].events, 1);
}

TEST(WhatIf, MoreStreamsHideWhatTheDeviceWaitedForAndNoMore)
{
    const trace::Trace trace = copyBound();
    const Facts facts(trace, {});
    const auto report = whatIf(facts, changes({"streams=2"}));
    ASSERT_TRUE(report);
    EXPECT_GT(report->together.saved, 0.1);
    EXPECT_LT(report->together.saved, 1 - 100.0 / 150 + 0.02) << "nobody knows how much of the device a kernel leaves";
}

double shareOf(const Verdict& verdict, Cause cause)
{
    for (const CauseShare& part : verdict.parts)
        if (part.cause == cause)
            return part.share;
    return 0;
}

TEST(WhatIf, TheVerdictAfterIsThatOfTheSimulatedTrace)
{
    const trace::Trace trace = launchBound();
    const Facts facts(trace, {});
    const auto report = whatIf(facts, changes({"graph"}));
    ASSERT_TRUE(report);
    EXPECT_GT(shareOf(report->verdict, Cause::launch), 0.2);
    EXPECT_LT(shareOf(report->verdictAfter, Cause::launch), shareOf(report->verdict, Cause::launch) / 2);
}

TEST(WhatIf, ChangesThatDoNotFitSayWhatFits)
{
    for (const char* const text :
         {"", "faster", "kernel=2", "kernel:=2", "operator:x=-1", "operator:x=nan", "copies=hide", "streams=0",
          "graph=2", "threads=many", "switch:freeze=maybe", "host", "layer:x="})
        EXPECT_FALSE(parseChange(text)) << text;
    const auto change = parseChange("operator:/a=b:c/#12=25%");
    ASSERT_TRUE(change);
    EXPECT_EQ(change->pattern, "/a=b:c/");
    EXPECT_EQ(change->occurrence, 12);
    EXPECT_DOUBLE_EQ(change->factor, 0.25);

    const trace::Trace trace = hostPasses();
    const Facts facts(trace, {});
    const auto none = whatIf(facts, changes({"operator:gemm=0.5"}));
    ASSERT_FALSE(none);
    EXPECT_NE(sentences::describe(none.error()).find("aten::conv2d"), std::string::npos);
    EXPECT_FALSE(whatIf(facts, changes({"operator:/(/=0.5"})));
    EXPECT_FALSE(whatIf(facts, changes({"graph"}))) << "there is no device";
    EXPECT_FALSE(whatIf(facts, changes({"threads=2"}))) << "nobody knows how many threads it had";
}

TEST(WhatIf, OneIterationHasNoBand)
{
    testing::HostTrace t;
    t.op("forward", 0, 2000);
    for (int i = 0; i < 20; ++i)
        t.op("aten::conv2d", 100 * i, 100 * i + 60);
    const trace::Trace trace = t.finish();
    const Facts facts(trace, {});
    const auto report = whatIf(facts, changes({"operator:conv2d=0.5"}));
    ASSERT_TRUE(report) << sentences::describe(report.error());
    EXPECT_FALSE(report->together.bandKnown);
    EXPECT_EQ(report->after(report->together).confidence, 0);
    const base::Json document = whatIfDocument(changes({"operator:conv2d=0.5"}), *report);
    EXPECT_TRUE(document["together"]["saved"]["lo"].is_null());
    EXPECT_TRUE(document["before_ms"]["hi"].is_null());
}

TEST(WhatIf, ThreadsHaveTheRangeOfBothEstimates)
{
    const trace::Trace trace = hostPasses();
    Context context;
    context.config = model::Config{};
    context.config->threads = 2;
    context.device = model::Device{};
    context.device->threads = 4;
    const Facts facts(trace, context);
    const auto report = whatIf(facts, changes({"threads=4"}));
    ASSERT_TRUE(report) << sentences::describe(report.error());
    EXPECT_LT(report->together.band.lo, report->together.band.hi);
    EXPECT_LE(report->together.band.lo, report->together.saved);
    EXPECT_GE(report->together.band.hi, report->together.saved);
    for (const char* const useless : {"threads=2", "threads=64"}) {
        const auto refused = whatIf(facts, changes({useless}));
        ASSERT_FALSE(refused) << useless;
        EXPECT_EQ(refused.error().code, base::ErrorCode::invalidArgument);
    }
}

TEST(WhatIf, AFasterHostNeverTakesLessThanTheDevicesOwnWork)
{
    // The device works for 88 µs of the 200 of each iteration, whose ends shift against each other.
    SmallTrace t;
    std::uint32_t correlation = 1;
    for (int i = 0; i < 12; ++i) {
        const std::int64_t start = 200 * i;
        const std::int64_t late = 15 * (i % 3);
        for (int k = 0; k < 4; ++k, ++correlation) {
            t.op("aten::op", start + late + 30 * k, start + late + 30 * k + 28);
            t.call("cudaLaunchKernel", start + late + 30 * k + 20, start + late + 30 * k + 25, correlation);
            t.kernel("work", start + late + 30 * k + 25, start + late + 30 * k + 47, correlation);
        }
        t.call("cudaDeviceSynchronize", start + late + 120, start + late + 138);
        t.b.add(t.host, trace::EventKind::range, t.event("ProfilerStep#" + std::to_string(i), start, start + 190));
    }
    const trace::Trace trace = t.finish();
    const Facts facts(trace, {});
    for (const char* const change : {"host=remove", "host=0.1"}) {
        const auto report = whatIf(facts, changes({change}));
        ASSERT_TRUE(report) << sentences::describe(report.error());
        EXPECT_GE(report->together.band.lo, 0) << change;
        EXPECT_LE(report->together.band.hi, 1 - 88.0 / 201) << change;
    }
}

} // namespace
} // namespace apertune::advice
