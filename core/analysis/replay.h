// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/trace_index.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace apertune::analysis {

/// A change of one piece of device work.
struct WorkChange
{
    double device = 1;     ///< factor of its time on the device
    std::int64_t host = 0; ///< ns that the host saves by launching it in another way
};
/// Returns the change of TraceIndex::work[number].
using WorkChanges = std::function<WorkChange(std::int32_t number)>;
/// Selects calls: returns whether TraceIndex::calls[number] is one of them.
using Calls = std::function<bool(std::int32_t number)>;

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
    Replay(const TraceIndex& index, std::int64_t device, std::span<const Interval> iterations,
           std::span<const Interval> calls);

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

private:
    /// A piece of work and its dependencies.
    struct Piece
    {
        Interval time;
        std::int32_t work = kNone;
        std::int32_t previous = kNone; ///< the piece before it on its stream
        std::int32_t beside = kNone;   ///< the piece of another stream that ended last before it, and after `previous`
        std::uint32_t stream = 0;
        bool follows = false; ///< it was launched together with the piece before it, by a graph
    };
    /// A call of the host, or work without one.
    struct Step
    {
        Interval time;
        std::int32_t first = 0, end = 0; ///< its pieces
        std::int32_t call = kNone;       ///< index into TraceIndex::calls; kNone when it was not recorded
        bool waits = false;
        bool called() const { return call != kNone; }
    };
    struct Clock;

    void collect(std::int64_t device, Interval window, Interval calls);
    void findFullQueues();
    void findDependencies();
    void measureLatency();
    std::int64_t run(const WorkChanges& changes, const Calls& withoutWait) const;
    std::int64_t begin(const Piece& piece, std::int64_t launched, std::int64_t called,
                       std::span<const std::int64_t> ends) const;

    const TraceIndex& m_index;
    Interval m_span;             ///< the time from the first call or work to the last
    std::int64_t m_lastCall = 0; ///< end of the last call
    std::int64_t m_rest = 0;     ///< ns that are left of the span after the last call and the last work
    std::vector<Piece> m_pieces;
    std::vector<Step> m_steps; ///< sorted by start
    std::uint32_t m_streams = 0;
    std::int64_t m_latency = 0; ///< ns from the start of a launch call to its work, when nothing delays it
    std::int64_t m_unchanged = 0;
};

} // namespace apertune::analysis
