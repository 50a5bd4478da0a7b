// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"
#include "core/stats/compare.h"
#include "core/study/configuration_run.h"
#include "core/study/run_context.h"

#include <optional>
#include <string>
#include <vector>

namespace apertune::runs {

/// A finished trial, measured once more.
struct Remeasured
{
    model::Measurement now; ///< blocks, latency, conditions and flags; nothing else is filled in
    /// Of the trial then and now, > 1: faster now. What the machine itself changed is taken out where both times are
    /// known beside the same drift reading.
    stats::Effect effect;
    std::optional<model::TrialId> driftReading; ///< the trial whose configuration took turns with it; not its own
    /// Its latency over the drift reading's, from paired blocks: what stays the same while other work slows both.
    std::optional<model::Interval> toDriftReading;
    std::optional<double> clock;  ///< the processor's median clock now over then; nullopt: it was not measured
    bool byProcessorTime = false; ///< toSentinel is of processor time: on a contended CPU, time that others take is in
                                  ///< no pass's processor time
};

/// Runs the trial's configuration in a fresh worker, in turns with the study's drift reading (its O0 fp32 configuration
/// of the smallest batch on that device, when the trial is another and it was measured) in a worker of its own, until
/// the medians are as narrow as the study asked for, at least twice kMinConfirmBlocks blocks and at most
/// limits.trialMost. The stored trial stays as it is. `snapshot`: the study with its trials, and the noise certificates
/// that the verdict uses. `phase` gets "compile", "load", "warm-up", "measure". Failures: invalidArgument (the trial
/// has no measurement), those of requestOf(), outOfMemory, modelThrew, crashed, timeout, internal, cancelled.
base::Result<Remeasured> remeasureTrial(const study::RunContext& context, const model::StudySnapshot& snapshot,
                                        const model::Trial& trial, const study::PhaseSink& phase, std::stop_token stop);

} // namespace apertune::runs
