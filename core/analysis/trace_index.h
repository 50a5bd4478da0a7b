// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/intervals.h"
#include "core/analysis/names.h"
#include "core/analysis/number_format.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace apertune::analysis {

/// Where an event stands: Trace::series[series].events at `index`.
struct EventRef
{
    std::uint32_t series = 0;
    std::uint32_t index = 0;
};

constexpr std::int32_t kNone = -1;

/// A piece of device work (isDeviceWork) with what the analyses need at hand.
struct Work
{
    Interval time;
    std::int64_t bytes = 0; ///< copies and fills
    EventRef ref;
    std::uint32_t name = 0; ///< StringId
    std::uint32_t detail = 0;
    std::uint32_t link = 0;
    std::int32_t call = kNone; ///< the host call that caused it, index into TraceIndex::calls
    std::uint16_t device = 0;  ///< index into TraceIndex::devices
    trace::EventKind kind = trace::EventKind::kernel;
    bool isKernel() const { return kind == trace::EventKind::kernel || kind == trace::EventKind::graphLaunch; }
};

/// A call of the runtime or the driver on a host thread.
struct HostCall
{
    Interval time;
    EventRef ref;
    std::uint32_t name = 0; ///< StringId
    std::uint32_t correlation = 0;
    std::uint32_t link = 0;
    trace::TrackId track;
    std::int32_t work = kNone; ///< the first piece of device work it caused, index into TraceIndex::work
    std::int32_t next = kNone; ///< the next call on the same thread
    CallKind kind = CallKind::other;
};

/// A trace rearranged once for the analyses: device work and host calls by start, joined by correlation, and what every
/// name means. Refers to the trace, which must outlive it. Linear but for sorting.
///
/// A correlation without a call of its own (a recording without the runtime's calls) leaves Work::call at kNone. Where
/// a runtime call and a driver call share one, the runtime's stands for both. Where several processes use the same
/// numbers, work is joined with the process that the recorder tells, else with the one that fits its device.
class TraceIndex
{
public:
    explicit TraceIndex(const trace::Trace& trace);

    const trace::Trace& trace;
    std::vector<std::int64_t> devices; ///< ids, ascending; the devices that did any work
    std::vector<Work> work;            ///< by start
    std::vector<HostCall> calls;       ///< by start

    std::string_view text(std::uint32_t name) const { return trace.strings[name]; }
    OpClass kernelClass(std::uint32_t name) const { return m_kernelClasses[name]; }
    OpClass operatorClass(std::uint32_t name) const { return m_operatorClasses[name]; }
    /// Of a kernel; nothing where its name does not tell.
    std::optional<bool> tensorCores(std::uint32_t name) const { return m_tensorCores[name]; }
    NumberFormat kernelFormat(std::uint32_t name) const { return m_kernelFormats[name]; }

    /// Of a copy or a fill; the default when unknown.
    const trace::CopyDetail& copy(const Work& w) const { return trace.details.copies[w.detail]; }
    /// Of a kernel or a graph; the default when unknown.
    const trace::KernelDetail& launch(const Work& w) const { return trace.details.kernels[w.detail]; }
    /// Index of a device in `devices`, or kNone.
    std::int32_t deviceIndex(std::int64_t id) const;
    /// The first call of a thread that ends after `time`, or kNone. Follow HostCall::next from there.
    std::int32_t firstCallEndingAfter(trace::TrackId track, std::int64_t time) const;

    bool hasKind(trace::EventKind kind) const;
    std::size_t count(trace::EventKind kind) const;

private:
    void collectWork();
    void collectCalls();
    void join();
    std::vector<OpClass> m_kernelClasses;
    std::vector<OpClass> m_operatorClasses;
    std::vector<NumberFormat> m_kernelFormats;
    std::vector<std::optional<bool>> m_tensorCores;
    std::unordered_map<std::uint32_t, std::vector<std::int32_t>> m_callsOfTrack; ///< indices, by start
};

} // namespace apertune::analysis
