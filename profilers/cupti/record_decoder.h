// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace_builder.h"
#include "profilers/cupti/cupti_api.h"
#include "profilers/cupti/kernel_launches.h"
#include "profilers/cupti/operator_links.h"
#include "profilers/cupti/recent_entries.h"
#include "profilers/cupti/record_names.h"
#include "profilers/cupti/record_series.h"
#include "profilers/cupti/staged_events.h"

#include <cstdint>
#include <map>
#include <unordered_map>

namespace apertune::profilers {

/// The fate of the records: records == events + context + unknown + untimed + dropped. Open ranges count as context
/// until finish(), and as events after it.
struct DecodeCounts
{
    std::uint64_t records = 0;
    std::uint64_t events = 0;  ///< records that became an event
    std::uint64_t context = 0; ///< records that describe events, devices or tracks
    std::uint64_t unknown = 0; ///< records of a kind that this version does not know
    std::uint64_t untimed = 0; ///< records without a time
    std::uint64_t dropped = 0; ///< records above the limit of what is kept
    std::uint64_t open = 0;    ///< ranges that began and have not ended
    bool operator==(const DecodeCounts&) const = default;
};

/// Converts CUPTI's activity records to events, with one function for each kind of record. RecordNames and RecordSeries
/// find the texts and the series of the trace.
///
/// * Times are CUPTI's minus `origin`.
/// * It frees the data that the library passes to its client: device names and overhead data.
/// * One thread may use it.
class RecordDecoder
{
public:
    /// About 1 GiB of events, which take some 30 bytes each.
    static constexpr std::uint64_t kMostRecords = 32'000'000;

    /// Keeps at most `most` records. Later ones are counted as a loss.
    RecordDecoder(const CuptiApi& api, trace::TraceBuilder& into, std::int64_t origin = 0,
                  std::uint64_t most = kMostRecords);

    /// Reads a completed buffer. A part that cannot be read is counted as a loss.
    void decode(std::uint8_t* buffer, std::size_t valid);

    /// Links operators to their calls and device work, ends open ranges where the recording ends, and adds the losses.
    ///
    /// REQUIRES: it is called once, at the end.
    void finish();

    const DecodeCounts& counts() const { return m_counts; }

private:
    enum class Outcome { event, context, opened, closed, unknown, untimed, dropped };
    struct OpenRange
    {
        std::int64_t start;
        trace::StringId name;
        trace::TrackId track;
    };
    /// A function of the driver or the runtime, called by a thread of a process.
    struct Caller
    {
        std::uint64_t function = 0;
        std::uint64_t thread = 0;
        trace::StringId name;
        StagedEvents* series = nullptr;
    };

    /// Nearly all records are of kernels and calls. Their path stays short without the other kinds.
    Outcome dispatch(const CUpti_Activity* record);
    Outcome dispatchOthers(const CUpti_Activity* record);
    Outcome kernel(const CUpti_ActivityKernel10& r);
    const KernelLaunches::Meaning& launchOf(const CUpti_ActivityKernel10& r);
    Outcome copy(const CUpti_ActivityMemcpy6& r);
    Outcome peerCopy(const CUpti_ActivityMemcpyPtoP4& r);
    template <typename Record>
    Outcome addCopy(const Record& r, const trace::CopyDetail& detail);
    Outcome memorySet(const CUpti_ActivityMemset4& r);
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
    /// Ends the ranges that did not end.
    void closeOpen();

    /// Sets the time of an event from two times of CUPTI. Returns false when CUPTI does not know them.
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

    void counter(std::uint32_t device, const char* label, const char* unit, std::uint64_t time, std::int64_t value);
    trace::DeviceProperties& properties(std::int64_t device);

    const CuptiApi& m_api;
    trace::TraceBuilder& m_into;
    std::int64_t m_origin;
    std::uint64_t m_most;
    DecodeCounts m_counts;
    std::uint64_t m_unreadable = 0; ///< buffers with a part that could not be read
    std::map<std::uint32_t, std::uint64_t> m_unknownKinds;

    RecordNames m_names;
    RecordSeries m_series;
    KernelLaunches m_launches;
    RecentEntries<Caller, 256> m_callers;
    std::unordered_map<std::uint32_t, std::int64_t> m_contextDevice;
    std::unordered_map<std::uint32_t, OpenRange> m_open;
    OperatorLinks m_links;
};

} // namespace apertune::profilers
