// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/trial.h"
#include "core/stats/block_stats.h"

#include <optional>
#include <span>
#include <vector>

namespace apertune::stats {

/// The one way to compare two measurements: reports, gates, recommendations and searches all ask here. Pure functions.

/// How the samples of two sides belong together. `paired`: sample i of one side was taken beside sample i of the other
/// (interleaved blocks), so what the machine did to both cancels.
enum class Pairing { independent, paired };

struct CompareOptions
{
    Pairing pairing = Pairing::independent;
    double confidence = 0.95;
    double indifference = 0.01; ///< a smaller effect is "same"
    double noiseFloor = 0;      ///< smallest effect this machine can show (noiseFloor()); a smaller one is never named
};

struct Effect
{
    model::Interval ratio; ///< baseline / candidate; > 1: the candidate is smaller (faster)
    Verdict verdict = Verdict::cannotTell;
    double p = 1;            ///< of "the effect is no larger than the zone", two-sided; 1 when nothing can be said
    double zone = 0.01;      ///< max(indifference, noise floor) that the verdict used
    std::size_t samples = 0; ///< of the side that has fewer
    bool paired = false;
    double machine = 1; ///< what the ratio was multiplied by because the machine itself got slower (> 1) or faster
};

/// Effect of the candidate against the baseline.
/// independent: ratioOfMedians (block bootstrap). paired: Hodges and Lehmann's median of the pairwise means of the log
/// ratios, with the interval that inverts Wilcoxon's signed-rank test (Hollander, Wolfe & Chicken, 3rd ed., 3.2–3.4;
/// normal approximation with continuity correction above 25 pairs, exact below); the sides are cut to the shorter one.
/// The verdict is verdictOf(ratio, zone), except that "same" needs the interval inside 1 ± indifference: a noise floor
/// hides effects and proves no equality. p is 1 − confidence where the interval's end touches the zone, and falls with
/// its distance as Student's t with samples − 1 degrees of freedom does; of pairs never below what all signs alike
/// give. With fewer than 6 samples (pairs) or values that are not positive: no confidence, cannot tell. REQUIRES:
/// neither sample is empty.
Effect compare(base::Baseline<std::span<const double>> baseline, base::Candidate<std::span<const double>> candidate,
               const CompareOptions& options = {});

/// Judges a known ratio the same way: what compare() does after its ratio.
Effect effectOf(const model::Interval& ratio, std::size_t samples, const CompareOptions& options);

/// Two trials beside which the same sentinel was measured: how many times slower the machine was at the candidate's
/// time (value), when that is more than the sentinel's uncertainty and `zone`; else 1. Its ends hold the uncertainty.
model::Interval machineChange(const model::Measurement& baseline, const model::Measurement& candidate, double zone);

/// Two measured trials: time per sample, or per pass. What machineChange() tells is taken out of independent ones, and
/// its uncertainty widens the interval. Paired when both were measured in turns ("confirmed" flag, same
/// study and number of blocks). nullopt when one has no blocks.
std::optional<Effect> compareTrials(base::Baseline<model::Trial> baseline, base::Candidate<model::Trial> candidate,
                                    bool perSample = true, const CompareOptions& options = {});

/// Takes back verdicts that would not survive looking at many cells at once: faster and slower become cannot tell where
/// Holm's step-down test (1979) over all p keeps the hypothesis at level 1 − confidence. Holm and not Benjamini and
/// Hochberg, because one wrong red cell fails a build: what has to be bounded is the chance of any wrong verdict, not
/// the share of wrong ones. Effects whose interval has no confidence are not counted: nothing was tested there.
/// Intervals stay as they are. "same" needs no correction: each one is its own claim that both ends are near.
void correctForMany(std::span<Effect> effects, double confidence = 0.95);

/// What identical code measured against itself shows.
struct NoiseFloor
{
    double effect = 0;           ///< |ratio − 1| that 95 % of comparisons stayed below (the largest of fewer than 20)
    std::size_t comparisons = 0; ///< 0: unknown
};

/// Certificate from the ratios of A/A comparisons (any order, > 0).
NoiseFloor noiseFloor(std::span<const double> ratios);

/// Estimate where nobody ran A/A: first half against second half of each trial's own blocks (trials with at least 12).
/// It holds drift within a run, not the difference between processes.
NoiseFloor noiseFloorWithin(std::span<const model::Trial* const> trials);

} // namespace apertune::stats
