// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/finding.h"

#include <optional>
#include <string>

namespace apertune::advice {

/// The predicted effect of one change, or of several together.
struct ChangeEffect
{
    std::string subject;    ///< names the record to look up: "what-if operator", or the rule that predicts a switch
    double saved = 0;       ///< share of an iteration's time; negative: the change costs
    Gain band{};            ///< has the replay's own error and the spread over iterations; may be negative
    bool bandKnown = false; ///< false: too few iterations for a band
    std::optional<Correction> correction{}; ///< nothing without experiments of the subject
    double events = 0;                      ///< changed events an iteration; 0 where the change is about the whole
    /// Part of the removed time of the device that shortens the iteration, 0..1: it was on the critical path. Nothing
    /// for a change of the host.
    std::optional<double> onCriticalPath{};
    Knob knob{}; ///< setting that makes the change: a switch, a number of threads, or nothing that Apertune can set
};

} // namespace apertune::advice
