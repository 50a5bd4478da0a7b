// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/model/study.h"

#include <optional>

namespace apertune::comparison {

/// The number of passes after which the time of compiling or converting is saved again. Only passes of this batch
/// count: a file that serves several batches counts in full for each.
struct BreakEven
{
    model::TrialId against{};   ///< the fastest trial of the same device and batch without compile time
    double passes = 0;          ///< compile time / time saved per pass; 0: a pass saves nothing
    double lo = 0;              ///< lower end: the intervals of both trials allow the largest saving
    std::optional<double> hi{}; ///< upper end: they allow the smallest saving; none: a pass may save nothing

    bool neverPays() const { return lo <= 0; } ///< a pass surely saves nothing
    /// `passes` as every form shows them: rounded up to two digits. None where a pass may save nothing.
    std::optional<double> shownPasses() const;
};

/// Returns nothing for a trial without compile time, and when there is no trial to compare it with.
/// REQUIRES: `trial` belongs to `snapshot`.
std::optional<BreakEven> breakEven(const model::StudySnapshot& snapshot, const model::Trial& trial);

/// Says the same: "pays off after 12 000 passes [11 000, 14 000] against O1 fp32 b1". Empty when breakEven() returns
/// nothing.
base::Message breakEvenMessage(const model::StudySnapshot& snapshot, const model::Trial& trial);

} // namespace apertune::comparison
