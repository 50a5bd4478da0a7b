// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sentences/sentences.h"
#include "core/workload/stages/pipeline_summary.h"
#include "tests/core/workload/stages/virtual_run.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace apertune::workload {
namespace {

using base::Nanoseconds;
using testing::Costs;
using testing::randomCosts;
using testing::reference;
using testing::runVirtually;

/// decode, preprocess, copy, infer, copy back, postprocess
Costs fixed(std::array<std::int64_t, kStageCount> times)
{
    return {[times](Stage stage, std::int64_t) { return Nanoseconds{times[static_cast<std::size_t>(stage)]}; }};
}

std::vector<Nanoseconds> arrivalsOf(const std::vector<PipelineItem>& items)
{
    std::vector<Nanoseconds> due(items.size());
    for (const PipelineItem& item : items)
        due[static_cast<std::size_t>(item.image)] = item.due;
    return due;
}

TEST(Flow, GivesEveryImageTheTimesOfAReferenceThatSharesNoCodeWithIt)
{
    int checked = 0;
    for (const int threads : {1, 2, 5})
        for (const int prefetch : {0, 1, 3})
            for (const int batch : {1, 4})
                for (const int queueBatch : {0, 1})
                    for (const std::int64_t wait : {-1, 0, 7000})
                        for (const double rate : {0.0, 8e4, 3e5})
                            for (const std::uint64_t seed : {1U, 2U}) {
                                PipelinePlan plan;
                                plan.decodeThreads = threads;
                                plan.prefetch = prefetch;
                                plan.queueBatch = queueBatch;
                                plan.rate = rate;
                                plan.seed = seed;
                                if (wait >= 0)
                                    plan.queueWait = Nanoseconds{wait};
                                // Each stage is the slowest somewhere.
                                std::array<std::int64_t, kStageCount> most{7000, 3000, 900, 9000, 600, 4000};
                                most[static_cast<std::size_t>(checked) % kStageCount] *= 5;
                                const Costs costs = randomCosts(seed, most);
                                ASSERT_TRUE(check(plan, batch));
                                const auto items = runVirtually(plan, batch, costs, 60);
                                ASSERT_EQ(items.size(), 60U) << "all have their answer";
                                const auto expected = reference(
                                    plan, batch, costs, 60, rate > 0 ? arrivalsOf(items) : std::vector<Nanoseconds>{});
                                ASSERT_EQ(expected.size(), 60U);
                                for (std::size_t i = 0; i < items.size(); ++i) {
                                    ASSERT_EQ(items[i].image, expected[i].image) << toJson(plan);
                                    ASSERT_EQ(items[i].pass, expected[i].pass);
                                    ASSERT_EQ(items[i].inPass, expected[i].inPass);
                                    ASSERT_EQ(items[i].due.count, expected[i].due.count);
                                    for (const Stage stage : kStages) {
                                        ASSERT_EQ(items[i][stage].begin.count, expected[i][stage].begin.count)
                                            << toJson(plan) << " " << toString(stage) << " of " << i;
                                        ASSERT_EQ(items[i][stage].end.count, expected[i][stage].end.count);
                                    }
                                    ASSERT_EQ(items[i].unaccounted().count, 0)
                                        << "stages and waits add up to the latency";
                                }
                                ++checked;
                            }
    EXPECT_EQ(checked, 648);
}

TEST(Flow, WithoutPrefetchLetsTheStagesTakeTurns)
{
    PipelinePlan plan;
    plan.prefetch = 0;
    const auto items = runVirtually(plan, 1, fixed({10, 20, 3, 40, 5, 7}), 10);
    for (std::size_t i = 0; i < items.size(); ++i) {
        EXPECT_EQ(items[i].latency().count, 85);
        // The next is decoded when the device has answered: only postprocessing overlaps.
        EXPECT_EQ(items[i].due.count, static_cast<std::int64_t>(i) * 78);
    }
}

TEST(Flow, WithPrefetchIsAsFastAsItsSlowestServer)
{
    PipelinePlan plan;
    plan.prefetch = 2;
    plan.decodeThreads = 2;
    const auto slowDevice = runVirtually(plan, 2, fixed({10, 10, 5, 100, 5, 1}), 80);
    EXPECT_EQ(slowDevice.back().end() - slowDevice[slowDevice.size() - 3].end(), (Nanoseconds{110})) << "a pass";
    const auto slowHost = runVirtually(plan, 2, fixed({100, 100, 5, 20, 5, 1}), 80);
    EXPECT_EQ(slowHost.back().end() - slowHost[slowHost.size() - 3].end(), (Nanoseconds{200}))
        << "two threads, two images";
    const PipelineSummary device = summarize(plan, slowDevice);
    EXPECT_EQ(device.bound, Stage::infer);
    EXPECT_FALSE(device.starved);
    EXPECT_GT(device.busy[1], 0.99);
    EXPECT_NEAR(device.perSecond.value, 2 / 110e-9, 2 / 110e-9 * 0.02);
    const PipelineSummary host = summarize(plan, slowHost);
    EXPECT_TRUE(serverOf(host.bound) == Server::host);
    EXPECT_GT(host.busy[0], 0.97);
}

TEST(Flow, HoldsTheBeginBackWhenTheEndIsSlow)
{
    PipelinePlan plan;
    const auto items = runVirtually(plan, 2, fixed({1, 1, 1, 1, 1, 500}), 60);
    const PipelineSummary summary = summarize(plan, items);
    EXPECT_EQ(summary.bound, Stage::postprocess);
    for (const PipelineItem& item : items)
        EXPECT_LE(item.waitedToAnswer().count, 500 * 6) << "two batches wait, one is out, one in the device";
}

TEST(Flow, GivesNoSlotTwice)
{
    PipelinePlan plan;
    plan.decodeThreads = 4;
    plan.prefetch = 3;
    const auto items = runVirtually(plan, 4, randomCosts(5, {900, 200, 30, 500, 10, 80}), 200);
    for (const PipelineItem& a : items)
        for (const PipelineItem& b : items)
            if (a.image < b.image && a.slot == b.slot) {
                EXPECT_LE(a[Stage::copyIn].end, b[Stage::decode].begin) << a.image << " and " << b.image;
            }
    std::set<int> used;
    for (const PipelineItem& item : items)
        used.insert(item.slot);
    EXPECT_LE(*used.rbegin(), plan.slots(4) - 1);
}

TEST(Flow, LetsAnImageGoAloneWhenItHasWaitedLongEnough)
{
    PipelinePlan plan;
    plan.rate = 1e6;
    plan.queueWait = Nanoseconds{50};
    const auto items = runVirtually(plan, 8, fixed({1, 1, 1, 10, 1, 1}), 40);
    int alone = 0;
    for (const PipelineItem& item : items) {
        alone += item.inPass == 1;
        EXPECT_LE(item.waitedForBatch().count, 50 + 12) << "its patience, and the pass that was running";
    }
    EXPECT_GT(alone, 20);
    EXPECT_TRUE(summarize(plan, items).starved) << "images come too slowly for any stage to be busy";
}

TEST(PipelineSummary, AddsUpToTheMeanLatency)
{
    PipelinePlan plan;
    plan.decodeThreads = 2;
    const auto items = runVirtually(plan, 4, randomCosts(9, {900, 200, 30, 2500, 10, 80}), 300);
    const PipelineSummary s = summarize(plan, items);
    double sum = s.waits.beginNs + s.waits.batchNs + s.waits.answerNs + s.unaccountedNs;
    for (const StageFigure& stage : s.stages)
        sum += stage.meanNs;
    EXPECT_NEAR(sum, s.meanLatencyNs, 1e-6 * s.meanLatencyNs);
    EXPECT_EQ(s.unaccountedNs, 0);
    EXPECT_EQ(s.images + s.filling, 300);
    EXPECT_GT(s.images, 200);
    EXPECT_EQ(s.meanBatch, 4);
    for (const StageFigure& stage : s.stages) {
        EXPECT_LE(stage.perImageNs.lo, stage.perImageNs.value);
        EXPECT_GE(stage.perImageNs.hi, stage.perImageNs.value);
        EXPECT_EQ(stage.perImageNs.confidence, 0.95);
    }
}

TEST(PipelineSummary, TellsWhatHappenedBetweenStages)
{
    PipelineItem item;
    std::int64_t time = 100;
    item.due = {90};
    item.inPass = 1;
    item.pass = 0;
    for (StageSpan& span : item.stages) {
        span = {{time}, {time + 10}};
        time += 13; // 3 after each: two between stages of one server are nobody's
    }
    // decode|3|preprocess wait 3 copy|3|infer|3|copy back wait 3 postprocess
    EXPECT_EQ(item.unaccounted().count, 9);
    const PipelineSummary s = summarize({}, std::vector<PipelineItem>{item});
    EXPECT_EQ(s.unaccountedNs, 9);
    EXPECT_NEAR(s.mostUnaccounted, 9.0 / 85.0, 1e-12);
}

TEST(PipelineSummary, ComesBackFromItsJson)
{
    PipelinePlan plan;
    const auto items = runVirtually(plan, 2, randomCosts(3, {90, 20, 3, 250, 1, 8}), 90);
    const PipelineSummary s = summarize(plan, items);
    const auto read = pipelineSummaryFromJson(toJson(s));
    ASSERT_TRUE(read) << sentences::describe(read.error());
    const auto text = [](const PipelineSummary& of) { return toJson(of); };
    const auto again = text(*read);
    EXPECT_EQ(again["bound"], text(s)["bound"]);
    EXPECT_EQ(again["images"], text(s)["images"]);
    EXPECT_NEAR(read->meanLatencyNs, s.meanLatencyNs, 1e-6);
    for (const Stage stage : kStages)
        EXPECT_NEAR((*read)[stage].perImageNs.value, s[stage].perImageNs.value, 1e-6);
    EXPECT_FALSE(pipelineSummaryFromJson(base::Json::object()));
}

} // namespace
} // namespace apertune::workload
