// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/tracing.h"

#include "core/base/clock.h"
#include "core/trace/reasons.h"
#include "core/trace/recorder.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

namespace apertune::worker {

using base::Nanoseconds;
using trace::EventKind;
using trace::LossSeverity;

namespace {

/// Converts the backend's batches to events of the trace.
class BackendEvents
{
public:
    BackendEvents(trace::TraceBuilder& into, std::int64_t process)
        : m_into(into), m_process(process), m_origin(into.head().originMonotonic), m_strings{trace::StringId{}}
    {
    }

    void add(const apertune_trace_batch& batch)
    {
        if (batch.first_string != m_strings.size() && batch.string_count > 0)
            ++m_broken; // events that refer to the missing strings will be counted, too
        else
            for (std::size_t i = 0; i < batch.string_count; ++i)
                m_strings.push_back(m_into.intern(batch.strings[i]));
        for (std::size_t i = 0; i < batch.event_count; ++i)
            if (!add(batch.events[i]))
                ++m_broken;
        m_lost += batch.lost;
    }

    void addLosses()
    {
        if (m_lost > 0)
            m_into.addLoss({{},
                            EventKind::operatorCall,
                            static_cast<std::int64_t>(m_lost),
                            LossSeverity::warning,
                            base::message<trace::reasons::kBackendBuffersFull>()});
        if (m_broken > 0)
            m_into.addLoss({{},
                            EventKind::operatorCall,
                            static_cast<std::int64_t>(m_broken),
                            LossSeverity::error,
                            base::message<trace::reasons::kBackendEventsSenseless>()});
    }

private:
    bool add(const apertune_trace_event& e)
    {
        if (e.name >= m_strings.size() || e.detail >= m_strings.size() || e.duration_ns < 0)
            return false;
        trace::Event event;
        event.start.count = e.start_ns - m_origin;
        event.duration.count = e.duration_ns;
        event.name = m_strings[e.name];
        event.link = e.link;
        switch (e.kind) {
        case APERTUNE_TRACE_OPERATOR:
            event.detail = operatorDetail(e);
            columns(EventKind::operatorCall, e).append(event);
            return true;
        case APERTUNE_TRACE_RANGE:
            columns(EventKind::range, e).append(event);
            return true;
        case APERTUNE_TRACE_ALLOCATION:
            event.value = e.value;
            event.address = e.address;
            event.detail = memoryDetail(e.device);
            columns(EventKind::tensorMemory, e).append(event);
            return true;
        default:
            return false;
        }
    }

    std::uint32_t operatorDetail(const apertune_trace_event& e)
    {
        trace::OperatorDetail detail;
        detail.inputShapes = m_strings[e.detail];
        detail.sequence = e.value;
        return m_into.detail(detail);
    }

    std::uint32_t memoryDetail(std::int32_t device)
    {
        trace::MemoryDetail detail;
        detail.kind = device < 0 ? trace::MemoryKind::pageable : trace::MemoryKind::device;
        detail.device = device;
        return m_into.detail(detail);
    }

    trace::EventColumns& columns(EventKind kind, const apertune_trace_event& e)
    {
        // Events of one thread and kind come in long runs, so the last columns are kept.
        if (!m_columns || kind != m_kind || e.thread != m_thread) {
            m_kind = kind;
            m_thread = e.thread;
            trace::Track track;
            track.process = m_process;
            track.thread = e.thread;
            track.label = e.thread == m_process ? "main thread" : "thread " + std::to_string(e.thread);
            m_columns = &m_into.columns(m_into.track(track), kind);
        }
        return *m_columns;
    }

    trace::TraceBuilder& m_into;
    std::int64_t m_process;
    std::int64_t m_origin;
    std::vector<trace::StringId> m_strings;
    std::uint64_t m_lost = 0;
    std::uint64_t m_broken = 0;
    trace::EventColumns* m_columns = nullptr; ///< columns of m_kind and m_thread
    EventKind m_kind = EventKind::other;
    std::uint32_t m_thread = 0;
};

struct Pass
{
    Nanoseconds begin;
    Nanoseconds end;
    Nanoseconds cpu; ///< processor time of this thread
};

/// Runs up to `count` passes, and more until `least` has passed, each waited for. It runs at least one when `count` is
/// positive.
base::Result<std::vector<Pass>> passes(LoadedModel& model, int count, Nanoseconds deadline,
                                       const std::atomic<bool>& stop, Nanoseconds least = {})
{
    std::vector<Pass> result;
    result.reserve(static_cast<std::size_t>(std::max(0, count)));
    const Nanoseconds started = base::monotonicNow();
    for (int i = 0; i < count || base::monotonicNow() - started < least; ++i) {
        const Nanoseconds cpu = base::threadCpuTime();
        const Nanoseconds begin = base::monotonicNow();
        apertune_status status = model.session->run(model.nextInput++);
        if (status == APERTUNE_OK)
            status = model.session->synchronize();
        const Nanoseconds end = base::monotonicNow();
        result.push_back({begin, end, base::threadCpuTime() - cpu});
        if (status != APERTUNE_OK)
            return model.session->error(status);
        if (stop.load(std::memory_order_relaxed))
            return cancelled();
        if (result.back().end > deadline)
            break;
    }
    return result;
}

void addTimes(std::vector<Nanoseconds>& times, std::vector<Nanoseconds>& cpu, const std::vector<Pass>& passes)
{
    for (const Pass& pass : passes) {
        times.push_back(pass.end - pass.begin);
        cpu.push_back(pass.cpu);
    }
}

void addNotice(trace::TraceBuilder& into, const std::string& profiler, const base::Message& reason,
               const base::Message& remedy, LossSeverity severity = LossSeverity::notice)
{
    into.addLoss({{},
                  EventKind::other,
                  0,
                  severity,
                  base::message<trace::reasons::kProfilerMissing>(profiler, base::sentencesOf({reason, remedy}))});
}

std::vector<Attached> startAll(const std::vector<trace::Profiler*>& profilers, trace::TraceBuilder& into)
{
    std::vector<Attached> running;
    for (trace::Profiler* const profiler : profilers) {
        const std::string name(profiler->name());
        if (const trace::Availability can = profiler->availability(); !can.possible) {
            addNotice(into, name, can.reason, can.remedy);
            continue;
        }
        auto started = profiler->start();
        if (started)
            running.push_back({name, std::move(*started)});
        else
            addNotice(into, name, started.error().message, started.error().hint, LossSeverity::warning);
    }
    return running;
}

std::int64_t epochNow()
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

void addIterations(trace::TraceBuilder& into, const std::vector<Pass>& traced)
{
    trace::Track track;
    track.process = ::getpid();
    track.thread = ::syscall(SYS_gettid);
    track.label = track.thread == track.process ? "main thread" : "measuring thread";
    trace::EventColumns& ranges = into.columns(into.track(track), EventKind::range);
    for (std::size_t i = 0; i < traced.size(); ++i) {
        trace::Event event;
        event.start = traced[i].begin - Nanoseconds{into.head().originMonotonic};
        event.duration = traced[i].end - traced[i].begin;
        event.name = into.intern("iteration " + std::to_string(i + 1));
        ranges.append(event);
    }
}

} // namespace

base::Result<Recording> recordTrace(LoadedModel& model, const TraceRequest& request,
                                    const std::vector<trace::Profiler*>& profilers, std::vector<Attached> attached,
                                    const std::atomic<bool>& stop, const PhaseSink& phase)
{
    Session& session = *model.session;
    Recording result;
    // The time is shared by three parts at most: bare, traced, bare.
    const Nanoseconds part{request.most.count / 3};
    const auto bare = [&](int count) -> base::Status {
        if (count <= 0)
            return {};
        phase("bare");
        const auto timed = passes(model, count, base::monotonicNow() + part, stop);
        if (!timed)
            return timed.error();
        addTimes(result.bare, result.bareCpu, *timed);
        return {};
    };
    if (auto status = bare((request.bareIterations + 1) / 2); !status)
        return status.error();

    phase("trace");
    trace::TraceBuilder builder;
    builder.head().source = toString(trace::Recorder::apertune);
    builder.head().originMonotonic = base::monotonicNow().count;
    builder.head().originEpoch = epochNow();
    std::vector<Attached> running = startAll(profilers, builder);
    const bool backend = request.operators && session.canTrace();
    if (backend) {
        apertune_trace_options options{};
        options.struct_size = sizeof options;
        options.record = request.record;
        options.max_events = request.maxEvents;
        options.enter = request.enter;
        options.leave = request.leave;
        if (auto status = session.startTrace(options); !status)
            return status.error();
    } else if (request.operators) {
        addNotice(builder, "operators", base::message<trace::reasons::kNoOperators>(), {});
    }
    auto traced = passes(model, request.iterations, base::monotonicNow() + part, stop, request.least);
    // The backend is stopped even if a pass failed. Otherwise its hooks would stay installed.
    BackendEvents events(builder, ::getpid());
    base::Status stopped;
    if (backend)
        stopped = session.stopTrace([&](const apertune_trace_batch& batch) { events.add(batch); });
    if (!traced)
        return traced.error();
    if (!stopped)
        return stopped.error();
    events.addLosses();
    addTimes(result.traced, result.tracedCpu, *traced);
    addIterations(builder, *traced);

    // Attached profilers and those that were started here are stopped alike.
    std::move(attached.begin(), attached.end(), std::back_inserter(running));
    for (Attached& profiler : running)
        if (auto status = profiler.session->stop(builder); !status)
            addNotice(builder, profiler.name, status.error().message, status.error().hint, LossSeverity::error);
    running.clear();
    if (auto status = bare(request.bareIterations / 2); !status)
        return status.error();
    result.trace = builder.finish();
    return result;
}

} // namespace apertune::worker
