// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <memory>
#include <string>
#include <string_view>

namespace apertune::trace {

/// Collects events in any order and builds a Trace from them. One thread may use an object at a time.
/// Importers and collectors intern texts, tracks and details once. Appending an event then costs a few nanoseconds.
class TraceBuilder
{
public:
    TraceBuilder();
    ~TraceBuilder();
    TraceBuilder(TraceBuilder&&) noexcept;
    TraceBuilder& operator=(TraceBuilder&&) noexcept;

    StringId intern(std::string_view text);
    /// Returns the id of an equal track, or adds the track. Tracks are equal when all fields but label and unit agree;
    /// counters also compare the label. The first non-empty label is kept.
    TrackId track(const Track& track);
    void setLabel(TrackId track, std::string label);

    // These functions return the index for Event::detail. It is 0 for a default-constructed detail.
    std::uint32_t detail(const KernelDetail& detail);
    std::uint32_t detail(const CopyDetail& detail);
    std::uint32_t detail(const SynchronizationDetail& detail);
    std::uint32_t detail(const OperatorDetail& detail);
    std::uint32_t detail(const MemoryDetail& detail);
    std::uint32_t detail(const NoteDetail& detail);

    /// Returns the columns of one series. The reference is valid until finish().
    EventColumns& columns(TrackId track, EventKind kind);
    void add(TrackId track, EventKind kind, const Event& event) { columns(track, kind).append(event); }

    /// Adds a loss. Losses of the same kind and reason are counted together.
    void addLoss(Loss loss);

    /// Returns the trace under construction, to set its name, source, clocks and devices.
    Trace& head();
    std::size_t eventCount() const;

    /// Sorts every series and returns the trace. The builder is empty afterwards. With `rebase`, time 0 moves to the
    /// first event, and the clocks of head() move with it.
    Trace finish(bool rebase = true);

private:
    struct Index;
    std::unique_ptr<Index> m_index;
    Trace m_trace;
};

} // namespace apertune::trace
