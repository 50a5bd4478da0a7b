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

/// Records a trace into a workspace while it happens. Events are gathered into chunks and committed about twice a
/// second, so that a view can follow and a crash costs half a second. A trace that was never closed stays readable; it
/// is marked incomplete, and says so in its losses.
///
/// One thread. The Store must outlive the writer and stay where it is open for writing; other calls on it may come in
/// between from any thread.
class TraceWriter
{
public:
    struct Options
    {
        base::Nanoseconds commitEvery{500'000'000};
        std::size_t maxPendingBytes = std::size_t{64} << 20; ///< kept while the disk does not take them; then dropped
    };

    /// `head` gives name, source, recorder version and clocks; the rest of it is not looked at.
    /// Failures: as Store::addTrace().
    static base::Result<TraceWriter> create(Store& store, const trace::Trace& head,
                                            std::optional<model::TrialId> trial = {});
    static base::Result<TraceWriter> create(Store& store, const trace::Trace& head, std::optional<model::TrialId> trial,
                                            Options options);
    TraceWriter(TraceWriter&&) noexcept;
    TraceWriter& operator=(TraceWriter&&) noexcept;
    ~TraceWriter(); ///< without close(): what was not committed is gone, and the trace stays incomplete

    TraceId id() const;

    // As TraceBuilder.
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

    /// An event, its times after the head's origin. Failures of writing show at the next commit() or close(); what
    /// cannot be kept until the disk takes it again is counted as a loss.
    void append(trace::TrackId track, trace::EventKind kind, const trace::Event& event);
    /// A chunk that another process encoded. REQUIRES: its track, texts and details are of this writer.
    void append(trace::Chunk chunk);

    /// Stores everything so far. Called by itself when `commitEvery` has passed.
    base::Status commit();
    /// Stores the rest, joins small chunks and marks the trace complete. Nothing may follow.
    base::Status close();
    /// Removes the trace. Nothing may follow.
    base::Status discard();

private:
    struct State;
    explicit TraceWriter(std::unique_ptr<State> state);
    void commitWhenDue();
    std::unique_ptr<State> m_state;
    trace::TraceBuilder m_rows; ///< texts, tracks, details, losses; never events
};

} // namespace apertune::store
