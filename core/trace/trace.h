// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/measurement.h"
#include "core/trace/details.h"
#include "core/trace/event.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::trace {

/// Kinds of place where events run. The numbers are persistent.
enum class TrackType : std::uint8_t {
    hostThread = 1, ///< process, thread
    stream = 2,     ///< device, context, stream
    device = 3,     ///< events of a device as a whole: memory, telemetry
    process = 4,    ///< events of a process as a whole: resident memory, spans of the recorder
    counter = 5,    ///< one series of samples, or of states (as deviceRange)
};

/// One line of a timeline. Fields that do not apply are -1.
struct Track
{
    TrackType type = TrackType::hostThread;
    std::int64_t process = -1;
    std::int64_t thread = -1;
    std::int64_t device = -1;
    std::int64_t context = -1;
    std::int64_t stream = -1;
    std::string label = {}; ///< name for people: "python3 25738", "stream 7", "GPU power"
    /// Unit of a counter: "W", "MHz", "B", or "1e-3 %" where samples are thousandths (core/trace/counter_unit.h).
    std::string unit = {};
    bool operator==(const Track&) const = default;
};

/// All events of one kind on one track, sorted as EventColumns::sort() says.
struct Series
{
    TrackId track;
    EventKind kind = EventKind::other;
    EventColumns events;
};

/// Properties of a device that a recorder reports, for occupancy, link and ceiling estimates. 0 or negative: unknown.
struct DeviceProperties
{
    std::int64_t id = -1;
    std::string name;
    int computeMajor = 0;
    int computeMinor = 0;
    int multiprocessors = 0;
    int warpSize = 32;
    int maxThreadsPerBlock = 0;
    int maxThreadsPerMultiprocessor = 0;
    int registersPerMultiprocessor = 0;
    std::int64_t sharedBytesPerBlock = 0;
    std::int64_t sharedBytesPerMultiprocessor = 0;
    std::int64_t totalMemory = 0;     ///< bytes
    std::int64_t memoryBandwidth = 0; ///< bytes per second
    std::int64_t linkBandwidth = 0;   ///< bytes per second between host and device, one direction
    bool operator==(const DeviceProperties&) const = default;
};

enum class LossSeverity : std::uint8_t { notice = 1, warning = 2, error = 3 };

/// Data that is missing from the trace, or a reason to doubt a part of it. Losses are stored with the trace and shown
/// next to every number that they affect.
struct Loss
{
    base::Nanoseconds time = {}; ///< time of the first case, after Trace::origin
    EventKind kind = EventKind::other;
    std::int64_t count = 0; ///< events lost; 0: unknown
    LossSeverity severity = LossSeverity::warning;
    base::Message reason = {}; ///< "CUPTI dropped records: there was no room for them."
    bool operator==(const Loss&) const = default;
};

/// Cost of recording: the same iterations in the same process, timed without a recorder and again while recording.
struct RecordingCost
{
    model::Interval bareNs;   ///< median of an iteration without recording
    model::Interval tracedNs; ///< median of an iteration that is in the trace
    model::Interval ratio;    ///< traced over bare; 1.03 means that every time in the trace is about 3 % too long
    std::int64_t bareIterations = 0;
    std::int64_t tracedIterations = 0;
};

/// An imported recording. It does not change once built, is shared as std::shared_ptr<const Trace> and may be read from
/// any thread.
///
/// Times are nanoseconds after `origin`, which is the instant of the first event unless the recorder says otherwise;
/// `originEpoch` places it on the wall clock.
struct Trace
{
    std::string name;
    std::string source;               ///< word of the recorder, see recorderOf()
    std::string recorderVersion;      ///< version in the file; empty when it has none
    std::int64_t originMonotonic = 0; ///< CLOCK_MONOTONIC ns of time 0; 0 when unknown
    std::int64_t originEpoch = 0;     ///< ns since 1970 of time 0; 0 when unknown
    std::int64_t rank = -1;           ///< number of the process in its distributed job; -1: none, or unknown
    std::int64_t worldSize = 0;       ///< number of processes of the job; 0: unknown

    std::vector<std::string> strings{std::string()};
    std::vector<Track> tracks;
    std::vector<Series> series; ///< sorted by track, then kind; no series is empty
    Details details;
    std::vector<DeviceProperties> devices;
    std::vector<Loss> losses;
    std::optional<RecordingCost> cost; ///< known for Apertune's own captures only

    std::string_view text(StringId id) const { return strings[id.value]; }
    std::string_view nameOf(const Series& s, std::size_t i) const { return strings[s.events.name[i]]; }
    const Track& track(const Series& s) const { return tracks[s.track.value]; }

    std::size_t eventCount() const;
    /// First start and last end over all series. Both are 0 without events.
    base::Nanoseconds begin() const;
    base::Nanoseconds end() const;
    /// Returns nullptr when the trace has no such series.
    const Series* find(TrackId track, EventKind kind) const;
    const DeviceProperties* device(std::int64_t id) const;
};

using TracePtr = std::shared_ptr<const Trace>;

} // namespace apertune::trace
