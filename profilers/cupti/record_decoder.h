// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace_builder.h"
#include "profilers/cupti/cupti_api.h"
#include "profilers/cupti/kernel_launches.h"
#include "profilers/cupti/operator_links.h"
#include "profilers/cupti/recent_entries.h"
#include "profilers/cupti/staged_events.h"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

namespace apertune::profilers {

/// Where every record went: records == events + context + unknown + untimed + beyond. What is open is part of context
/// until finish(), and of events after it.
struct DecodeCounts
{
    std::uint64_t records = 0;
    std::uint64_t events = 0;  ///< became an event of their own
    std::uint64_t context = 0; ///< say something about events, devices or tracks
    std::uint64_t unknown = 0; ///< of a kind that this version does not know
    std::uint64_t untimed = 0; ///< CUPTI could not tell when they happened
    std::uint64_t beyond = 0;  ///< there was no room for them
    std::uint64_t open = 0;    ///< began and have not ended
    bool operator==(const DecodeCounts&) const = default;
};

/// Turns CUPTI's activity records into events. Times are kept as CUPTI gives them, less `origin`. One thread.
///
/// Texts are copied when they are first seen; a pointer that another buffer uses again for another text is noticed.
/// What the library hands over to its client (device names, overhead data) is freed.
class RecordDecoder
{
public:
    /// Events take some 30 bytes each: about 1 GiB of them.
    static constexpr std::uint64_t kMostRecords = 32'000'000;

    /// Keeps `most` records at the most; what comes then is counted as a loss.
    RecordDecoder(const CuptiApi& api, trace::TraceBuilder& into, std::int64_t origin = 0,
                  std::uint64_t most = kMostRecords);

    /// Reads a completed buffer. What cannot be read of it is counted as a loss.
    void decode(std::uint8_t* buffer, std::size_t valid);

    /// Joins operators with their calls and device work, draws ranges that did not end to the end of the recording, and
    /// notes the losses. REQUIRES: called once, at the end.
    void finish();

    const DecodeCounts& counts() const { return m_counts; }

private:
    enum class Outcome { event, context, opened, closed, unknown, untimed, beyond };
    struct OpenRange
    {
        std::int64_t start;
        trace::StringId name;
        trace::TrackId track;
    };
    struct Name
    {
        const char* pointer = nullptr;
        std::uint64_t buffer = 0; ///< in which the text behind the pointer was looked at last
        trace::StringId id;
    };
    struct KernelName
    {
        const char* pointer = nullptr;
        std::uint64_t buffer = 0;             ///< as above
        const std::string* mangled = nullptr; ///< into m_demangled
        trace::StringId id;
    };
    /// A stream of a context of a device, and a kind.
    struct Stream
    {
        std::uint64_t owner = 0;
        std::uint32_t stream = 0;
        trace::EventKind kind = trace::EventKind::other;
        StagedEvents* series = nullptr;
    };
    /// A function of the driver or the runtime, called by a thread of a process.
    struct Caller
    {
        std::uint64_t function = 0;
        std::uint64_t thread = 0;
        trace::StringId name;
        StagedEvents* series = nullptr;
    };

    /// Nearly all records are of kernels and calls: what the others need does not burden them.
    Outcome dispatch(const CUpti_Activity* record);
    Outcome dispatchOthers(const CUpti_Activity* record);
    Outcome kernel(const CUpti_ActivityKernel10& r);
    const KernelLaunches::Meaning& launchOf(const CUpti_ActivityKernel10& r);
    Outcome copy(const CUpti_ActivityMemcpy6& r);
    Outcome peerCopy(const CUpti_ActivityMemcpyPtoP4& r);
    template <typename Record>
    Outcome addCopy(const Record& r, const trace::CopyDetail& detail);
    Outcome fill(const CUpti_ActivityMemset4& r);
    Outcome call(const CUpti_ActivityAPI& r);
    Outcome memory(const CUpti_ActivityMemory4& r);
    Outcome pool(const CUpti_ActivityMemoryPool3& r);
    Outcome synchronization(const CUpti_ActivitySynchronization2& r);
    Outcome cudaEvent(const CUpti_ActivityCudaEvent2& r);
    Outcome device(const CUpti_ActivityDevice5& r);
    Outcome overhead(const CUpti_ActivityOverhead3& r);
    Outcome marker(const CUpti_ActivityMarker2& r);
    Outcome nameOf(const CUpti_ActivityName& r);
    Outcome graph(const CUpti_ActivityGraphTrace2& r);
    Outcome compilation(const CUpti_ActivityJit2& r);
    Outcome unifiedMemory(const CUpti_ActivityUnifiedMemoryCounter3& r);
    Outcome environment(const CUpti_ActivityEnvironment& r);
    Outcome decompression(const CUpti_ActivityMemDecompress& r);
    Outcome link(const CUpti_ActivityPcie& r);
    Outcome keyRotation(const CUpti_ActivityConfidentialComputeRotation& r);

    bool full() const { return m_counts.events + m_counts.open + m_links.size() >= m_most; }
    /// Ranges that did not end.
    void closeOpen();
    void flush();

    /// An event between two of CUPTI's times; false when they are unknown.
    bool timed(trace::Event& event, std::uint64_t start, std::uint64_t end) const
    {
        constexpr std::uint64_t kLatest = std::uint64_t{1} << 62; // 146 years
        if (start == 0 || end < start || end > kLatest)
            return false;
        event.start.count = static_cast<std::int64_t>(start) - m_origin;
        event.duration.count = static_cast<std::int64_t>(end - start);
        return true;
    }
    static Outcome add(StagedEvents& series, const trace::Event& event)
    {
        series.append(event);
        return Outcome::event;
    }

    trace::StringId text(const char* text);
    trace::StringId kernelName(const char* mangled);
    trace::StringId callName(CUpti_CallbackDomain domain, CUpti_CallbackId cbid);
    StagedEvents& onStream(trace::EventKind kind, std::uint32_t device, std::uint32_t context, std::uint32_t stream);
    trace::TrackId streamTrack(std::int64_t device, std::int64_t context, std::int64_t stream);
    trace::TrackId threadTrack(std::uint32_t process, std::uint32_t thread);
    trace::TrackId deviceTrack(std::uint32_t device);
    trace::TrackId objectTrack(CUpti_ActivityObjectKind kind, const CUpti_ActivityObjectKindId& id);
    StagedEvents& onThread(trace::EventKind kind, std::uint32_t process, std::uint32_t thread);
    void counter(std::uint32_t device, const char* label, const char* unit, std::uint64_t time, std::int64_t value);
    trace::DeviceProperties& properties(std::int64_t device);
    StagedEvents& remembered(trace::TrackId track, trace::EventKind kind);

    const CuptiApi& m_api;
    trace::TraceBuilder& m_into;
    std::int64_t m_origin;
    std::uint64_t m_most;
    DecodeCounts m_counts;
    std::uint64_t m_buffers = 0;    ///< read so far, with the one that is being read
    std::uint64_t m_unreadable = 0; ///< buffers whose rest could not be walked
    std::map<std::uint32_t, std::uint64_t> m_unknownKinds;

    RecentEntries<Name, 1024> m_names;                            ///< by pointer
    RecentEntries<KernelName, 1024> m_kernels;                    ///< by pointer
    std::unordered_map<std::string, trace::StringId> m_demangled; ///< by mangled name

    KernelLaunches m_launches;
    RecentEntries<Stream, 32> m_streams;
    RecentEntries<Caller, 256> m_callers;
    std::map<std::pair<std::uint32_t, trace::EventKind>, StagedEvents> m_series; ///< by track and kind

    std::unordered_map<std::uint32_t, std::int64_t> m_contextDevice;
    std::unordered_map<std::uint32_t, OpenRange> m_open;
    OperatorLinks m_links;
};

} // namespace apertune::profilers
