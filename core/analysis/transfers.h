// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/operator_forest.h"

#include <optional>
#include <string_view>
#include <vector>

namespace apertune::analysis {

/// Copies with the same device, direction, kinds of memory and operator of origin.
struct TransferRow
{
    std::int64_t device = 0;
    trace::CopyDirection direction = trace::CopyDirection::unknown;
    trace::MemoryKind source = trace::MemoryKind::unknown;
    trace::MemoryKind target = trace::MemoryKind::unknown;
    bool blocking = false;    ///< true when the call blocks, like cudaMemcpy
    std::uint32_t origin = 0; ///< StringId of the operator; 0: no operator, or not recorded
    std::int64_t count = 0;
    std::int64_t bytes = 0;    ///< 0: unknown
    std::int64_t time = 0;     ///< Σ durations
    std::int64_t exposed = 0;  ///< part of `time` while no kernel of the device ran
    std::int64_t callTime = 0; ///< Σ host time in the calls
    TimeRange longest;

    bool touchesPageable() const
    {
        return source == trace::MemoryKind::pageable || target == trace::MemoryKind::pageable;
    }
    bool crossesLink() const
    {
        return direction == trace::CopyDirection::hostToDevice || direction == trace::CopyDirection::deviceToHost;
    }
    /// Returns bytes per second while the copies ran; 0: unknown.
    double bandwidth() const
    {
        return time > 0 && bytes > 0 ? static_cast<double>(bytes) / (static_cast<double>(time) * 1e-9) : 0;
    }
    /// Bandwidth over the bandwidth of the link; -1 when either is unknown or the copies do not cross the link.
    double linkShare(const trace::DeviceProperties* properties) const;
};

/// Two copies of equal size within an iteration, first to the host and then back to the device: a stage that left the
/// device.
struct RoundTrip
{
    std::int32_t toHost = kNone; ///< indices into TraceIndex::work
    std::int32_t toDevice = kNone;
    std::int64_t bytes = 0;
};

struct TransferLedger
{
    std::vector<TransferRow> rows; ///< sorted by time, longest first
    std::vector<RoundTrip> roundTrips;
    std::int64_t count(trace::CopyDirection direction) const;
    std::int64_t bytes(trace::CopyDirection direction) const;
    std::int64_t time(trace::CopyDirection direction) const;
    std::int64_t exposed(trace::CopyDirection direction) const;
};

/// Collects the copies that start in `window`. A round trip is a copy to the host, followed in the same iteration by a
/// copy of as many bytes (at least 4 KiB) to the device. The first copies of an iteration to the device are its inputs
/// and the last ones to the host are its outputs, so they form no round trip by their order alone.
TransferLedger transferLedger(const TraceIndex& index, const OperatorForest& forest, TimeRange window,
                              const std::vector<TimeRange>& iterations);

/// "host to device", "device to host", …
std::string_view toString(trace::CopyDirection direction);
/// "pageable", "pinned", "device", …
std::string_view toString(trace::MemoryKind kind);

} // namespace apertune::analysis
