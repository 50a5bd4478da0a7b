// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/comparison/named_difference.h"
#include "core/model/measurement.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::comparison {

/// The English words of a difference, which all of its forms but the window's share.

/// Returns a machine's word with blanks: "launch_gap" gives "launch gap".
std::string spaced(std::string_view name);
/// Returns "+1.50", "−1.50" or "0.00".
std::string signedFigure(double value, int decimals);
/// Returns "−26.7 %" of `of`.
std::string percentOf(double change, double of);
/// Returns a whole number without decimals, and a mean over iterations that differ with one.
std::string countText(double count);

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

/// Returns what fills time without work: "idle: launch gap", "between operators".
std::string idleText(const std::optional<analysis::IdleCause>& cause, const std::optional<analysis::HostGap>& gap,
                     const analysis::TraceDifference& difference);
std::string kindText(analysis::DifferenceKind kind);
std::string stepName(const analysis::DifferenceStep& step, const analysis::TraceDifference& difference);
std::string partText(const analysis::DifferencePart& part, const analysis::TraceDifference& difference);
/// Returns works as they are on both sides: "conv2d, relu → Conv".
std::string layerText(const analysis::DifferenceLayer& layer);
/// Returns what a side is: its name, its iterations with their time, and its device.
std::string sideText(const NamedDifference& named, const TraceName& name, const analysis::DifferenceSide& side);
std::string englishText(const base::Message& message);

/// Returns the query for the events of works in a trace of the workspace; empty for a recording that is in none.
std::string workQuery(const TraceName& name, const std::vector<analysis::NamedWork>& works);
/// Returns the query for the evidence of a part on one side: its events or, of time without work, the gaps between
/// events of the device (of operators), the longest first. Empty where the side has nothing of the part, and for a
/// recording that is in no workspace.
std::string partQuery(const TraceName& name, const analysis::DifferencePart& part,
                      const std::vector<analysis::NamedWork>& works, const analysis::DifferenceSide& side);

} // namespace apertune::comparison
