// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/ceilings.h"
#include "core/runs/trace_run.h"
#include "core/sentences/sentences.h"
#include "tests/core/study/study_fixture.h"

#include <nlohmann/json.hpp>

namespace apertune::runs {
namespace {

using base::ErrorCode;
using base::Json;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using trace::EventKind;

Json scripted()
{
    return {{"latency_ms", 20},
            {"operators",
             {{{"name", "aten::conv2d"}, {"shapes", "[[1, 3, 8, 8]]"}, {"share", 3}, {"bytes", 4096}},
              {{"name", "aten::relu"}, {"share", 1}}}}};
}

struct TraceRun : study::testing::StudyFixture
{
    TraceRun()
    {
        parent.model = request.model;
        trial.device = "cpu";
        trial.config = worker::testing::configuration(model::OptLevel::o1);
    }

    base::Result<trace::Trace> traced(const Json& script)
    {
        artifact.write(script);
        return captureTrial(
            {*launcher, compiler, devices, limits}, parent, trial, options,
            [this](study::Phase phase, const base::Message&) {
                if (const std::string word(toString(phase)); phases.empty() || phases.back() != word)
                    phases.push_back(word);
            },
            stop.get_token(), telemetry);
    }

    static Json failing(const char* at, const char* what)
    {
        Json script = scripted();
        script["faults"] = {{{"at", at}, {"n", 1}, {"do", what}}};
        return script;
    }

    model::Study parent;
    model::Trial trial;
    TraceOptions options{5, base::fromSeconds(300)};
    TelemetryMaker telemetry;
    std::vector<std::string> phases;
};

TEST(RecordedConfig, CountersOfKernelsAreReadWithoutAGraph)
{
    model::Config config = worker::testing::configuration(model::OptLevel::o2);
    config.switches["cuda_graph"] = true;
    config.switches["freeze"] = true;
    EXPECT_FALSE(recordedConfig(config, TracePass::kernels).switches["cuda_graph"]);
    EXPECT_TRUE(recordedConfig(config, TracePass::kernels).switches["freeze"]);
    EXPECT_TRUE(recordedConfig(config, TracePass::samples).switches["cuda_graph"]);
    EXPECT_TRUE(recordedConfig(config, TracePass::events).switches["cuda_graph"]);
    config.switches.erase("cuda_graph");
    EXPECT_FALSE(recordedConfig(config, TracePass::kernels).switches.contains("cuda_graph"));
}

TEST_F(TraceRun, AFreshWorkerRecordsTheTrialsConfiguration)
{
    const auto trace = traced(scripted());
    ASSERT_TRUE(trace.ok()) << sentences::describe(trace.error());
    EXPECT_EQ(trace->name, "scripted O1 fp32 b1");
    EXPECT_EQ(trace->source, "apertune");
    EXPECT_EQ(trace->recorderVersion, "fake 1");
    EXPECT_THAT(phases, ElementsAre("load", "warm-up", "bare", "trace", "bare", "write"));
    std::map<EventKind, std::size_t> counts;
    for (const trace::Series& s : trace->series)
        counts[s.kind] += s.events.size();
    EXPECT_EQ(counts[EventKind::range], 5U);
    EXPECT_EQ(counts[EventKind::operatorCall], 10U);
    EXPECT_EQ(counts[EventKind::tensorMemory], 10U);
    EXPECT_GT(counts[EventKind::counter], 0U) << "of the host";

    ASSERT_TRUE(trace->cost.has_value());
    EXPECT_EQ(trace->cost->tracedIterations, 5);
    EXPECT_EQ(trace->cost->bareIterations, 20) << "enough for an interval";
    EXPECT_GT(trace->cost->bareNs.value, 0.5e6);
    EXPECT_GT(trace->cost->ratio.value, 0.2);
    EXPECT_LT(trace->cost->ratio.value, 5);
}

/// Matches a loss whose sentence holds `part`.
auto says(const std::string& part)
{
    return ::testing::Field(
        &trace::Loss::reason,
        ::testing::ResultOf([](const base::Message& reason) { return sentences::sentence(reason); }, HasSubstr(part)));
}

/// Records one sample when it is stopped.
class FakeTelemetry final : public trace::Profiler
{
public:
    explicit FakeTelemetry(bool possible) : m_possible(possible) {}
    std::string_view name() const override { return "power meter"; }
    trace::Availability availability() override
    {
        return {m_possible, base::foreignText("It is unplugged."), base::foreignText("Plug it in.")};
    }
    base::Result<std::unique_ptr<trace::ProfilerSession>> start() override
    {
        return std::unique_ptr<trace::ProfilerSession>(std::make_unique<Session>());
    }

private:
    struct Session final : trace::ProfilerSession
    {
        std::int64_t begin = base::monotonicNow().count;
        base::Status stop(trace::TraceBuilder& into) override
        {
            trace::Track track;
            track.type = trace::TrackType::counter;
            track.label = "outside power";
            trace::Event event;
            event.start.count = begin - into.head().originMonotonic;
            event.value = 77;
            into.add(into.track(track), EventKind::counter, event);
            return {};
        }
    };
    bool m_possible;
};

TEST_F(TraceRun, WhatRecordsFromOutsideIsOnTheSameClock)
{
    telemetry = [](const model::Device& device) {
        EXPECT_EQ(device.id, "cpu");
        std::vector<std::unique_ptr<trace::Profiler>> made;
        made.push_back(std::make_unique<FakeTelemetry>(true));
        made.push_back(std::make_unique<FakeTelemetry>(false));
        return made;
    };
    const auto trace = traced(scripted());
    ASSERT_TRUE(trace.ok()) << sentences::describe(trace.error());
    const trace::Series* outside = nullptr;
    for (const trace::Series& s : trace->series)
        if (trace->track(s).label == "outside power")
            outside = &s;
    ASSERT_NE(outside, nullptr);
    EXPECT_EQ(outside->events.value[0], 77);
    const std::int64_t at = outside->events.start[0];
    EXPECT_GT(at, -base::fromSeconds(60).count);
    EXPECT_LT(at, trace->end().count) << "it began before the passes ended";
    EXPECT_THAT(trace->losses, Contains(says("It is unplugged.")));
    EXPECT_TRUE(trace->cost.has_value());
}

TEST_F(TraceRun, AGpuIsTimedInAWorkerOfItsOwn)
{
    devices = {study::testing::gpu("cuda:0", "a GPU")};
    trial.device = "cuda:0";
    trial.config = model::makeConfig(model::OptLevel::o1, model::Precision::fp32, 1, 1, model::DeviceType::nvidiaGpu());
    trial.config.backend = "fake";
    const auto trace = traced(scripted());
    ASSERT_TRUE(trace.ok()) << sentences::describe(trace.error());
    EXPECT_THAT(phases, ElementsAre("load", "warm-up", "bare", "load", "warm-up", "trace", "write"));
    ASSERT_TRUE(trace->cost.has_value());
    EXPECT_GT(trace->cost->bareIterations, 5);
    if (!std::filesystem::exists("/proc/driver/nvidia/version")) {
        EXPECT_THAT(trace->losses, Contains(says("no NVIDIA driver")));
    }
}

TEST_F(TraceRun, HardwareCountersNeedAGpu)
{
    options.pass = TracePass::samples;
    const auto onCpu = traced(scripted());
    ASSERT_FALSE(onCpu.ok());
    EXPECT_EQ(onCpu.error().code, ErrorCode::unsupported);
    EXPECT_THAT(sentences::sentence(onCpu.error().message), HasSubstr("read on an NVIDIA GPU"));
    EXPECT_TRUE(phases.empty()) << "nothing is started for it";
    if (std::filesystem::exists("/proc/driver/nvidia/version"))
        GTEST_SKIP() << "here is a driver: tests/gpu shows the rest";
    devices = {study::testing::gpu("cuda:0", "a GPU")};
    trial.device = "cuda:0";
    trial.config = model::makeConfig(model::OptLevel::o1, model::Precision::fp32, 1, 1, model::DeviceType::nvidiaGpu());
    trial.config.backend = "fake";
    for (const TracePass pass : {TracePass::samples, TracePass::kernels}) {
        options.pass = pass;
        const auto trace = traced(scripted());
        ASSERT_FALSE(trace.ok());
        EXPECT_EQ(trace.error().code, ErrorCode::unsupported) << sentences::describe(trace.error());
        EXPECT_THAT(sentences::describe(trace.error()), HasSubstr("Install the driver"));
    }
}

TEST_F(TraceRun, WhatWasNotAskedForIsNotRecorded)
{
    options.memory = false;
    options.shapes = false;
    options.telemetry = false;
    const auto trace = traced(scripted());
    ASSERT_TRUE(trace.ok());
    for (const trace::Series& s : trace->series) {
        EXPECT_NE(s.kind, EventKind::tensorMemory);
        EXPECT_NE(s.kind, EventKind::counter);
    }
    for (const trace::OperatorDetail& detail : trace->details.operators)
        EXPECT_FALSE(detail.inputShapes) << trace->text(detail.inputShapes);
}

TEST_F(TraceRun, EveryEndOfAWorkerHasItsOwnKindAndAHint)
{
    const std::vector<std::tuple<const char*, const char*, ErrorCode>> cases{
        {"trace_start", "crash", ErrorCode::crashed},       {"trace_start", "oom", ErrorCode::outOfMemory},
        {"trace_stop", "throw", ErrorCode::modelThrew},     {"trace_stop", "kill", ErrorCode::crashed},
        {"open", "unsupported", ErrorCode::unsupported},    {"open", "bad_input", ErrorCode::invalidArgument},
        {"trace_start", "device_lost", ErrorCode::crashed},
    };
    for (const auto& [at, what, code] : cases) {
        const auto trace = traced(failing(at, what));
        ASSERT_FALSE(trace.ok()) << at << " " << what;
        EXPECT_EQ(trace.error().code, code) << at << " " << what << ": " << sentences::sentence(trace.error().message);
        EXPECT_FALSE(trace.error().message.empty());
        EXPECT_FALSE(trace.error().hint.empty());
    }
}

TEST_F(TraceRun, ADeviceThatIsNotHereIsNamed)
{
    trial.device = "cuda:7";
    const auto trace = traced(scripted());
    ASSERT_FALSE(trace.ok());
    EXPECT_EQ(trace.error().code, ErrorCode::unsupported);
    EXPECT_THAT(sentences::sentence(trace.error().message), HasSubstr("cuda:7"));
    EXPECT_TRUE(phases.empty()) << "nothing is started for it";
}

TEST_F(TraceRun, ACompiledTrialNeedsItsPackage)
{
    trial.config.switches["aoti"] = true;
    EXPECT_EQ(traced(scripted()).error().code, ErrorCode::unsupported);
    study::testing::FakeCompiler failing;
    failing.failsAtBatch = 1;
    compiler = &failing;
    EXPECT_EQ(traced(scripted()).error().code, ErrorCode::compileFailed);
    study::testing::FakeCompiler working;
    compiler = &working;
    EXPECT_TRUE(traced(scripted()).ok());
    EXPECT_EQ(working.calls, 1);
}

TEST_F(TraceRun, AStopRequestIsNoFailure)
{
    stop.request_stop();
    EXPECT_EQ(traced(scripted()).error().code, ErrorCode::cancelled);
}

TEST(RecordingCost, IsTracedOverBareWithItsInterval)
{
    std::vector<base::Nanoseconds> bare;
    std::vector<base::Nanoseconds> traced;
    for (int i = 0; i < 40; ++i) {
        bare.push_back({1'000'000 + i % 5 * 1000});
        traced.push_back({1'100'000 + i % 5 * 1000});
    }
    const auto cost = recordingCost(bare, traced);
    ASSERT_TRUE(cost.has_value());
    EXPECT_NEAR(cost->ratio.value, 1.1, 0.01);
    EXPECT_LT(cost->ratio.lo, cost->ratio.value);
    EXPECT_GT(cost->ratio.hi, cost->ratio.value);
    EXPECT_EQ(cost->bareIterations, 40);
    EXPECT_FALSE(recordingCost({}, traced).has_value());
    EXPECT_FALSE(recordingCost(bare, {}).has_value());
}

/// A variable of this process, and so of the workers it starts.
struct Variable
{
    Variable(const char* name, const char* value) : m_name(name) { ::setenv(name, value, 1); }
    ~Variable() { ::unsetenv(m_name); }
    const char* m_name;
};

TEST_F(TraceRun, CeilingsAreMeasuredByTheBackendInEveryPrecisionOfTheHardware)
{
    model::Device device = devices.front();
    device.isa = {"avx512_bf16"};
    const auto measured = measureCeilings(*launcher, "fake", device, {});
    ASSERT_TRUE(measured.ok()) << sentences::describe(measured.error());
    EXPECT_EQ(measured->device, model::ceilingKey(device));
    EXPECT_EQ(measured->backend, "fake");
    ASSERT_EQ(measured->rates.size(), 3U);
    EXPECT_EQ(measured->rates[0].quantity, "fp32");
    EXPECT_DOUBLE_EQ(measured->rates[0].rate.value, 100e9);
    EXPECT_DOUBLE_EQ(measured->rates[0].rate.lo, 97e9);
    EXPECT_EQ(measured->rates[0].samples, 7);
    EXPECT_EQ(measured->rates[1].quantity, "bf16");

    const auto fp32 = ceilingsFor(*measured, model::Precision::fp32);
    EXPECT_TRUE(fp32.complete());
    EXPECT_DOUBLE_EQ(fp32.ridge(), 10);
    EXPECT_DOUBLE_EQ(ceilingsFor(*measured, model::Precision::bf16).flops, 200e9);
    const auto emulated = ceilingsFor(*measured, model::Precision::fp16);
    EXPECT_DOUBLE_EQ(emulated.flops, 100e9);
    EXPECT_THAT(emulated.source, HasSubstr("emulates"));
    EXPECT_FALSE(ceilingsFor(*measured, model::Precision::int8).complete()) << "nothing was measured";
}

TEST(Ceilings, WhatWasReachedOnceCanBeReached)
{
    model::DeviceCeilings busy{"cpu", "libtorch", "2026-11-21T19:31:01Z", {{"fp32", {100, 60, 130, 0.95}, 5, ""}}};
    busy.rates.push_back({"copy", {10, 9.9, 10.1, 0.95}, 5, ""});
    const model::DeviceCeilings calm{"cpu",
                                     "libtorch",
                                     "2026-11-21T20:31:01Z",
                                     {{"fp32", {200, 198, 201, 0.95}, 5, ""}, {"copy", {9, 9, 9}, 5, ""}}};
    EXPECT_FALSE(busy.steady());
    EXPECT_TRUE(calm.steady());
    EXPECT_THAT(ceilingsFor(busy, model::Precision::fp32).source,
                HasSubstr("2026-11-21 19:31 UTC, fp32; the machine was busy"));
    EXPECT_THAT(ceilingsFor(calm, model::Precision::fp32).source, Not(HasSubstr("busy")));
    const model::DeviceCeilings best = model::higherOf(busy, calm);
    EXPECT_EQ(best.find("fp32")->rate.value, 200);
    EXPECT_EQ(best.find("copy")->rate.value, 10);
    EXPECT_TRUE(best.steady());
}

TEST_F(TraceRun, ABackendThatMeasuresNothingOfSenseIsAnErrorThatSaysSo)
{
    {
        const Variable fault("APERTUNE_FAKE_CEILINGS", "fail");
        const auto failed = measureCeilings(*launcher, "fake", devices.front(), {});
        ASSERT_FALSE(failed.ok());
        EXPECT_THAT(sentences::sentence(failed.error().message), HasSubstr("told to fail"));
        EXPECT_FALSE(failed.error().hint.empty());
    }
    const Variable fault("APERTUNE_FAKE_CEILINGS", "garbage");
    const auto senseless = measureCeilings(*launcher, "fake", devices.front(), {});
    ASSERT_FALSE(senseless.ok());
    EXPECT_THAT(sentences::sentence(senseless.error().message), HasSubstr("an invalid rate"));
}

} // namespace
} // namespace apertune::runs
