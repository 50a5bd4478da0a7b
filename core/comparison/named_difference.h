// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/difference.h"
#include "core/analysis/flame_difference.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <memory>
#include <string>

namespace apertune::comparison {

/// A trace of a difference, as users know it.
struct TraceName
{
    std::string name;      ///< "tr3", or the name of the trace's file
    std::string title;     ///< names what was recorded: "resnet50 O2 fp32 b4"
    std::int64_t id = 0;   ///< id of the trace in the workspace, for queries; 0: it is in none
    trace::TracePtr trace; ///< not null
};

/// The difference of two traces with what its forms need.
struct NamedDifference
{
    analysis::TraceDifference difference;
    TraceName a;
    TraceName b;
    double batchA = 0; ///< samples of an iteration; 0: not known
    double batchB = 0;
    /// Operators by stack on both sides, by device time where both have a device; null when it was not made.
    std::shared_ptr<const analysis::FlameDifference> flame{};

    /// Whether times and amounts are those of a sample, because the batches differ.
    bool perSample() const { return batchA > 0 && batchB > 0 && batchA != batchB; }
};

} // namespace apertune::comparison
