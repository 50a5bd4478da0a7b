// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/tracing.h"
#include "core/base/clock.h"
#include "core/sentences/sentences.h"

#include <gmock/gmock.h>
#include <unistd.h>

namespace apertune::worker {
namespace {

using base::Nanoseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using trace::EventKind;

constexpr Nanoseconds kPass{100'000};

/// A backend of plain functions that records two operators and an allocation for each pass.
struct Model
{
    bool recording = false;
    bool failToStart = false;
    int passes = 0;
    int recorded = 0;
    int throwAt = 0;
    std::atomic<bool>* stop = nullptr;
    std::vector<apertune_trace_event> events;
    std::uint64_t lost = 0;
    std::uint32_t record = 0;
};

/// The handle of the plugin's table is ours to choose.
Model* of(apertune_session* session)
{
    return reinterpret_cast<Model*>(session);
}

apertune_status run(apertune_session* session, std::uint32_t)
{
    Model* const s = of(session);
    if (++s->passes == s->throwAt)
        return APERTUNE_MODEL_THREW;
    const std::int64_t begin = base::monotonicNow().count;
    while (base::monotonicNow().count < begin + kPass.count) {
    }
    if (s->stop)
        *s->stop = true;
    if (!s->recording)
        return APERTUNE_OK;
    ++s->recorded;
    const auto thread = static_cast<std::uint32_t>(::getpid());
    s->events.push_back({begin, 40'000, 7, 0, APERTUNE_TRACE_OPERATOR, thread, 1, 3, 11, -1});
    s->events.push_back({begin + 50'000, 0, 4096, 0xabc, APERTUNE_TRACE_ALLOCATION, thread, 0, 0, 0, -1});
    s->events.push_back({begin + 50'000, 10'000, -1, 0, APERTUNE_TRACE_OPERATOR, thread + 1, 2, 0, 0, -1});
    return APERTUNE_OK;
}

apertune_status synchronize(apertune_session*)
{
    return APERTUNE_OK;
}

apertune_status traceStart(apertune_session* session, const apertune_trace_options* options)
{
    Model* const s = of(session);
    s->record = options->record;
    s->recording = !s->failToStart;
    return s->failToStart ? APERTUNE_INTERNAL : APERTUNE_OK;
}

apertune_status traceStop(apertune_session* session, apertune_trace_sink sink, void* user)
{
    Model* const s = of(session);
    s->recording = false;
    const char* names[] = {"aten::conv2d", "aten::relu"};
    const char* shapes[] = {"[[1, 3]]"};
    const apertune_trace_batch first{sizeof first, 1, 2, names, 0, nullptr, 0};
    sink(user, &first);
    const apertune_trace_batch second{sizeof second, 3, 1, shapes, s->events.size(), s->events.data(), s->lost};
    sink(user, &second);
    return APERTUNE_OK;
}

void lastError(apertune_session*, apertune_text_sink sink, void* user)
{
    const std::string text = R"({"message":"It failed.","hint":"Look.","detail":""})";
    sink(user, text.data(), text.size());
}

void close(apertune_session*)
{
}

apertune_plugin table()
{
    apertune_plugin p{};
    p.struct_size = sizeof p;
    p.run = run;
    p.synchronize = synchronize;
    p.last_error = lastError;
    p.close = close;
    p.trace_start = traceStart;
    p.trace_stop = traceStop;
    return p;
}

/// A profiler that counts, and fails where it is told to.
struct FakeProfiler final : trace::Profiler
{
    struct Session final : trace::ProfilerSession
    {
        explicit Session(FakeProfiler& p) : profiler(p) {}
        base::Status stop(trace::TraceBuilder& into) override
        {
            trace::Track track;
            track.type = trace::TrackType::counter;
            track.label = "power";
            trace::Event event;
            event.start.count = base::monotonicNow().count - into.head().originMonotonic;
            event.value = 42;
            into.add(into.track(track), EventKind::counter, event);
            profiler.passesAtStop = profiler.model->passes;
            if (profiler.failToStop)
                return base::plainError(base::ErrorCode::internal, "It did not stop.", {}, "Restart.");
            return {};
        }
        FakeProfiler& profiler;
    };

    std::string_view name() const override { return "fake"; }
    trace::Availability availability() override { return can; }
    base::Result<std::unique_ptr<trace::ProfilerSession>> start() override
    {
        passesAtStart = model->passes;
        if (failToStart)
            return base::plainError(base::ErrorCode::busy, "Another tool has it.", {}, "End that.");
        return std::unique_ptr<trace::ProfilerSession>(std::make_unique<Session>(*this));
    }

    Model* model = nullptr;
    trace::Availability can;
    bool failToStart = false;
    bool failToStop = false;
    int passesAtStart = -1;
    int passesAtStop = -1;
};

struct Tracing : ::testing::Test
{
    apertune_plugin plugin = table();
    Model model;
    FakeProfiler profiler;
    std::atomic<bool> stop = false;
    std::vector<std::string> phases;
    TraceRequest request;

    Tracing()
    {
        profiler.model = &model;
        request.iterations = 4;
        request.bareIterations = 7;
    }

    base::Result<Recording> recorded()
    {
        LoadedModel loaded;
        loaded.session = std::make_unique<Session>(plugin, reinterpret_cast<apertune_session*>(&model));
        return recordTrace(loaded, request, {&profiler}, {}, stop,
                           [this](const char* phase) { phases.emplace_back(phase); });
    }

    static std::size_t count(const trace::Trace& trace, EventKind kind)
    {
        std::size_t events = 0;
        for (const trace::Series& s : trace.series)
            events += s.kind == kind ? s.events.size() : 0;
        return events;
    }

    static std::vector<std::string> reasons(const trace::Trace& trace)
    {
        std::vector<std::string> list;
        for (const trace::Loss& loss : trace.losses)
            list.push_back(sentences::sentence(loss.reason));
        return list;
    }
};

TEST_F(Tracing, PassesAreRangesThatHoldTheirOperators)
{
    const auto result = recorded();
    ASSERT_TRUE(result.ok()) << sentences::describe(result.error());
    const trace::Trace& t = result->trace;
    EXPECT_EQ(t.source, "apertune");
    EXPECT_GT(t.originMonotonic, 0);
    EXPECT_EQ(count(t, EventKind::operatorCall), 8U);
    EXPECT_EQ(count(t, EventKind::tensorMemory), 4U);
    EXPECT_EQ(count(t, EventKind::counter), 1U);
    EXPECT_TRUE(t.losses.empty());

    const trace::Series* ranges = nullptr;
    const trace::Series* operators = nullptr;
    for (const trace::Series& s : t.series) {
        if (s.kind == EventKind::range)
            ranges = &s;
        if (s.kind == EventKind::operatorCall && t.track(s).thread == ::getpid())
            operators = &s;
    }
    ASSERT_TRUE(ranges && operators);
    EXPECT_EQ(ranges->track, operators->track) << "on the measuring thread";
    ASSERT_EQ(ranges->events.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(t.nameOf(*ranges, i), "iteration " + std::to_string(i + 1));
        EXPECT_EQ(t.nameOf(*operators, i), "aten::conv2d");
        EXPECT_GE(operators->events.start[i], ranges->events.start[i]);
        EXPECT_LE(operators->events.end(i), ranges->events.end(i));
        EXPECT_EQ(ranges->events.duration[i], result->traced[i].count);
    }
    const trace::OperatorDetail& detail = t.details.operators[operators->events.detail[0]];
    EXPECT_EQ(t.text(detail.inputShapes), "[[1, 3]]");
    EXPECT_EQ(detail.sequence, 7);
    EXPECT_EQ(operators->events.link[0], 11U);
}

TEST_F(Tracing, TimingAndTracingShareNoPass)
{
    const auto result = recorded();
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(model.recorded, 4);
    EXPECT_EQ(model.passes, 11);
    EXPECT_EQ(result->bare.size(), 7U);
    EXPECT_EQ(result->traced.size(), 4U);
    EXPECT_EQ(profiler.passesAtStart, 4) << "half of the bare passes come first";
    EXPECT_EQ(profiler.passesAtStop, 8) << "the rest after everything has stopped";
    EXPECT_THAT(phases, ElementsAre("bare", "trace", "bare"));
}

TEST_F(Tracing, WhatCannotBeRecordedIsSaidInTheTrace)
{
    profiler.can = {false, base::foreignText("There is no driver."), base::foreignText("Install one.")};
    plugin.struct_size = APERTUNE_PLUGIN_SMALLEST; // an older backend
    const auto result = recorded();
    ASSERT_TRUE(result.ok());
    EXPECT_THAT(reasons(result->trace),
                ElementsAre("fake: There is no driver. Install one.", HasSubstr("This backend does not record")));
    EXPECT_EQ(result->trace.losses[0].severity, trace::LossSeverity::notice);
    EXPECT_EQ(count(result->trace, EventKind::operatorCall), 0U);
    EXPECT_EQ(count(result->trace, EventKind::range), 4U);
}

TEST_F(Tracing, AProfilerThatFailsCostsItsOwnEventsOnly)
{
    profiler.failToStart = true;
    auto result = recorded();
    ASSERT_TRUE(result.ok());
    EXPECT_THAT(reasons(result->trace), ElementsAre("fake: Another tool has it. End that."));
    EXPECT_EQ(count(result->trace, EventKind::operatorCall), 8U);

    profiler.failToStart = false;
    profiler.failToStop = true;
    model.events.clear();
    result = recorded();
    ASSERT_TRUE(result.ok());
    EXPECT_THAT(reasons(result->trace), ElementsAre("fake: It did not stop. Restart."));
    EXPECT_EQ(count(result->trace, EventKind::counter), 1U) << "what it has is kept";
}

TEST_F(Tracing, LostAndSenselessEventsAreCounted)
{
    model.lost = 5;
    model.events.push_back({1, 1, 0, 0, APERTUNE_TRACE_OPERATOR, 1, 99, 0, 0, -1}); // no such name
    model.events.push_back({1, 1, 0, 0, 77, 1, 0, 0, 0, -1});                       // no such kind
    const auto result = recorded();
    ASSERT_TRUE(result.ok());
    ASSERT_EQ(result->trace.losses.size(), 2U);
    EXPECT_EQ(result->trace.losses[0].count, 5);
    EXPECT_EQ(result->trace.losses[1].count, 2);
    EXPECT_EQ(result->trace.losses[1].severity, trace::LossSeverity::error);
}

TEST_F(Tracing, AFailureOfTheModelEndsTheRecording)
{
    model.throwAt = 6;
    const auto result = recorded();
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, base::ErrorCode::modelThrew);
    EXPECT_FALSE(model.recording);

    model = {};
    model.failToStart = true;
    EXPECT_EQ(recorded().error().code, base::ErrorCode::internal);
}

TEST_F(Tracing, AStopRequestEndsIt)
{
    model.stop = &stop;
    EXPECT_EQ(recorded().error().code, base::ErrorCode::cancelled);
    EXPECT_EQ(model.passes, 1);
}

TEST_F(Tracing, PassesGoOnUntilTheLeastTimeIsOver)
{
    request.iterations = 1;
    request.least = base::fromMilliseconds(200);
    const Nanoseconds begin = base::monotonicNow();
    const auto recording = recorded();
    ASSERT_TRUE(recording.ok());
    EXPECT_GT(recording->traced.size(), 1u);
    EXPECT_GE(base::monotonicNow() - begin, request.least);
}

TEST_F(Tracing, TimeRunsOutAfterOnePassOfEachPart)
{
    request.most = Nanoseconds{3};
    const auto result = recorded();
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->traced.size(), 1U);
    EXPECT_EQ(result->bare.size(), 2U);
}

} // namespace
} // namespace apertune::worker
