// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/track_record.h"
#include "core/runs/experiments.h"
#include "core/runs/trace_context.h"
#include "core/sentences/sentences.h"
#include "core/trace/trace_builder.h"
#include "tests/core/study/study_fixture.h"

#include <nlohmann/json.hpp>

namespace apertune::runs::testing {
namespace {

using base::Outcome;
using model::OptLevel;
using model::Trial;

/// Passes of a host in which batch normalisation takes a third.
trace::Trace normalising()
{
    trace::TraceBuilder b;
    const trace::TrackId host = b.track({.type = trace::TrackType::hostThread, .process = 1, .thread = 1});
    const auto add = [&](trace::EventKind kind, const std::string& name, std::int64_t from, std::int64_t to) {
        trace::Event e;
        e.start = {from * 1000};
        e.duration = {(to - from) * 1000};
        e.name = b.intern(name);
        b.add(host, kind, e);
    };
    for (int i = 0; i < 20; ++i) {
        const std::int64_t start = 3000 * i;
        add(trace::EventKind::range, "iteration " + std::to_string(i), start, start + 3000);
        add(trace::EventKind::operatorCall, "aten::conv2d", start, start + 2000);
        add(trace::EventKind::operatorCall, "aten::batch_norm", start + 2000, start + 3000);
    }
    trace::Trace trace = b.finish();
    trace.source = "apertune";
    return trace;
}

struct Experiments : study::testing::StudyFixture
{
    Experiments()
    {
        request.space.levels = {OptLevel::o0};
        request.space.batches = {1};
        limits.confirmMost = base::fromSeconds(60);
        limits.maxBlocks = 40;
    }

    /// Sweeps one configuration, stores a trace of it, and measures freeze as an older version did.
    void verifyAsBefore()
    {
        ASSERT_EQ(run({{"latency_ms", 20}, {"switches", {{"freeze", 0.5}}}}), Outcome::done);
        const model::StudySnapshot swept = study();
        const Trial before = find(swept, OptLevel::o0, 1);
        const auto trace = store.addTrace(normalising(), before.id);
        ASSERT_TRUE(trace);
        m_trace = *trace;
        auto verification = verificationStudyOf(swept.study, before, {"freeze", true, {}}, {});
        ASSERT_TRUE(verification) << sentences::describe(verification.error());
        verification->commandLine = "apertune trace verify tr" + std::to_string(trace->value) + " unfused-batchnorm";
        ASSERT_EQ(noted(runner().run(*verification, observer(), stop.get_token())), Outcome::done);
    }

    store::TraceId m_trace{};
};

TEST_F(Experiments, VerificationsThatOlderVersionsKeptAsStudiesCount)
{
    verifyAsBefore();
    const auto missing = missingExperiments(store);
    ASSERT_TRUE(missing) << sentences::describe(missing.error());
    ASSERT_EQ(missing->size(), 1u) << "the sweep is no verification";
    const model::Experiment& experiment = missing->front();
    EXPECT_EQ(experiment.subject, "unfused-batchnorm");
    EXPECT_EQ(experiment.change, "freeze=on");
    EXPECT_EQ(experiment.model, "scripted");
    EXPECT_EQ(experiment.at.engine, "fake");
    EXPECT_EQ(experiment.at.taskType, model::TaskType::classification);
    EXPECT_TRUE(experiment.counts());
    EXPECT_NEAR(experiment.predictedHi, 1.0 / 3, 0.02);
    EXPECT_GT(experiment.saved.lo, 0) << "freeze halves the scripted time";

    ASSERT_TRUE(store.putExperiment(experiment));
    EXPECT_TRUE(missingExperiments(store)->empty()) << "what is kept is not made again";
    ASSERT_TRUE(store.putExperiment(experiment));
    EXPECT_EQ(store.experiments()->size(), 1u) << "a study has one experiment";

    const auto summary = store.traceSummary(m_trace);
    ASSERT_TRUE(summary);
    const advice::Context context = contextOf(store, *summary);
    ASSERT_TRUE(context.record) << "the next report knows it";
    EXPECT_NE(context.record->find("unfused-batchnorm"), nullptr);
}

TEST_F(Experiments, AVerificationWhoseTraceIsGoneHasNoPrediction)
{
    verifyAsBefore();
    ASSERT_TRUE(store.deleteTrace(m_trace));
    const auto missing = missingExperiments(store);
    ASSERT_TRUE(missing);
    ASSERT_EQ(missing->size(), 1u);
    EXPECT_FALSE(missing->front().counts());
    EXPECT_EQ(missing->front().subject, "unfused-batchnorm");
}

} // namespace
} // namespace apertune::runs::testing
