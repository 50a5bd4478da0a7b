// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/device_work.h"
#include "core/analysis/number_format.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace apertune::analysis {

/// An index of a trace for the analyses: device work and host calls by start, joined by correlation, and the meaning of
/// every name. Building it is linear except for sorting.
///
///  - Without a recorded call for a correlation, Work::call is kNone.
///  - When a runtime call and a driver call share a correlation, the runtime call represents both.
///  - When several processes use the same numbers, work is joined with the process that the recorder reports, otherwise
///    with the process that fits its device.
///
/// REQUIRES: the trace outlives the index.
class TraceIndex
{
public:
    explicit TraceIndex(const trace::Trace& trace);

    const trace::Trace& trace;
    std::vector<std::int64_t> devices; ///< ids, ascending; the devices that did any work
    std::vector<Work> work;            ///< sorted by start
    std::vector<HostCall> calls;       ///< sorted by start

    std::string_view text(std::uint32_t name) const { return trace.strings[name]; }
    OpClass kernelClass(std::uint32_t name) const { return m_kernelClasses[name]; }
    OpClass operatorClass(std::uint32_t name) const { return m_operatorClasses[name]; }
    /// Returns whether a kernel uses tensor cores; nullopt when its name does not show it.
    std::optional<bool> tensorCores(std::uint32_t name) const { return m_tensorCores[name]; }
    NumberFormat kernelFormat(std::uint32_t name) const { return m_kernelFormats[name]; }

    /// Returns the detail of a copy or a memset; the default when unknown.
    const trace::CopyDetail& copy(const Work& w) const { return trace.details.copies[w.detail]; }
    /// Returns the detail of a kernel or a graph; the default when unknown.
    const trace::KernelDetail& launch(const Work& w) const { return trace.details.kernels[w.detail]; }
    /// Returns the time from the first start to the last end of the device work; empty when there is none.
    TimeRange workSpan() const;
    /// Returns the same for the device with that id. HolisticTraceAnalysis uses the same window.
    TimeRange workSpan(std::int64_t device) const;
    /// Returns the index of a device in `devices`, or kNone.
    std::int32_t deviceIndex(std::int64_t id) const;
    /// Returns the first call of a thread that ends after `time`, or kNone. Follow HostCall::next from there.
    std::int32_t firstCallEndingAfter(trace::TrackId track, std::int64_t time) const;
    /// Returns the times in which a thread captured graphs for all later passes. A thread that captures again and
    /// again, with launches of the graphs between, has none, because it does so in each pass.
    const TimeRanges& captures(trace::TrackId track) const;
    /// Returns the whole time of the capture that a call begins; nullopt when it begins none.
    std::optional<TimeRange> capture(const HostCall& call) const;

    bool hasKind(trace::EventKind kind) const;
    std::size_t count(trace::EventKind kind) const;

private:
    void collectWork();
    void collectCalls();
    void join();
    void findCaptures();
    std::vector<OpClass> m_kernelClasses;
    std::vector<OpClass> m_operatorClasses;
    std::vector<NumberFormat> m_kernelFormats;
    std::vector<std::optional<bool>> m_tensorCores;
    std::unordered_map<std::uint32_t, std::vector<std::int32_t>> m_callsOfTrack; ///< indices, by start
    std::unordered_map<std::uint32_t, TimeRanges> m_captures;
};

} // namespace apertune::analysis
