// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/trace_index.h"

#include <vector>

namespace apertune::analysis {

enum class Collectives { counted, leftOut }; ///< whether kernels of collectives count

/// Returns the times in which kernels run, for each device in the order of TraceIndex::devices.
std::vector<TimeRanges> kernelTimes(const TraceIndex& index, Collectives collectives);

} // namespace apertune::analysis
