// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/base/result.h"
#include "core/comparison/named_difference.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace apertune::comparison {

/// Compares two traces, per sample where their batches (0: not known) differ. Failures: unsupported, when a trace has
/// neither device work nor operators.
base::Result<NamedDifference> compareTraces(const TraceName& a, double batchA, const TraceName& b, double batchB);

/// Returns what to know of a difference, one sentence each: first the difference itself, then how far to trust it.
std::vector<base::Message> differenceSentences(const NamedDifference& named);

/// The difference without recording, as Apertune measured it in the processes that were recorded.
struct BareChange
{
    model::Interval a; ///< ns of an iteration, median
    model::Interval b;
    model::Interval change;    ///< b − a
    model::Interval recording; ///< the difference of the recorded iterations minus `change`
};
/// Returns nothing for recordings of other tools, and where times are those of a sample.
std::optional<BareChange> bareChange(const NamedDifference& named);

/// Returns the size of TraceDifference::residual() over that of the whole change; 0 without a change.
double residualShare(const analysis::TraceDifference& difference);

/// Returns the layers with the largest change first; none where the two traces share no more than one product.
std::vector<analysis::DifferenceLayer> largestLayers(const analysis::TraceDifference& difference);

/// One difference, or several with the same A. Their forms are in trace_difference_{text,document,html}.h.
using Differences = std::span<const NamedDifference>;

/// A step of several differences with the same A.
struct CommonStep
{
    analysis::DifferenceStep step;                         ///< taken from the first difference that has it
    const analysis::TraceDifference* difference = nullptr; ///< the difference that `step` is from
    std::vector<std::optional<model::Interval>> changes;   ///< one for each difference; empty where it has no such step
};
/// Returns the steps of all differences, those with the largest change first.
/// REQUIRES: the differences outlive the result.
std::vector<CommonStep> commonSteps(Differences differences);

} // namespace apertune::comparison
