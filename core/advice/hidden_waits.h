// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/device_use.h"
#include "core/analysis/replay.h"
#include "core/analysis/trace_index.h"

#include <cstdint>
#include <span>

namespace apertune::advice {

/// A copy to the host of at most this size (bytes) is a reading of a number: Tensor.item().
inline constexpr std::int64_t kNumberBytes = 8;

/// Calls within iterations in which the host waits for the device, although it still has work of the iteration to
/// launch. A wait that ends an iteration is none of them.
struct HiddenWaits
{
    std::int64_t waits = 0;
    std::int64_t readings = 0; ///< copies of at most kNumberBytes to the host
    trace::TimeRange longest;
    /// Ns of synchronization in the gaps that begin with one of them: the host starts again from nothing.
    std::int64_t idle = 0;
    /// Ns of the window that the replay saves without them: the host would have launched ahead. 0 without a replay.
    std::int64_t saved = 0;

    std::int64_t cost() const { return idle > saved ? idle : saved; }
    bool found() const { return waits + readings > 0; }
};

/// The iterations in which hidden waits are looked for.
struct WatchedIterations
{
    std::span<const trace::TimeRange> work;  ///< the time of each one's work
    std::span<const trace::TimeRange> calls; ///< the time of each one's host calls; as many as `work`
    /// True when the recording does not mark iterations. They then begin after the longest pause, which may itself be a
    /// hidden wait.
    bool guessed = false;
    trace::TimeRange window; ///< HiddenWaits::saved is a part of it
};

/// `use`: of the device that the window is about. `replay`: null when the trace cannot be replayed.
HiddenWaits findHiddenWaits(const analysis::TraceIndex& index, const WatchedIterations& iterations,
                            const analysis::DeviceUse& use, const analysis::Replay* replay);

} // namespace apertune::advice
