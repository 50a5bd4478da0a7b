// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/time_scale.h"
#include "core/analysis/trace_index.h"

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace apertune::analysis {

/// A change of one piece of device work.
struct WorkChange
{
    double device = 1;     ///< factor of the work's time on the device
    std::int64_t host = 0; ///< ns that the host saves by launching it in another way
    bool async = false;    ///< the call that launches the work returns at once, whatever it waited for
    /// It moves to a stream of its own, beside all other work: it begins after the work of its old stream that made it
    /// ready, and no other work or host waits for it.
    bool apart = false;
};
/// Returns the change of TraceIndex::work[number].
using WorkChanges = std::function<WorkChange(std::int32_t number)>;
/// Selects calls: returns whether TraceIndex::calls[number] is one of them.
using Calls = std::function<bool(std::int32_t number)>;

/// The changes of a simulation.
struct ReplayChange
{
    WorkChanges work{};  ///< empty: none
    Calls withoutWait{}; ///< calls that do not wait for the device; empty: none
    TimeScale host{};    ///< changed time of the host
    /// Consecutive iterations take turns on so many sets of streams. A wait of the host in an iteration is then for the
    /// work of the iteration `streams` − 1 before. Work of several sets runs at the same time as far as it leaves parts
    /// of the device unused.
    int streams = 1;
    std::function<double(std::int32_t number)> fill{}; ///< part of the device that a work uses, 0..1; empty: all of it
};

/// The times of a simulated part of a trace.
struct Replayed
{
    std::int64_t length = 0;                                   ///< ns of the part
    std::vector<std::pair<std::int32_t, TimeRange>> work{};    ///< number in TraceIndex::work, changed time
    std::vector<std::pair<std::int64_t, std::int64_t>> host{}; ///< recorded and changed times of the host, ascending
    TimeScale scale{};                                         ///< the host's time between two of these
    /// Returns the changed time of an instant of the host.
    std::int64_t operator()(std::int64_t time) const;
};

/// Estimates the time of a part of a trace with changed times of device work. The saving can be less than the change of
/// the work: a device may wait for its host, or work on another stream at the same time.
///
/// The dependency graph is reconstructed from the recording, as in Daydream (Zhu et al., USENIX ATC 2020):
///  * The host continues as recorded, except that a call which waited for the device, or for room in its full queue of
///    launches, ends when the device has reached that point. All threads share one clock.
///  * Work begins after its launch and the shortest usual latency, and after the previous work of its stream.
///  * Work that began right after work of another stream had ended depends on that work.
///  * Work that began later than these rules explain keeps its recorded distance to the work that ended before it.
///
/// Thread rule: any thread may use a constant object.
/// REQUIRES: the index outlives this object.
class Replay
{
public:
    /// Largest number of pieces of work that are replayed. The first iterations that fit are used.
    static constexpr std::size_t kMostWork = 40'000;

    /// `iterations`: times on the device; `calls`: the times in which their host calls begin, one for each.
    Replay(const TraceIndex& index, std::int64_t device, std::span<const TimeRange> iterations,
           std::span<const TimeRange> calls);

    /// Returns whether the recording determines the replay well enough:
    ///  * The replay without a change takes as long as the recording, within 5 %.
    ///  * The calls of nine tenths of the work were recorded.
    ///  * The host waits for the device in recorded calls only. Pauses without a call that end just when the device has
    ///    nothing left to do are at most a tenth of the time.
    bool isFaithful() const;
    /// Returns the time with the changes divided by the time without any.
    /// REQUIRES: isFaithful()
    double ratio(const WorkChanges& changes) const;
    /// Returns the time divided by the recorded one when these calls do not wait for the device, so that the host
    /// launches ahead. A call that waited for nothing that was recorded takes as long as before.
    /// REQUIRES: isFaithful()
    double ratioWithoutWaits(const Calls& calls) const;
    /// Simulates the part with changes.
    /// REQUIRES: isFaithful()
    Replayed simulate(const ReplayChange& change) const;
    /// Returns the replayed over the recorded length without a change.
    double unchangedRatio() const;
    /// Returns the times in which the host calls of the replayed iterations begin.
    std::span<const TimeRange> iterations() const { return m_iterations; }
    TimeRange span() const { return m_span; }

private:
    /// A piece of work and its dependencies.
    struct Piece
    {
        TimeRange time;
        std::int32_t work = kNone;
        std::int32_t previous = kNone; ///< the piece before it on its stream
        std::int32_t beside = kNone;   ///< the piece of another stream that ended last before it, and after `previous`
        std::uint32_t stream = 0;
        bool follows = false; ///< it was launched together with the piece before it, by a graph
        bool moved = false;   ///< a change moved it, or what came before it, to another stream
        bool apart = false;   ///< WorkChange::apart
    };
    /// A call of the host, or work without one.
    struct Step
    {
        TimeRange time;
        std::int32_t first = 0, end = 0; ///< range of the pieces of this step
        std::int32_t call = kNone;       ///< index into TraceIndex::calls; kNone when it was not recorded
        bool waits = false;
        bool called() const { return call != kNone; }
    };
    struct Clock;
    struct Device;
    using Ends = std::vector<std::pair<std::int64_t, std::int64_t>>; ///< recorded and replayed ends, ascending

    void collect(std::int64_t device, TimeRange window, TimeRange calls);
    void findFullQueues();
    static void findDependencies(std::vector<Piece>& pieces, std::uint32_t streams);
    void measureLatency();
    Device deviceOf(const ReplayChange& change) const;
    std::size_t iterationOf(const Step& step) const;
    std::int64_t endOfWait(const Step& step, std::int64_t begun, std::int64_t ended, const Device& device,
                           bool withoutWait) const;
    std::int64_t begin(const Piece& piece, std::int64_t launched, std::int64_t called, const Device& device) const;

    const TraceIndex& m_index;
    TimeRange m_span;                    ///< the time from the first call or work to the last
    std::int64_t m_lastCall = 0;         ///< end of the last call
    std::int64_t m_rest = 0;             ///< ns that are left of the span after the last call and the last work
    std::vector<TimeRange> m_iterations; ///< times in which the host calls of each begin
    std::vector<Piece> m_pieces;
    std::vector<Step> m_steps; ///< sorted by start
    std::uint32_t m_streams = 0;
    std::int64_t m_latency = 0; ///< ns from the start of a launch call to its work, when nothing delays it
    std::int64_t m_unchanged = 0;
};

} // namespace apertune::analysis
