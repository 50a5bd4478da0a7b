// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/verdict.h"
#include "core/sentences/sentences.h"
#include "core/trace/trace_builder.h"

#include <gtest/gtest.h>

#include <string>

namespace apertune::advice {
namespace {

using sentences::sentence;

/// A pass of fused groups, as a captured trial of a CPU shows it: ranges around passes, groups without shapes, and a
/// stretch in each pass where nothing is recorded.
trace::Trace fusedTrace(const std::string& source, std::int64_t group, std::int64_t stretch)
{
    trace::TraceBuilder builder;
    builder.head().source = source;
    const auto thread = builder.track({.type = trace::TrackType::hostThread, .process = 1, .thread = 1});
    std::int64_t now = 1000;
    const auto add = [&](trace::EventKind kind, const std::string& name, std::int64_t start, std::int64_t length) {
        trace::Event e;
        e.start = {start};
        e.duration = {length};
        e.name = builder.intern(name);
        builder.add(thread, kind, e);
    };
    for (int pass = 1; pass <= 12; ++pass) {
        const std::int64_t begin = now;
        for (int k = 0; k < 3; ++k) {
            add(trace::EventKind::operatorCall, "LlgaPartition_" + std::to_string(k), now, group * (k + 1));
            now += group * (k + 1) + 1000;
        }
        now += stretch;
        add(trace::EventKind::operatorCall, "aten::relu_", now, 50'000);
        now += 50'000;
        add(trace::EventKind::range, "iteration " + std::to_string(pass), begin, now - begin);
        now += 2000;
    }
    return builder.finish();
}

Context withCeilings(double passFlops, double weights)
{
    Context context;
    context.ceilings = {100e9, 10e9, 0, 0, "made up"};
    context.passFlops = passFlops;
    context.weightBytes = weights;
    return context;
}

TEST(Fused, GroupsAreToldApartByTheModelsArithmeticAndTheCeilings)
{
    const trace::Trace trace = fusedTrace("apertune", 1'000'000, 0);
    // The groups take 6 ms of a pass.
    const FindingReport compute = reportFindings(Facts(trace, withCeilings(300e6, 1e6)));
    EXPECT_EQ(compute.verdict.kind, VerdictKind::computeBound) << sentence(compute.verdict.sentence);
    EXPECT_EQ(compute.verdict.confidence, Confidence::estimate);
    ASSERT_FALSE(compute.verdict.needs.empty());
    EXPECT_NE(sentence(compute.verdict.needs.front()).find("50.0 GFLOP/s"), std::string::npos)
        << sentence(compute.verdict.needs.front());
    EXPECT_NE(sentence(compute.verdict.needs.front()).find("LlgaPartition_2 49"), std::string::npos)
        << sentence(compute.verdict.needs.front());

    const FindingReport memory = reportFindings(Facts(trace, withCeilings(30e6, 40e6)));
    EXPECT_EQ(memory.verdict.kind, VerdictKind::memoryBound) << sentence(memory.verdict.sentence);

    const FindingReport neither = reportFindings(Facts(trace, withCeilings(30e6, 1e6)));
    EXPECT_EQ(neither.verdict.kind, VerdictKind::abstained);
    EXPECT_NE(sentence(neither.verdict.sentence).find("far below"), std::string::npos)
        << sentence(neither.verdict.sentence);

    Context bare;
    bare.passFlops = 300e6;
    const FindingReport unknown = reportFindings(Facts(trace, bare));
    EXPECT_EQ(unknown.verdict.kind, VerdictKind::abstained);
    EXPECT_NE(sentence(unknown.verdict.sentence).find("LlgaPartition_2"), std::string::npos)
        << sentence(unknown.verdict.sentence);
    EXPECT_NE(sentence(unknown.verdict.sentence).find("apertune device ceilings"), std::string::npos)
        << sentence(unknown.verdict.sentence);
}

TEST(Fused, HalfTheThreadsReachHalfTheCeiling)
{
    const trace::Trace trace = fusedTrace("apertune", 1'000'000, 0);
    Context context = withCeilings(300e6, 1e6);
    model::Device device;
    device.cores = 4;
    context.device = device;
    context.config = model::makeConfig(model::OptLevel::o2, model::Precision::fp32, 1, 2, model::DeviceType::cpu());
    EXPECT_NEAR(Facts(trace, context).fused.efficiency, 1, 0.05);
}

TEST(Fused, AStretchWithoutOperatorsInsideAPassIsNoPauseOfTheHost)
{
    const trace::Trace own = fusedTrace("apertune", 100'000, 5'000'000);
    const Facts facts(own, withCeilings(300e6, 1e6));
    EXPECT_GT(facts.share(facts.host.unrecorded), 0.8);
    EXPECT_LT(facts.share(Cause::host), 0.01);
    EXPECT_EQ(reportFindings(facts).verdict.kind, VerdictKind::computeBound);
    // In a step of somebody's program the host may have done anything.
    const trace::Trace other = fusedTrace("kineto", 100'000, 5'000'000);
    EXPECT_EQ(reportFindings(Facts(other, withCeilings(300e6, 1e6))).verdict.kind, VerdictKind::hostBound);
}

} // namespace
} // namespace apertune::advice
