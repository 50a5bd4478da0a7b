// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay.h"

#include "core/analysis/launches.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace apertune::analysis {

namespace {

constexpr std::int64_t kShortestLatency = 3'000;
constexpr std::int64_t kLongestLatency = 9'000;
constexpr std::int64_t kClose = 3'000;            ///< work that begins so soon after other work may have waited for it
constexpr std::int64_t kUnexplained = 15'000;     ///< a longer delay has a reason
constexpr std::int64_t kDeviceClockSlack = 1'000; ///< between the clocks of host and device

std::size_t asIndex(std::int32_t number)
{
    return static_cast<std::size_t>(number);
}

WorkChange unchanged(std::int32_t)
{
    return {};
}

bool waitsAsRecorded(std::int32_t)
{
    return false;
}

} // namespace

/// Maps recorded times of the host to replayed ones.
struct Replay::Clock
{
    std::vector<std::pair<std::int64_t, std::int64_t>> points; ///< recorded and replayed time, both ascending

    std::int64_t operator()(std::int64_t time) const
    {
        const auto after = std::upper_bound(points.begin(), points.end(), time,
                                            [](std::int64_t t, const auto& point) { return t < point.first; });
        const auto& [recorded, replayed] = after == points.begin() ? *after : *std::prev(after);
        if (after == points.begin() || after == points.end())
            return replayed + (time - recorded);
        const double share = static_cast<double>(time - recorded) / static_cast<double>(after->first - recorded);
        return replayed + std::llround(share * static_cast<double>(after->second - replayed));
    }
    /// Has no effect for a time before the last point: another thread's call was under way.
    void set(std::int64_t recorded, std::int64_t replayed)
    {
        if (recorded >= points.back().first)
            points.emplace_back(recorded, std::max(replayed, points.back().second));
    }
};

Replay::Replay(const TraceIndex& index, std::int64_t device, std::span<const Interval> iterations,
               std::span<const Interval> calls)
    : m_index(index)
{
    std::size_t last = 0;
    const auto workUntil = [&index](std::int64_t time) {
        return std::lower_bound(index.work.begin(), index.work.end(), time,
                                [](const Work& w, std::int64_t t) { return w.time.start < t; }) -
               index.work.begin();
    };
    if (iterations.empty())
        return;
    const auto before = workUntil(iterations.front().start);
    while (last + 1 < iterations.size() &&
           static_cast<std::size_t>(workUntil(iterations[last + 1].end) - before) <= kMostWork)
        ++last;
    if (static_cast<std::size_t>(workUntil(iterations[last].end) - before) > kMostWork)
        return;
    collect(device, {iterations.front().start, iterations[last].end}, {calls.front().start, calls[last].end});
    if (m_pieces.empty())
        return;
    measureLatency();
    findFullQueues();
    findDependencies();
    m_unchanged = run(unchanged, waitsAsRecorded);
}

void Replay::collect(std::int64_t device, Interval window, Interval calls)
{
    const std::int32_t wanted = m_index.deviceIndex(device);
    std::map<std::int32_t, std::vector<std::int32_t>> launched; // work by call
    std::map<std::uint32_t, std::uint32_t> streams;             // by track
    m_span = {std::min(window.start, calls.start), calls.end};
    const auto addPiece = [&](std::int32_t number, bool follows) {
        const Work& w = m_index.work[asIndex(number)];
        const std::uint32_t track = m_index.trace.series[w.ref.series].track.value;
        const auto stream = streams.emplace(track, static_cast<std::uint32_t>(streams.size())).first->second;
        m_pieces.push_back({w.time, number, kNone, kNone, stream, follows});
    };
    const auto firstWork = std::lower_bound(m_index.work.begin(), m_index.work.end(), window.start,
                                            [](const Work& w, std::int64_t t) { return w.time.start < t; });
    for (auto w = firstWork; w != m_index.work.end() && w->time.start < window.end; ++w) {
        if (w->device != wanted)
            continue;
        const auto number = static_cast<std::int32_t>(w - m_index.work.begin());
        if (w->call != kNone && calls.contains(m_index.calls[asIndex(w->call)].time.start))
            launched[w->call].push_back(number);
        else
            launched[-2 - number].push_back(number); // a key of its own
    }
    const auto firstCall = std::lower_bound(m_index.calls.begin(), m_index.calls.end(), calls.start,
                                            [](const HostCall& c, std::int64_t t) { return c.time.start < t; });
    for (auto c = firstCall; c != m_index.calls.end() && c->time.start < calls.end; ++c)
        if (c->kind == CallKind::synchronize)
            launched[static_cast<std::int32_t>(c - m_index.calls.begin())];
    for (const auto& [call, work] : launched) {
        Step step;
        step.first = static_cast<std::int32_t>(m_pieces.size());
        for (std::size_t i = 0; i < work.size(); ++i)
            addPiece(work[i], i > 0);
        step.end = static_cast<std::int32_t>(m_pieces.size());
        if (call >= 0) {
            const HostCall& c = m_index.calls[asIndex(call)];
            step.call = call;
            step.time = c.time;
            // A short kernel may end within its launch call, which does not wait for it.
            const bool mayWait =
                c.kind == CallKind::copy || c.kind == CallKind::blockingCopy || c.time.length() > kLongCall;
            const auto isAwaited = [&](std::int32_t number) {
                return m_index.work[asIndex(number)].time.end <= c.time.end + kDeviceClockSlack;
            };
            step.waits =
                c.kind == CallKind::synchronize || (mayWait && std::all_of(work.begin(), work.end(), isAwaited));
        } else {
            const std::int64_t start = m_pieces[asIndex(step.first)].time.start;
            step.time = {start, start};
        }
        m_steps.push_back(step);
    }
    std::stable_sort(m_steps.begin(), m_steps.end(),
                     [](const Step& a, const Step& b) { return a.time.start < b.time.start; });
    m_streams = static_cast<std::uint32_t>(streams.size());
    std::int64_t lastWork = m_span.start;
    for (const Piece& piece : m_pieces)
        lastWork = std::max(lastWork, piece.time.end);
    m_lastCall = m_span.start;
    for (const Step& step : m_steps)
        m_lastCall = std::max(m_lastCall, step.called() ? step.time.end : m_lastCall);
    m_rest = std::max<std::int64_t>(0, calls.end - std::max(lastWork, m_lastCall));
    m_span.end = std::max(lastWork, m_lastCall) + m_rest;
}

void Replay::measureLatency()
{
    std::vector<std::int64_t> delays;
    for (const Step& step : m_steps)
        if (step.first < step.end && step.called())
            delays.push_back(m_pieces[asIndex(step.first)].time.start - step.time.start);
    m_latency = kShortestLatency;
    if (delays.empty())
        return;
    const auto low = delays.begin() + static_cast<std::ptrdiff_t>(delays.size() / 50);
    std::nth_element(delays.begin(), low, delays.end());
    m_latency = std::clamp(*low, kShortestLatency, kLongestLatency);
}

void Replay::findFullQueues()
{
    constexpr std::int64_t kFull = kFullQueue * 9 / 10;
    std::vector<std::int64_t> starts;
    for (const Step& step : m_steps)
        if (step.first < step.end)
            starts.push_back(m_pieces[asIndex(step.first)].time.start);
    std::sort(starts.begin(), starts.end());
    std::int64_t launched = 0;
    for (Step& step : m_steps) {
        const std::int64_t started = std::upper_bound(starts.begin(), starts.end(), step.time.start) - starts.begin();
        step.waits = step.waits || launched - started >= kFull;
        launched += step.first < step.end ? 1 : 0;
    }
}

void Replay::findDependencies()
{
    std::vector<std::int32_t> order(m_pieces.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<std::int32_t>(i);
    std::stable_sort(order.begin(), order.end(), [this](std::int32_t a, std::int32_t b) {
        return m_pieces[asIndex(a)].time.start < m_pieces[asIndex(b)].time.start;
    });
    std::vector<std::int32_t> last(m_streams, kNone);
    for (const std::int32_t number : order) {
        Piece& piece = m_pieces[asIndex(number)];
        piece.previous = last[piece.stream];
        const std::int64_t before = piece.previous == kNone ? INT64_MIN : m_pieces[asIndex(piece.previous)].time.end;
        for (const std::int32_t other : last) {
            if (other == kNone || other == piece.previous)
                continue;
            const std::int64_t ended = m_pieces[asIndex(other)].time.end;
            if (ended <= piece.time.start && ended > before &&
                (piece.beside == kNone || ended > m_pieces[asIndex(piece.beside)].time.end))
                piece.beside = other;
        }
        last[piece.stream] = number;
    }
}

bool Replay::isFaithful() const
{
    constexpr double kMostOff = 0.05, kFewestCalls = 0.9, kMostWaited = 0.1, kSoon = 0.02;
    double all = 0, called = 0, waited = 0;
    std::int64_t silentSince = m_span.start;
    for (const Step& step : m_steps) {
        for (std::int32_t i = step.first; i < step.end; ++i) {
            const Piece& piece = m_pieces[asIndex(i)];
            all += static_cast<double>(piece.time.length());
            called += step.called() ? static_cast<double>(piece.time.length()) : 0;
            if (!step.called() || piece.previous == kNone || piece.follows)
                continue;
            const auto silent = static_cast<double>(step.time.start - silentSince);
            const auto since = static_cast<double>(step.time.start - m_pieces[asIndex(piece.previous)].time.end);
            const bool drained = piece.time.start - step.time.start <= m_latency + kClose;
            waited += drained && since <= kSoon * silent ? silent : 0;
        }
        silentSince = step.called() ? std::max(silentSince, step.time.end) : silentSince;
    }
    const auto recorded = static_cast<double>(m_span.length());
    return m_unchanged > 0 && called >= kFewestCalls * all && waited <= kMostWaited * recorded &&
           std::abs(static_cast<double>(m_unchanged) - recorded) <= kMostOff * recorded;
}

double Replay::ratio(const WorkChanges& changes) const
{
    return static_cast<double>(run(changes, waitsAsRecorded)) / static_cast<double>(m_unchanged);
}

double Replay::ratioWithoutWaits(const Calls& calls) const
{
    return static_cast<double>(run(unchanged, calls)) / static_cast<double>(m_unchanged);
}

/// `launched` and `called`: replayed and recorded start of the call. `ends`: replayed ends by piece, INT64_MIN for
/// those that were not launched yet.
std::int64_t Replay::begin(const Piece& piece, std::int64_t launched, std::int64_t called,
                           std::span<const std::int64_t> ends) const
{
    const std::int64_t delay = piece.time.start - called;
    std::int64_t ready = piece.follows ? launched : launched + std::clamp<std::int64_t>(delay, 0, m_latency);
    std::int64_t pause = INT64_MAX;
    if (piece.previous != kNone) {
        pause = std::max<std::int64_t>(0, piece.time.start - m_pieces[asIndex(piece.previous)].time.end);
        if (ends[asIndex(piece.previous)] != INT64_MIN)
            ready = std::max(ready, ends[asIndex(piece.previous)] + (piece.follows ? pause : std::min(pause, kClose)));
    }
    // Work that begins late began after what ended last before it, whatever the reason.
    const bool late = !piece.follows && pause > kUnexplained && delay > m_latency + kUnexplained;
    if (piece.beside != kNone && ends[asIndex(piece.beside)] != INT64_MIN) {
        const std::int64_t since = piece.time.start - m_pieces[asIndex(piece.beside)].time.end;
        if (late || (since < kClose && delay > m_latency + kClose))
            return std::max(ready, ends[asIndex(piece.beside)] + since);
    }
    if (late && piece.previous != kNone && ends[asIndex(piece.previous)] != INT64_MIN)
        return std::max(ready, ends[asIndex(piece.previous)] + pause);
    return late ? std::max(ready, launched + delay) : ready;
}

std::int64_t Replay::run(const WorkChanges& changes, const Calls& withoutWait) const
{
    Clock clock;
    clock.points.emplace_back(m_span.start, m_span.start);
    std::vector<std::int64_t> ends(m_pieces.size(), INT64_MIN);
    std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> done(m_streams); // recorded and replayed ends
    std::int64_t latest = m_span.start;
    for (const Step& step : m_steps) {
        std::int64_t begun = clock(step.time.start);
        std::int64_t saved = 0;
        for (std::int32_t i = step.first; i < step.end; ++i)
            saved += changes(m_pieces[asIndex(i)].work).host;
        const std::int64_t inCall = std::min(saved, step.time.length());
        if (saved > inCall && step.time.start >= clock.points.back().first) {
            begun = std::max(begun - (saved - inCall), clock.points.back().second);
            clock.set(step.time.start, begun);
        }
        for (std::int32_t i = step.first; i < step.end; ++i) {
            const Piece& piece = m_pieces[asIndex(i)];
            const double factor = changes(piece.work).device;
            const std::int64_t start = begin(piece, begun, step.time.start, ends);
            const std::int64_t end = start + std::llround(factor * static_cast<double>(piece.time.length()));
            ends[asIndex(i)] = end;
            latest = std::max(latest, end);
            auto& stream = done[piece.stream];
            stream.emplace_back(stream.empty() ? piece.time.end : std::max(stream.back().first, piece.time.end), end);
        }
        if (!step.called())
            continue;
        std::int64_t ended = begun + step.time.length() - inCall;
        if (step.waits) {
            std::int64_t awaited = INT64_MIN, ready = INT64_MIN;
            for (const auto& stream : done) {
                const auto after =
                    std::upper_bound(stream.begin(), stream.end(), step.time.end + kDeviceClockSlack,
                                     [](std::int64_t time, const auto& piece) { return time < piece.first; });
                if (after == stream.begin())
                    continue;
                awaited = std::max(awaited, std::prev(after)->first);
                ready = std::max(ready, std::prev(after)->second);
            }
            const bool awaits = awaited > step.time.start;
            if (withoutWait(step.call))
                ended = awaits ? begun + std::max<std::int64_t>(0, step.time.end - awaited) : ended;
            else if (awaits)
                ended = std::max(begun, ready + std::max<std::int64_t>(0, step.time.end - awaited));
            else if (ready != INT64_MIN)
                ended = std::max(ended, ready);
        }
        clock.set(step.time.start, begun);
        clock.set(step.time.end, ended);
    }
    return std::max(clock(m_lastCall), latest) + m_rest - m_span.start;
}

} // namespace apertune::analysis
