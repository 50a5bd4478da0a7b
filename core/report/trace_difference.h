// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/difference.h"
#include "core/base/json.h"
#include "core/base/message.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace apertune::report {

/// A trace of a difference, as users know it.
struct TraceName
{
    std::string name;      ///< "tr3", or the name of its file
    std::string title;     ///< it names what was recorded: "resnet50 O2 fp32 b4"
    std::int64_t id = 0;   ///< its id in the workspace, for queries; 0: it is in none
    trace::TracePtr trace; ///< not null
};

/// The difference of two traces with what the forms below need.
struct NamedDifference
{
    analysis::TraceDifference difference;
    TraceName a;
    TraceName b;
    double batchA = 0; ///< samples of an iteration; 0: not known
    double batchB = 0;

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
    double scale; ///< of nanoseconds
};

/// Returns "−700.1 [−720.3, −680.2]", and "−700.1 [?]" without an interval.
std::string changeText(const model::Interval& change, const DifferenceUnit& unit);
/// Returns the value alone, with the digits that its interval supports.
std::string timeText(const model::Interval& time, const DifferenceUnit& unit);

/// Returns the names of works with their counts: "relu ×3, add". Of many, some are counted.
std::string worksText(const std::vector<analysis::NamedWork>& works);

/// Returns "apertune.trace-comparison/1".
base::Json traceDifferenceDocument(const NamedDifference& named);

/// Returns a text for people: a sentence, the steps from A to B as bars, and a table of at most `rows` parts.
std::string traceDifferenceText(const NamedDifference& named, std::size_t rows, int width);

/// Returns a table with a line for each part.
std::string traceDifferenceCsv(const NamedDifference& named);

/// Returns one self-contained HTML file, without scripts.
std::string traceDifferenceHtml(const NamedDifference& named);

} // namespace apertune::report
