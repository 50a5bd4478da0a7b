// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/difference.h"
#include "core/base/json.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace apertune::report {

/// A trace of a difference, as users know it.
struct TraceName
{
    std::string name;      ///< "tr3", or the name of its file
    std::string title;     ///< what was recorded: "resnet50 O2 fp32 b4"
    std::int64_t id = 0;   ///< its id in the workspace, for queries; 0: it is in none
    trace::TracePtr trace; ///< not null
};

/// The difference of two traces with what the forms below need.
struct NamedDifference
{
    analysis::TraceDifference difference;
    TraceName a;
    TraceName b;
    bool perSample = false; ///< times are of a sample, because the batches differ
};

/// A step from the time of A to the time of B: all parts of one kind and class (or cause). The changes of all steps add
/// up to the difference.
struct DifferenceStep
{
    std::string name; ///< "convolution: replaced", "idle: launch gap"
    model::Interval change;
};

/// Returns the steps, largest first. Of the intervals of several parts, the squares of the half-widths add up.
std::vector<DifferenceStep> differenceSteps(const analysis::TraceDifference& difference);

/// Returns "apertune.trace-comparison/1".
base::Json traceDifferenceDocument(const NamedDifference& named);

/// Returns a text for people: a sentence, the steps from A to B as bars, and a table of at most `rows` parts.
std::string traceDifferenceText(const NamedDifference& named, std::size_t rows, int width);

/// Returns a table with a line for each part.
std::string traceDifferenceCsv(const NamedDifference& named);

/// Returns one self-contained HTML file, without scripts.
std::string traceDifferenceHtml(const NamedDifference& named);

} // namespace apertune::report
