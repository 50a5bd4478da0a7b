// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay.h"

#include "core/analysis/launches.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace apertune::analysis {

using trace::CopyDirection;

namespace {

constexpr std::int64_t kShortestLatency = 3'000;
constexpr std::int64_t kLongestLatency = 9'000;
constexpr std::int64_t kClose = 3'000;            ///< work that begins so soon after other work may have waited for it
constexpr std::int64_t kUnexplained = 15'000;     ///< a longer delay has a reason
constexpr std::int64_t kAsyncCall = 5'000;        ///< time of a copy call that does not wait
constexpr std::int64_t kDeviceClockSlack = 1'000; ///< between the clocks of host and device

std::size_t asIndex(std::int32_t number)
{
    return static_cast<std::size_t>(number);
}

/// Maps a recorded time of the host by the points around it.
std::int64_t mapped(const std::vector<std::pair<std::int64_t, std::int64_t>>& points, const TimeScale& scale,
                    std::int64_t time)
{
    const auto after = std::upper_bound(points.begin(), points.end(), time,
                                        [](std::int64_t t, const auto& point) { return t < point.first; });
    const auto& [recorded, replayed] = after == points.begin() ? *after : *std::prev(after);
    if (after == points.begin() || after == points.end())
        return replayed + scale(time) - scale(recorded);
    const auto whole = static_cast<double>(scale(after->first) - scale(recorded));
    const double share = whole > 0 ? static_cast<double>(scale(time) - scale(recorded)) / whole : 0;
    return replayed + std::llround(share * static_cast<double>(after->second - replayed));
}

} // namespace

std::int64_t Replayed::operator()(std::int64_t time) const
{
    return mapped(host, scale, time);
}

/// Maps recorded times of the host to replayed ones.
struct Replay::Clock
{
    std::vector<std::pair<std::int64_t, std::int64_t>> points; ///< recorded and replayed time, both ascending
    const TimeScale& scale;                                    ///< between two points

    std::int64_t operator()(std::int64_t time) const { return mapped(points, scale, time); }
    /// Has no effect for a time before the last point: another thread's call was under way.
    void set(std::int64_t recorded, std::int64_t replayed)
    {
        // The clock never runs backwards: an earlier event cannot move behind a later one.
        if (recorded >= points.back().first)
            points.emplace_back(recorded, std::max(replayed, points.back().second));
    }
};

/// The work of a simulation, and how far it has got.
struct Replay::Device
{
    std::vector<Piece> pieces;
    std::vector<std::int64_t> ends; ///< replayed ends by piece, INT64_MIN for those that were not launched yet
    std::vector<Ends> done;         ///< index: stream
    std::size_t sets = 1;           ///< ReplayChange::streams
    std::int64_t latest = 0;        ///< end of the last work
    struct Running
    {
        std::int64_t end;
        double fill;
    };
    std::vector<Running> running{}; ///< only with several sets

    /// Returns the first time from `ready` on at which the device has room for a work.
    std::int64_t roomFor(std::int64_t ready, double fill)
    {
        std::erase_if(running, [ready](const Running& r) { return r.end <= ready; });
        std::sort(running.begin(), running.end(), [](const Running& a, const Running& b) { return a.end < b.end; });
        double used = 0;
        // Work that fills a part of the device runs beside other work as long as both fit.
        for (const Running& r : running)
            used += r.fill;
        for (const Running& r : running) {
            // A little above 1, because sums of fractions round.
            if (used + fill <= 1 + 1e-9)
                break;
            used -= r.fill;
            ready = std::max(ready, r.end);
        }
        return ready;
    }
};

Replay::Replay(const TraceIndex& index, std::int64_t device, std::span<const TimeRange> iterations,
               std::span<const TimeRange> calls)
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
    // A replay holds all of its work in memory, so long recordings are cut at whole iterations.
    while (last + 1 < iterations.size() &&
           static_cast<std::size_t>(workUntil(iterations[last + 1].end) - before) <= kMostWork)
        ++last;
    if (static_cast<std::size_t>(workUntil(iterations[last].end) - before) > kMostWork)
        return;
    m_iterations.assign(calls.begin(), calls.begin() + static_cast<std::ptrdiff_t>(last) + 1);
    collect(device, {iterations.front().start, iterations[last].end}, {calls.front().start, calls[last].end});
    if (m_pieces.empty())
        return;
    measureLatency();
    findFullQueues();
    findDependencies(m_pieces, m_streams);
    m_unchanged = simulate({}).length;
}

void Replay::collect(std::int64_t device, TimeRange window, TimeRange calls)
{
    const std::int32_t wanted = m_index.deviceIndex(device);
    std::map<std::int32_t, std::vector<std::int32_t>> launched; // work by call
    std::map<std::uint32_t, std::uint32_t> streams;             // key: track
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
            // Negative keys never meet the number of a call.
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
    // What the host does after its last call is kept as it is.
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
    // A low percentile and not the minimum, because a single delay may be wrong by the difference of two clocks.
    const auto low = delays.begin() + static_cast<std::ptrdiff_t>(delays.size() / 50);
    std::nth_element(delays.begin(), low, delays.end());
    m_latency = std::clamp(*low, kShortestLatency, kLongestLatency);
}

void Replay::findFullQueues()
{
    // A call that begins with a nearly full queue waited for room in it, whatever its kind.
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

void Replay::findDependencies(std::vector<Piece>& pieces, std::uint32_t streams)
{
    std::vector<std::int32_t> order(pieces.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<std::int32_t>(i);
    std::stable_sort(order.begin(), order.end(), [&pieces](std::int32_t a, std::int32_t b) {
        return pieces[asIndex(a)].time.start < pieces[asIndex(b)].time.start;
    });
    std::vector<std::int32_t> last(streams, kNone);
    for (const std::int32_t number : order) {
        Piece& piece = pieces[asIndex(number)];
        piece.previous = last[piece.stream];
        piece.beside = kNone;
        const std::int64_t before = piece.previous == kNone ? INT64_MIN : pieces[asIndex(piece.previous)].time.end;
        for (const std::int32_t other : last) {
            if (other == kNone || other == piece.previous || pieces[asIndex(other)].apart)
                continue;
            const std::int64_t ended = pieces[asIndex(other)].time.end;
            if (ended <= piece.time.start && ended > before &&
                (piece.beside == kNone || ended > pieces[asIndex(piece.beside)].time.end))
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
           // The replay without a change has to return the recorded length; otherwise its answers to changes mean
           // nothing.
           std::abs(static_cast<double>(m_unchanged) - recorded) <= kMostOff * recorded;
}

double Replay::ratio(const WorkChanges& changes) const
{
    return static_cast<double>(simulate({.work = changes}).length) / static_cast<double>(m_unchanged);
}

double Replay::ratioWithoutWaits(const Calls& calls) const
{
    return static_cast<double>(simulate({.withoutWait = calls}).length) / static_cast<double>(m_unchanged);
}

double Replay::unchangedRatio() const
{
    return static_cast<double>(m_unchanged) / static_cast<double>(std::max<std::int64_t>(1, m_span.length()));
}

std::size_t Replay::iterationOf(const Step& step) const
{
    const auto after = std::upper_bound(m_iterations.begin(), m_iterations.end(), step.time.start,
                                        [](std::int64_t t, const TimeRange& i) { return t < i.start; });
    return after == m_iterations.begin() ? 0 : static_cast<std::size_t>(after - m_iterations.begin()) - 1;
}

/// Puts the work on its changed streams.
Replay::Device Replay::deviceOf(const ReplayChange& change) const
{
    Device device;
    device.pieces = m_pieces;
    const auto sets = static_cast<std::uint32_t>(std::max(1, change.streams));
    std::uint32_t streams = m_streams * sets;
    std::map<CopyDirection, std::uint32_t> copyStreams;
    bool moved = false;
    for (const Step& step : m_steps) {
        const auto set = static_cast<std::uint32_t>(iterationOf(step) % sets);
        for (std::int32_t i = step.first; i < step.end; ++i) {
            Piece& piece = device.pieces[asIndex(i)];
            piece.stream += set * m_streams;
            piece.apart = change.work && change.work(piece.work).apart;
            if (piece.apart) {
                const CopyDirection direction = m_index.copy(m_index.work[asIndex(piece.work)]).direction;
                const auto found = copyStreams.try_emplace(direction, streams);
                streams += found.second ? 1 : 0;
                piece.stream = found.first->second;
            }
            moved = moved || piece.apart || set > 0;
        }
    }
    if (moved) {
        findDependencies(device.pieces, streams);
        for (std::size_t i = 0; i < m_pieces.size(); ++i) {
            Piece& piece = device.pieces[i];
            // Work waits for what it waited for in the recording, unless that moved.
            const std::int32_t beside = m_pieces[i].beside;
            piece.moved =
                piece.previous != m_pieces[i].previous || (beside != kNone && device.pieces[asIndex(beside)].apart);
            // A copy to the host waits for the work whose result it copies; a copy to the device was prefetched.
            if (piece.apart)
                piece.beside = m_index.copy(m_index.work[asIndex(piece.work)]).direction == CopyDirection::hostToDevice
                                   ? kNone
                                   : m_pieces[i].previous;
            else if (sets > 1 && piece.beside != m_pieces[i].beside)
                piece.beside = kNone; // another iteration's work, which it only followed by chance
        }
    }
    device.ends.assign(m_pieces.size(), INT64_MIN);
    device.done.resize(streams);
    device.sets = sets;
    device.latest = m_span.start;
    return device;
}

/// `launched` and `called`: replayed and recorded start of the call.
std::int64_t Replay::begin(const Piece& piece, std::int64_t launched, std::int64_t called, const Device& device) const
{
    const std::vector<std::int64_t>& ends = device.ends;
    const std::int64_t delay = piece.time.start - called;
    // The shortest latency is that of the machine; what was longer had another cause, which the conditions below look
    // for.
    std::int64_t ready = piece.follows ? launched : launched + std::clamp<std::int64_t>(delay, 0, m_latency);
    std::int64_t pause = INT64_MAX;
    if (piece.previous != kNone) {
        pause = std::max<std::int64_t>(0, piece.time.start - m_pieces[asIndex(piece.previous)].time.end);
        if (ends[asIndex(piece.previous)] != INT64_MIN)
            ready = std::max(ready, ends[asIndex(piece.previous)] +
                                        (piece.follows && !piece.moved ? pause : std::min(pause, kClose)));
    }
    // Work that begins late began after what ended last before it, whatever the reason.
    const bool late = !piece.moved && !piece.follows && pause > kUnexplained && delay > m_latency + kUnexplained;
    if (piece.beside != kNone && ends[asIndex(piece.beside)] != INT64_MIN) {
        const std::int64_t since =
            std::max<std::int64_t>(0, piece.time.start - m_pieces[asIndex(piece.beside)].time.end);
        if (piece.apart)
            return std::max(ready, ends[asIndex(piece.beside)] + std::min(since, kClose));
        if (late || (since < kClose && delay > m_latency + kClose))
            return std::max(ready, ends[asIndex(piece.beside)] + since);
    }
    if (late && piece.previous != kNone && ends[asIndex(piece.previous)] != INT64_MIN)
        return std::max(ready, ends[asIndex(piece.previous)] + pause);
    return late ? std::max(ready, launched + delay) : ready;
}

/// `ended`: when the call ends without a wait.
std::int64_t Replay::endOfWait(const Step& step, std::int64_t begun, std::int64_t ended, const Device& device,
                               bool withoutWait) const
{
    std::int64_t awaited = INT64_MIN, ready = INT64_MIN;
    for (std::size_t s = 0; s < device.done.size(); ++s) {
        const Ends& stream = device.done[s];
        const auto after = std::upper_bound(stream.begin(), stream.end(), step.time.end + kDeviceClockSlack,
                                            [](std::int64_t time, const auto& piece) { return time < piece.first; });
        if (after == stream.begin())
            continue;
        awaited = std::max(awaited, std::prev(after)->first);
        // With several sets of streams, the host waits for the set whose turn is next.
        const bool waitedFor = device.sets == 1 || s / m_streams == (iterationOf(step) + 1) % device.sets;
        if (waitedFor)
            ready = std::max(ready, std::prev(after)->second);
    }
    const bool awaits = awaited > step.time.start;
    // After the awaited work, a wait takes the time that it took in the recording.
    const std::int64_t rest = std::max<std::int64_t>(0, step.time.end - awaited);
    if (withoutWait)
        return awaits ? begun + rest : ended;
    if (awaits)
        return std::max(begun, ready == INT64_MIN ? begun : ready + rest);
    return ready != INT64_MIN ? std::max(ended, ready) : ended;
}

Replayed Replay::simulate(const ReplayChange& change) const
{
    Clock clock{{}, change.host};
    clock.points.emplace_back(m_span.start, m_span.start);
    Device device = deviceOf(change);
    Replayed replayed;
    replayed.work.reserve(m_pieces.size());
    const auto changeOf = [&](const Piece& piece) { return change.work ? change.work(piece.work) : WorkChange{}; };
    for (const Step& step : m_steps) {
        std::int64_t begun = clock(step.time.start);
        std::int64_t saved = 0;
        bool async = false;
        for (std::int32_t i = step.first; i < step.end; ++i) {
            const WorkChange work = changeOf(m_pieces[asIndex(i)]);
            saved += work.host;
            async = async || work.async || work.apart;
        }
        // The host's part of the change has its own scale, such as a faster processor.
        const std::int64_t length = change.host.length(step.time);
        const std::int64_t inCall = std::min(saved, length);
        // More is saved than the call took, so the host was already earlier before it.
        if (saved > inCall && step.time.start >= clock.points.back().first) {
            begun = std::max(begun - (saved - inCall), clock.points.back().second);
            clock.set(step.time.start, begun);
        }
        for (std::int32_t i = step.first; i < step.end; ++i) {
            const Piece& piece = device.pieces[asIndex(i)];
            const double factor = changeOf(piece).device;
            std::int64_t start = begin(piece, begun, step.time.start, device);
            const double fill = change.fill && !piece.apart ? change.fill(piece.work) : piece.apart ? 0 : 1;
            if (change.streams > 1)
                start = device.roomFor(start, fill);
            const std::int64_t end = start + std::llround(factor * static_cast<double>(piece.time.length()));
            if (change.streams > 1)
                device.running.push_back({end, fill});
            device.ends[asIndex(i)] = end;
            device.latest = std::max(device.latest, end);
            replayed.work.push_back({piece.work, {start, end}});
            Ends& stream = device.done[piece.stream];
            if (!piece.apart)
                stream.emplace_back(stream.empty() ? piece.time.end : std::max(stream.back().first, piece.time.end),
                                    end);
        }
        if (!step.called())
            continue;
        std::int64_t ended = begun + length - inCall;
        if (async)
            // The call only hands the copy over and returns.
            ended = std::min(ended, begun + kAsyncCall);
        else if (step.waits)
            ended = endOfWait(step, begun, ended, device, change.withoutWait && change.withoutWait(step.call));
        clock.set(step.time.start, begun);
        clock.set(step.time.end, ended);
    }
    // The step ends when both the host and the device have ended.
    replayed.length = std::max(clock(m_lastCall), device.latest) + m_rest - m_span.start;
    replayed.host = std::move(clock.points);
    replayed.scale = change.host;
    return replayed;
}

} // namespace apertune::analysis
