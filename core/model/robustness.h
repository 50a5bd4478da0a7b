// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/model/trial.h"

#include <vector>

namespace apertune::model {

/// The loss of speed of a model's configurations beside a competing program: one that computes all the time on some of
/// the processors. The workspace stores it with the leading trial, as JSON.
struct Robustness
{
    struct Row
    {
        Config config;
        TrialId trial{};   ///< trial of the configuration; none where it was made for this comparison
        Interval alone;    ///< nanoseconds a pass while the competing program pauses
        Interval beside;   ///< nanoseconds a pass beside the competing program
        Interval slowdown; ///< beside / alone
        /// Time of a sample of the leading trial over that of this row, both beside the competing program; > 1: the
        /// row is faster.
        Interval gain;
    };
    int competingThreads = 0; ///< threads on which the competing program computed
    std::vector<Row> rows;    ///< the leading trial first, then by time a sample beside the competing program
};

base::Json toJson(const Robustness& robustness);
/// Failures: corrupt.
base::Result<Robustness> robustnessFromJson(const base::Json& json);

} // namespace apertune::model
