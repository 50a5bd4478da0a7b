// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/store/store.h"
#include "core/store/traces.h"
#include "core/trace/trace_builder.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::store {

/// Records a trace into a workspace while it happens.
///  - Events are gathered into chunks and committed about twice a second, so a view can follow and a crash costs about
///    half a second of events.
///  - A trace that was never closed stays readable. It is marked incomplete and has a Loss that says so.
///
/// Threads: one for the writer. Any thread may use the Store meanwhile.
/// REQUIRES: the Store is open for writing, outlives the writer and is not moved.
class TraceWriter
{
public:
    struct Options
    {
        base::Nanoseconds commitEvery{500'000'000};
        /// Bytes held back while writing fails. Events beyond them are dropped.
        std::size_t maxPendingBytes = std::size_t{64} << 20;
    };

    /// Adds a trace to the workspace. `head` gives its name, source, recorder version and clocks; the rest is ignored.
    /// Failures: those of Store::addTrace().
    static base::Result<TraceWriter> create(Store& store, const trace::Trace& head,
                                            std::optional<model::TrialId> trial = {});
    static base::Result<TraceWriter> create(Store& store, const trace::Trace& head, std::optional<model::TrialId> trial,
                                            Options options);
    TraceWriter(TraceWriter&&) noexcept;
    TraceWriter& operator=(TraceWriter&&) noexcept;
    /// Drops events that were not committed and leaves the trace incomplete, unless close() was called.
    ~TraceWriter();

    TraceId id() const;

    // These functions work as in TraceBuilder.
    trace::StringId intern(std::string_view text) { return m_rows.intern(text); }
    trace::TrackId track(const trace::Track& track) { return m_rows.track(track); }
    void setLabel(trace::TrackId track, std::string label) { m_rows.setLabel(track, std::move(label)); }
    template <typename Detail>
    std::uint32_t detail(const Detail& detail)
    {
        return m_rows.detail(detail);
    }
    void addLoss(trace::Loss loss);
    void setDevices(std::vector<trace::DeviceProperties> devices);
    void setCost(const trace::RecordingCost& cost) { m_rows.head().cost = cost; } ///< stored by close()

    /// Adds an event. Its times count from the head's origin.
    /// The next commit() or close() returns failures of writing. Events beyond `maxPendingBytes` are counted as a loss.
    void append(trace::TrackId track, trace::EventKind kind, const trace::Event& event);
    /// Adds a chunk that another process encoded.
    /// REQUIRES: this writer issued its track, texts and details.
    void append(trace::Chunk chunk);

    /// Stores all events so far. append() calls it when `commitEvery` has passed.
    base::Status commit();
    /// Stores the rest, joins small chunks and marks the trace complete. The writer must not be used afterwards.
    base::Status close();
    /// Removes the trace. The writer must not be used afterwards.
    base::Status discard();

private:
    struct State;
    explicit TraceWriter(std::unique_ptr<State> state);
    void commitWhenDue();
    std::unique_ptr<State> m_state;
    trace::TraceBuilder m_rows; ///< texts, tracks, details, losses; never events
};

} // namespace apertune::store
