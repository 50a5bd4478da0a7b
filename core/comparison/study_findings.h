// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/thresholds.h"
#include "core/base/message.h"
#include "core/model/study.h"

#include <string>
#include <string_view>
#include <vector>

namespace apertune::comparison {

/// A rule over a study that applies, with the trials that show it. Rules with their ids are in core/advice/rule_info.h.
struct StudyFinding
{
    std::string_view rule;                ///< advice::RuleInfo::id
    std::string device;                   ///< id
    base::Message text;                   ///< one or two sentences with numbers
    std::vector<base::Message> why{};     ///< evidence of the reason, the surest first; may be empty
    base::Message change{};               ///< advised change
    std::vector<model::TrialId> trials{}; ///< the evidence; not empty
};

/// Evaluates the rules over a study, device by device, in the order of the catalogue. Only measured trials count.
///
/// A statement about times or energies needs an interval that is sure of it: "less than 10 % faster" holds when the
/// upper end of the ratio's interval is below 1.1. Times of two trials are compared as everywhere
/// (stats::effectBetween).
///
/// - precision-does-not-pay: at least half of the pairs that differ in the precision alone, from fp32, are below the
///   threshold; one finding for each engine and precision. The reasons that the trials hold: the engine did not take
///   the precision, only a part of the layers runs in it, the processor has no arithmetic for it, or a larger batch
///   pays.
/// - batch-past-knee, batch-too-small: the configuration group with the highest throughput, step by step of its
///   batches; a step is converted to a doubling (ratio ^ (1 / log2 of the batches' ratio)). The second one only when
///   the study searches for throughput or energy, and no larger batch of that group was tried.
/// - energy-knee: against the trial with the highest throughput.
/// - too-many-threads: the pair of one configuration, apart from the threads, that loses most by more threads.
/// - compiling-does-not-pay: the fastest compiled trial of each batch, by breakEven().
/// - number-overflow: NaN or Inf where fp32 has none.
/// - devices-differ: one configuration on devices of the same name.
/// - throttled-trials, shared-machine, noisy-trials: shares of the measured trials, by their flags, from two trials on.
///   A trial that other programs disturbed counts in shared-machine alone.
///
/// Thread rule: pure.
std::vector<StudyFinding> studyFindings(const model::StudySnapshot& snapshot,
                                        const advice::Thresholds& thresholds = {});

} // namespace apertune::comparison
