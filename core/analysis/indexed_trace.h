// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/iterations.h"

namespace apertune::analysis {

/// A trace with its index, its operators and its iterations, which most analyses need. It cannot be moved, because its
/// members refer to each other.
/// REQUIRES: the trace outlives it.
struct IndexedTrace
{
    explicit IndexedTrace(const trace::Trace& trace)
        : index(trace), forest(index), iterations(findIterations(index, forest))
    {
    }
    IndexedTrace(const IndexedTrace&) = delete;
    IndexedTrace& operator=(const IndexedTrace&) = delete;

    TraceIndex index;
    OperatorForest forest;
    Iterations iterations;
};

} // namespace apertune::analysis
