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

/// Result of measuring a finished trial again.
struct Remeasured
{
    model::Measurement now; ///< blocks, latency, conditions and flags; nothing else is filled in
    /// Comparison of the trial then and now; > 1: it is faster now. The drift of the machine is taken out where both
    /// measurements have a drift reading of the same reference configuration.
    stats::Effect effect;
    std::optional<model::TrialId> reference; ///< trial of the reference configuration, if one was interleaved
    /// Latency of the trial over that of the reference configuration, from paired blocks. It stays the same while other
    /// work slows both.
    std::optional<model::Interval> toReference;
    std::optional<double> clock; ///< median clock of the processor now over then; nullopt when it was not measured
    /// Whether `toReference` is a ratio of processor times: on a contended CPU, these do not include the time that
    /// other processes take.
    bool byProcessorTime = false;
};

/// Measures a finished trial again, in a fresh worker. The reference configuration (the O0 fp32 trial of smallest batch
/// on the same device, unless the trial is itself O0 fp32) is interleaved with it in a worker of its own. Measuring
/// ends when the medians are as narrow as the study asked for and have at least 20 blocks each, or after
/// limits.trialMost. The stored trial is not changed. Blocks the calling thread.
///
/// `snapshot` is the study with its trials and noise certificates. `phase` gets "compile", "load", "warm-up" and
/// "measure".
/// Failures: invalidArgument (the trial has no measurement), those of study::requestOf() and study::toError().
base::Result<Remeasured> remeasureTrial(const study::RunContext& context, const model::StudySnapshot& snapshot,
                                        const model::Trial& trial, const study::PhaseSink& phase, std::stop_token stop);

} // namespace apertune::runs
