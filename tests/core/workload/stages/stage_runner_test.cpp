// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sentences/sentences.h"
#include "core/workload/stages/pipeline_summary.h"
#include "core/workload/stages/stage_runner.h"

#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <set>
#include <thread>

namespace apertune::workload {
namespace {

using base::ErrorCode;
using base::Status;

/// Counts what is done and where, fails and stops where a test says.
class Recorder final : public StageWork
{
public:
    Status decode(int worker, const PipelineItem& item) override { return note(Stage::decode, worker, item.image); }
    Status preprocess(int worker, const PipelineItem& item) override
    {
        return note(Stage::preprocess, worker, item.image);
    }
    Status copyIn(const std::vector<PipelineItem>& batch) override
    {
        return note(Stage::copyIn, 0, batch.front().pass);
    }
    Status infer(const std::vector<PipelineItem>& batch) override { return note(Stage::infer, 0, batch.front().pass); }
    Status copyBack(const std::vector<PipelineItem>& batch) override
    {
        return note(Stage::copyBack, 0, batch.front().pass);
    }
    Status postprocess(const PipelineItem& item, int place) override
    {
        const Status status = note(Stage::postprocess, 0, item.image);
        const std::lock_guard lock(mutex);
        places.emplace(item.pass, place);
        return status;
    }

    Status note(Stage stage, int worker, std::int64_t which)
    {
        const std::lock_guard lock(mutex);
        threads[stage].insert(std::this_thread::get_id());
        workers.insert(worker);
        if (stage == failing && which == failingAt)
            return base::plainError(ErrorCode::modelThrew, "It was told to fail.");
        if (stage == stopping && which == 3)
            stop = true;
        ++count[stage];
        return {};
    }

    std::mutex mutex;
    std::map<Stage, std::set<std::thread::id>> threads;
    std::map<Stage, int> count;
    std::multimap<std::int64_t, int> places;
    std::set<int> workers;
    std::optional<Stage> failing, stopping;
    std::int64_t failingAt = 5;
    std::atomic<bool> stop = false;
};

PipelinePlan shortPlan()
{
    PipelinePlan plan;
    plan.decodeThreads = 3;
    plan.duration = base::fromSeconds(0.1);
    return plan;
}

TEST(Runner, GivesEveryImageEveryStageInOrder)
{
    for (const int prefetch : {0, 1, 4}) {
        Recorder work;
        PipelinePlan plan = shortPlan();
        plan.prefetch = prefetch;
        double part = 0;
        const auto items = runPlan(plan, 4, work, work.stop, [&](double p) { part = p; });
        ASSERT_TRUE(items) << sentences::describe(items.error());
        ASSERT_FALSE(items->empty());
        EXPECT_GT(part, 0);
        std::set<std::int64_t> images;
        for (const PipelineItem& item : *items) {
            images.insert(item.image);
            base::Nanoseconds last = item.due;
            for (const Stage stage : kStages) {
                EXPECT_LE(last, item[stage].begin) << toString(stage);
                EXPECT_LE(item[stage].begin, item[stage].end);
                last = item[stage].end;
            }
            EXPECT_GE(item.unaccounted().count, 0);
        }
        EXPECT_EQ(images.size(), items->size()) << "each once";
        EXPECT_EQ(*images.rbegin() + 1, static_cast<std::int64_t>(images.size())) << "and none is missing";
        for (const Stage stage : {Stage::decode, Stage::preprocess, Stage::postprocess})
            EXPECT_EQ(work.count[stage], static_cast<int>(items->size()));
        EXPECT_EQ(work.count[Stage::infer], work.count[Stage::copyIn]);
        EXPECT_EQ(work.threads[Stage::infer], (std::set{std::this_thread::get_id()})) << "backends know one thread";
        EXPECT_EQ(work.threads[Stage::postprocess].size(), 1U);
        EXPECT_EQ(work.threads[Stage::copyIn], work.threads[Stage::infer]);
        for (const auto& [pass, place] : work.places)
            EXPECT_LT(place, 4);
        EXPECT_EQ(work.places.count(0), static_cast<std::size_t>(items->front().inPass));
    }
}

TEST(Runner, EndsWithTheFailureOfAnyStage)
{
    for (const Stage stage : kStages) {
        Recorder work;
        work.failing = stage;
        PipelinePlan plan = shortPlan();
        plan.duration = base::fromSeconds(60); // it does not sit the minute out
        const auto items = runPlan(plan, 2, work, work.stop, {});
        ASSERT_FALSE(items) << toString(stage);
        EXPECT_EQ(items.error().code, ErrorCode::modelThrew);
    }
}

TEST(Runner, CanBeStopped)
{
    for (const Stage stage : {Stage::decode, Stage::infer, Stage::postprocess}) {
        Recorder work;
        work.stopping = stage;
        PipelinePlan plan = shortPlan();
        plan.duration = base::fromSeconds(60);
        const auto items = runPlan(plan, 2, work, work.stop, {});
        ASSERT_FALSE(items);
        EXPECT_EQ(items.error().code, ErrorCode::cancelled);
    }
    Recorder waiting;
    waiting.stop = true;
    PipelinePlan slow = shortPlan();
    slow.rate = 1e-3; // nothing comes for a quarter of an hour
    slow.duration = base::fromSeconds(600);
    EXPECT_EQ(runPlan(slow, 1, waiting, waiting.stop, {}).error().code, ErrorCode::cancelled);
}

TEST(Runner, OfAnEmptyRunSaysSo)
{
    Recorder work;
    PipelinePlan plan = shortPlan();
    plan.rate = 1e-6;
    const auto items = runPlan(plan, 1, work, work.stop, {});
    ASSERT_TRUE(items) << sentences::describe(items.error());
    EXPECT_TRUE(items->empty());
}

} // namespace
} // namespace apertune::workload
