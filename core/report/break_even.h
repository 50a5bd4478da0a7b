// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"

#include <optional>
#include <string>

namespace apertune::report {

/// When the time that compiling or converting took once is won back by passes of one batch alone: a file that serves
/// several batches counts in full for each.
struct BreakEven
{
    model::TrialId against{};   ///< the fastest trial of the same device and batch that was neither
    double passes = 0;          ///< compile time / time saved by each pass; 0: a pass saves nothing
    double lo = 0;              ///< … with the most that the intervals of both let a pass save
    std::optional<double> hi{}; ///< … with the least; none: it may save nothing
};

/// Nothing for a trial that needed neither, or that has nothing to be compared with. `trial` belongs to `snapshot`.
std::optional<BreakEven> breakEven(const model::StudySnapshot& snapshot, const model::Trial& trial);

/// "pays off after 12 300 passes [11 000, 14 100] against O1 fp32 b1"; empty for nothing.
std::string breakEvenText(const model::StudySnapshot& snapshot, const model::Trial& trial);

} // namespace apertune::report
