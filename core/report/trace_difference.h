// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/difference.h"
#include "core/analysis/flame_difference.h"
#include "core/base/message.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace apertune::report {

/// A trace of a difference, as users know it.
struct TraceName
{
    std::string name;      ///< "tr3", or the name of its file
    std::string title;     ///< it names what was recorded: "resnet50 O2 fp32 b4"
    std::int64_t id = 0;   ///< its id in the workspace, for queries; 0: it is in none
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

/// Compares two traces, per sample where their batches (0: not known) differ. Failures: unsupported, when a trace has
/// neither device work nor operators.
base::Result<NamedDifference> compareTraces(const TraceName& a, double batchA, const TraceName& b, double batchB);

/// Returns what to know of a difference, one sentence each: first the difference itself, then how far to trust it.
std::vector<base::Message> differenceSentences(const NamedDifference& named);

/// The unit of all times of a difference: "ms" from 10 ms on, else "µs".
struct DifferenceUnit
{
    explicit DifferenceUnit(const analysis::TraceDifference& difference);
    const char* name;
    double scale; ///< factor from nanoseconds to the unit
};

/// Returns "−700.1 [−720.3, −680.2]", and "−700.1 [?]" without an interval.
std::string changeText(const model::Interval& change, const DifferenceUnit& unit);
/// Returns the value alone, with the digits that its interval supports.
std::string timeText(const model::Interval& time, const DifferenceUnit& unit);

/// Returns the names of works with their counts: "relu ×3, add". Of many, some are counted.
std::string worksText(const std::vector<analysis::NamedWork>& works);

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

} // namespace apertune::report
