// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/trial.h"
#include "core/stats/block_stats.h"
#include "core/stats/processes.h"

#include <optional>
#include <span>
#include <vector>

namespace apertune::stats {

/// These functions are the only way to compare two measurements. Reports, gates, recommendations and searches use them.
/// All of them are pure.

struct CompareOptions
{
    Pairing pairing = Pairing::independent;
    double confidence = 0.95;
    double indifference = 0.01; ///< an effect below this is "same"
    double noiseFloor = 0;      ///< smallest effect that this machine can show (noiseFloor()); 0: unknown
};

struct Effect
{
    model::Interval ratio; ///< baseline / candidate; > 1: the candidate is smaller (faster)
    Verdict verdict = Verdict::cannotTell;
    double p = 1;            ///< two-sided p-value of "the effect is within the zone"; 1 when unknown
    double zone = 0.01;      ///< half-width around 1 that the verdict used: max(indifference, noise floor)
    std::size_t samples = 0; ///< sample count of the smaller side
    bool paired = false;
    /// Process count of the side with fewer fresh processes; 0: each side was measured in one process.
    std::size_t processes = 0;
    bool pooled = false; ///< the blocks of all processes count as one sample (areProcessesAlike())
    /// Part of `ratio` by which the machine became slower (> 1) or faster, by drift readings or by the common
    /// reference.
    double machine = 1;
};

/// Returns the effect of the candidate against the baseline. The ratio depends on the pairing:
///  - independent: ratioOfMedians() (block bootstrap).
///  - paired: Hodges and Lehmann's median of the pairwise means of the log ratios, with the interval that inverts
///    Wilcoxon's signed-rank test (Hollander, Wolfe & Chicken, 3rd ed., 3.2–3.4). The test is exact up to 25 pairs, a
///    normal approximation with continuity correction above. The longer side is cut to the length of the shorter.
///
/// The verdict is verdictOf(ratio, zone), with one exception: "same" needs the interval inside 1 ± indifference,
/// because a noise floor hides effects and proves no equality.
///
/// p is 1 − confidence where the end of the interval touches the zone. It falls with the distance from the zone like
/// Student's t with samples − 1 degrees of freedom. For pairs it is never below the p of a test where all signs agree.
///
/// With fewer than 6 samples (or pairs), or values that are not positive, the interval has no confidence and the
/// verdict is `cannotTell`.
/// REQUIRES: neither sample is empty.
Effect compare(base::Baseline<std::span<const double>> baseline, base::Candidate<std::span<const double>> candidate,
               const CompareOptions& options = {});

/// Returns the ratio of an effect with the noise floor of the machine in its interval: the distances of the ends are
/// the roots of the sums of squares, in logarithms. Blocks of one process do not show how much identical code differs
/// between processes. A comparison over several processes shows it, so its ratio is returned as it is, unless the
/// processes were pooled.
model::Interval withNoiseFloor(const Effect& effect, double noiseFloor);

/// Returns the effect for a known ratio, by the same rules as compare(). `processes` and `pooled` are those of Effect.
/// The noise floor describes single processes. The noise of a mean over k processes is √k times smaller, so the floor
/// is divided by √k.
Effect effectOf(const model::Interval& ratio, std::size_t samples, const CompareOptions& options,
                std::size_t processes = 0, bool pooled = false);

/// Returns how many times slower the machine was during the candidate than during the baseline, by their drift
/// readings. The ends of the interval include the uncertainty of the readings.
/// Returns 1 when the change is within that uncertainty or `zone`, or when the trials have no common drift reading.
model::Interval machineChange(const model::Measurement& baseline, const model::Measurement& candidate, double zone);

/// Returns whether the blocks of two trials of a study were interleaved in one confirmation.
bool wereInterleaved(const model::Trial& a, const model::Trial& b);

/// Compares two measured trials by time per sample, or per pass. Returns nullopt when one of them has no blocks.
///
///  - The comparison is paired when the blocks were interleaved and both trials have equally many blocks per process.
///  - It uses ratioOfProcesses() when a trial was measured in several processes, otherwise compare(). Interleaved
///    processes that are alike (areProcessesAlike()) count as one sample for compare().
///  - Trials that were not interleaved, but had turns of a common reference, are compared through it
///    (reference_turns.h).
///  - Any other independent comparison is corrected by machineChange(), whose uncertainty widens the interval.
///  - The interval is widened to the ratios of the times without lostTime(). So load from other programs that hit one
///    side harder cannot decide the verdict.
///  - When the threads of one of the trials were kept waiting (wasKeptWaiting()) and both computed on a CPU, the ratio
///    is that of the estimates without other programs (undisturbed_time.h), and its interval is 1.4 times wider in each
///    direction. On other devices the interval also contains the ratio of their undisturbed passes (the first deciles
///    of the single passes), and the value is the ratio nearer to 1.
///
/// The verdict is `cannotTell` in three more cases:
///  - The ratio is one of estimates.
///  - A paired comparison disagrees with itself: one process, or more than a quarter of the pairs of blocks, has the
///    opposite sign.
///  - The interval is too wide (model::isTooWide()). Its `confidence` is then 0, because the samples support no number.
std::optional<Effect> effectBetween(base::Baseline<model::Trial> baseline, base::Candidate<model::Trial> candidate,
                                    bool perSample = true, const CompareOptions& options = {});

/// Corrects verdicts for multiple comparisons: `faster` and `slower` become `cannotTell` where Holm's step-down test
/// (1979) over all p keeps the null hypothesis at level 1 − confidence.
///  - Holm's test bounds the chance of any wrong verdict. Benjamini and Hochberg bound the share of wrong verdicts,
///    which is not enough: one wrong configuration fails a build.
///  - Effects whose interval has no confidence are not counted, because nothing was tested there.
///  - Intervals do not change. "same" needs no correction, because it claims that both ends of the interval are near 1.
void correctForMany(std::span<Effect> effects, double confidence = 0.95);

/// Result of measuring identical code against itself (A/A test).
struct NoiseFloor
{
    double effect = 0;           ///< bound of |ratio − 1| that nearly all comparisons stay below
    std::size_t comparisons = 0; ///< 0: unknown
};

inline constexpr std::size_t kEnoughRatios = 20; ///< fewest comparisons that support a 99 % bound

/// Returns the noise floor from the ratios of A/A comparisons, in any order: a bound for the next comparison.
///
///  - ln ratio is assumed to be normal about 0. The bound is t(n)·√(Σ ln²ratio / n), the two-sided prediction interval
///    for a known mean (Hahn & Meeker, Statistical Intervals, 1991, 4.6). It is never below the largest ratio seen.
///  - The bound holds with 99 % probability, so identical code is called different once in a hundred comparisons.
///  - With fewer than kEnoughRatios ratios it holds with 95 %. A 99 % bound from three ratios would be six times their
///    spread and would hide nearly every effect.
///
/// REQUIRES: all ratios > 0
NoiseFloor noiseFloor(std::span<const double> ratios);

/// Estimates the noise floor without an A/A test: it compares the first with the second half of each trial's blocks and
/// takes the 95 % quantile, or the largest of fewer than 20. Trials with fewer than 12 blocks are ignored.
/// The estimate covers drift within a run, but not the difference between processes.
NoiseFloor noiseFloorWithin(std::span<const model::Trial* const> trials);

} // namespace apertune::stats
