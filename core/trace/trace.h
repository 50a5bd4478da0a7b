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

/// Where events run. The numbers are persistent.
enum class TrackType : std::uint8_t {
    hostThread = 1, ///< process, thread
    stream = 2,     ///< device, context, stream
    device = 3,     ///< what belongs to a device as a whole: memory, telemetry
    process = 4,    ///< what belongs to a process as a whole: resident memory, spans of the recorder
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
    std::string label = {}; ///< what a person reads: "python3 25738", "stream 7", "GPU power"
    /// Of a counter: "W", "MHz", "B", or "1e-3 %" where samples are thousandths (core/trace/counter_unit.h).
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

/// What a recorder says of a device, for occupancy, link and ceiling estimates. 0 or negative: not said.
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

enum class Severity : std::uint8_t { notice = 1, warning = 2, error = 3 };

/// Something that is missing from the trace or makes a part of it doubtful. Loss is data: it is kept and shown beside
/// every number it touches.
struct Loss
{
    base::Nanoseconds time = {}; ///< after Trace::origin, of the first case
    EventKind kind = EventKind::other;
    std::int64_t count = 0; ///< events lost; 0 when nobody can say
    Severity severity = Severity::warning;
    std::string reason = {}; ///< a sentence: "CUPTI dropped records: its buffers were full."
    bool operator==(const Loss&) const = default;
};

/// What recording cost: the same iterations in the same process, timed with nothing attached and again while recording.
struct RecordingCost
{
    model::Interval bareNs;   ///< median of an iteration without recording
    model::Interval tracedNs; ///< median of an iteration that is in the trace
    model::Interval ratio;    ///< traced over bare; 1.03 means that every time in the trace is about 3 % too long
    std::int64_t bareIterations = 0;
    std::int64_t tracedIterations = 0;
};

/// A recording. Immutable once built, shared as std::shared_ptr<const Trace> and read from any thread.
///
/// Times are nanoseconds after `origin`, which is the instant of the first event unless the recorder says otherwise;
/// `originEpoch` places it on the wall clock.
struct Trace
{
    std::string name;
    std::string source;               ///< "kineto", "nsys", "apertune"
    std::string recorderVersion;      ///< as the file says; empty when it does not
    std::int64_t originMonotonic = 0; ///< CLOCK_MONOTONIC ns of time 0; 0 when unknown
    std::int64_t originEpoch = 0;     ///< ns since 1970 of time 0; 0 when unknown

    std::vector<std::string> strings{std::string()};
    std::vector<Track> tracks;
    std::vector<Series> series; ///< by track, then kind; none is empty
    Details details;
    std::vector<DeviceProperties> devices;
    std::vector<Loss> losses;
    std::optional<RecordingCost> cost; ///< of Apertune's own captures

    std::string_view text(StringId id) const { return strings[id.value]; }
    std::string_view nameOf(const Series& s, std::size_t i) const { return strings[s.events.name[i]]; }
    const Track& track(const Series& s) const { return tracks[s.track.value]; }

    std::size_t eventCount() const;
    /// From the first start to the last end over all series; both 0 without events.
    base::Nanoseconds begin() const;
    base::Nanoseconds end() const;
    /// nullptr when there is none.
    const Series* find(TrackId track, EventKind kind) const;
    const DeviceProperties* device(std::int64_t id) const;
};

using TracePtr = std::shared_ptr<const Trace>;

} // namespace apertune::trace
