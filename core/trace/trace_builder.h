// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <memory>
#include <string>
#include <string_view>

namespace apertune::trace {

/// Collects events in any order and makes a Trace of them. One thread. Importers and collectors intern texts, tracks
/// and details once and then append, which costs a few nanoseconds an event.
class TraceBuilder
{
public:
    TraceBuilder();
    ~TraceBuilder();
    TraceBuilder(TraceBuilder&&) noexcept;
    TraceBuilder& operator=(TraceBuilder&&) noexcept;

    StringId intern(std::string_view text);
    /// Tracks are the same when everything but label and unit agrees (counters: and the label); the first non-empty
    /// label stays.
    TrackId track(const Track& track);
    void setLabel(TrackId track, std::string label);

    // Index for Event::detail. The default-constructed detail is always 0.
    std::uint32_t detail(const KernelDetail& detail);
    std::uint32_t detail(const CopyDetail& detail);
    std::uint32_t detail(const SynchronizationDetail& detail);
    std::uint32_t detail(const OperatorDetail& detail);
    std::uint32_t detail(const MemoryDetail& detail);
    std::uint32_t detail(const NoteDetail& detail);

    /// The columns that a run of events goes to; stays valid until finish().
    EventColumns& columns(TrackId track, EventKind kind);
    void add(TrackId track, EventKind kind, const Event& event) { columns(track, kind).append(event); }

    /// Losses of the same kind and reason are counted together.
    void addLoss(Loss loss);

    /// Name, source, clocks, devices: set directly.
    Trace& head();
    std::size_t eventCount() const;

    /// Sorts every series, moves time 0 to the first event when `rebase` is set (the clocks of the head move with it),
    /// and hands the trace over. The builder is empty afterwards.
    Trace finish(bool rebase = true);

private:
    struct Index;
    std::unique_ptr<Index> m_index;
    Trace m_trace;
};

} // namespace apertune::trace
