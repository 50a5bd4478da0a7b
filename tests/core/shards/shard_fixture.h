// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sentences/sentences.h"
#include "core/shards/merge.h"
#include "core/shards/shard_plan.h"
#include "core/shards/shard_run.h"
#include "core/shards/shard_status.h"
#include "tests/core/study/study_fixture.h"

#include <string>
#include <vector>

namespace apertune::shards::testing {

/// A scripted study of nine groups with two batches each, as a plan of shards. Three groups are impossible, and one
/// configuration fails.
struct ShardFixture : study::testing::StudyFixture
{
    ShardFixture()
    {
        // A CPU has no tf32.
        request.space.precisions = {model::Precision::fp32, model::Precision::bf16, model::Precision::tf32};
        request.space.search = model::SearchAlgorithm::grid;
        artifact.write({{"latency_ms", 2},
                        {"levels", {{"O1", 0.5}, {"O2", 0.25}}},
                        {"faults",
                         {{{"at", "run"},
                           {"n", 1},
                           {"do", "throw"},
                           {"when", {{"level", "O1"}, {"precision", "bf16"}, {"batch", 2}}}}}}});
    }

    /// The plan of the fixture's request in a folder of its own.
    ShardPlan planOf(int count, const std::string& folder = "plan")
    {
        const auto planned = runner().plan(request);
        EXPECT_TRUE(planned) << sentences::sentence(planned.error().message);
        auto plan = makeShardPlan(request, *planned, count);
        EXPECT_TRUE(plan) << sentences::sentence(plan.error().message);
        auto written = writeShardPlan(std::move(*plan), dir.path() / folder);
        EXPECT_TRUE(written) << sentences::sentence(written.error().message);
        return std::move(*written);
    }

    /// Runs a shard on a machine with a CPU of that name, until `most` trials have ended.
    base::Result<base::Outcome> runOn(const std::string& cpu, const ShardPlan& plan, int shard, int most = 1000)
    {
        auto workspace = store::Store::open(workspaceOf(plan, shard), store::OpenMode::readWrite);
        if (!workspace)
            return workspace.error();
        std::stop_source enough;
        ended = 0;
        study::StudyRunner own(*workspace, *launcher, nullptr, devices, {study::testing::fakeBackend()}, machine(cpu));
        own.setLimits(limits);
        return runShard(
            plan, shard, *workspace, own,
            [&](const study::StudyEvent& event) {
                ended += event.kind == study::StudyEvent::Kind::trialFinished;
                if (ended >= most)
                    enough.request_stop();
            },
            enough.get_token());
    }
    base::Result<base::Outcome> run(const ShardPlan& plan, int shard, int most = 1000)
    {
        return runOn("test CPU", plan, shard, most);
    }

    model::Environment machine(const std::string& cpu) const
    {
        model::Environment found;
        found.host = "host of " + cpu;
        found.devices = devices;
        found.devices.front().name = cpu;
        return found;
    }

    /// All that a study says of its configurations but the times: a line for each, in order.
    static std::vector<std::string> rowsOf(const model::StudySnapshot& snapshot)
    {
        std::vector<std::string> rows;
        for (const model::Trial& t : snapshot.trials) {
            std::string row = std::to_string(t.ordinal) + " " + t.device + " " + t.hash + " " +
                              std::string(model::toString(t.state)) + " " +
                              std::string(model::toString(t.reason.kind)) + " " +
                              sentences::sentence(t.reason.message) + " attempt " + std::to_string(t.attempt);
            for (const model::Applied& applied : t.measurement.applied)
                row += " " + applied.name + "=" + std::string(model::toString(applied.state));
            row += t.measurement.quality ? " cosine " + std::to_string(t.measurement.quality->cosine) : "";
            rows.push_back(row);
        }
        return rows;
    }

    /// The same with times: what must not change when a merge is repeated.
    static std::vector<std::string> allOf(const model::StudySnapshot& snapshot)
    {
        std::vector<std::string> rows = rowsOf(snapshot);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const model::Trial& t = snapshot.trials[i];
            rows[i] += " " + std::to_string(t.id.value) + " " + t.startedUtc + " " + t.finishedUtc + " " +
                       std::to_string(t.measurement.latencyNs.value) + " " +
                       std::to_string(t.measurement.blocks.size());
        }
        rows.push_back(std::string(model::toString(snapshot.study.state)) + " " + snapshot.study.finishedUtc);
        return rows;
    }

    /// Merges into the fixture's store and loads the study. `added`: the expected number of new trials, negative for
    /// any.
    model::StudySnapshot merged(const ShardPlan& plan, int added)
    {
        const auto result = mergeShards(plan, store);
        EXPECT_TRUE(result) << sentences::sentence(result.error().message);
        if (!result)
            return {};
        int sum = 0;
        for (const MergedShard& shard : result->shards)
            sum += shard.added;
        EXPECT_TRUE(added < 0 || sum == added) << sum << " were added";
        return study::loadStudy(store, result->study).value();
    }

    int ended = 0; ///< trials that ended in the last run
};

} // namespace apertune::shards::testing
