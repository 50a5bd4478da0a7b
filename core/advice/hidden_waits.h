// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/intervals.h"

#include <cstdint>
#include <vector>

namespace apertune::advice {

struct Facts;

/// A copy to the host of at most this size (bytes) is a reading of a number: Tensor.item().
inline constexpr std::int64_t kNumberBytes = 8;

/// Calls within iterations in which the host waits for the device, although it still has work of the iteration to
/// launch. A wait that ends an iteration is none of them.
struct HiddenWaits
{
    std::int64_t waits = 0;
    std::int64_t readings = 0; ///< copies of at most kNumberBytes to the host
    analysis::Interval longest;
    /// Ns of synchronization in the gaps that begin with one of them: the host starts again from nothing.
    std::int64_t idle = 0;
    /// Ns of the window that the replay saves without them: the host would have launched ahead. 0 without a replay.
    std::int64_t saved = 0;

    std::int64_t cost() const { return idle > saved ? idle : saved; }
    bool found() const { return waits + readings > 0; }
};

/// REQUIRES: facts.use and facts.replay are there.
HiddenWaits findHiddenWaits(const Facts& facts);

} // namespace apertune::advice
