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
    /// Fresh processes a side that the interval rests on, of the side that has fewer; 0: it knows of one process only
    std::size_t processes = 0;
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

/// Judges a known ratio the same way: what compare() does after its ratio. `processes`: Effect::processes. The noise
/// floor is of single processes; a mean over k of them hides effects k^½ times smaller, so the zone shrinks with it.
Effect effectOf(const model::Interval& ratio, std::size_t samples, const CompareOptions& options,
                std::size_t processes = 0);

/// One side as its processes gave it: the samples of each, in the order of the processes.
using Processes = std::vector<std::vector<double>>;

/// Ratio of two sides that were measured in several fresh processes each. What differs from process to process (where
/// memory came to lie, which kernels were chosen) is in no process's own spread, so a process counts once (Kalibera &
/// Jones, "Rigorous benchmarking in reasonable time", ISMM 2013; Georges, Buytaert & Eeckhout, OOPSLA 2007, 3.2):
/// paired: xₖ = median over process k's sample pairs of ln(baseline / candidate), and the interval is Student's
/// x̄ ± t(K − 1)·s/√K. REQUIRES: as many processes and samples in each on both sides.
/// independent: xₖ and yⱼ = ln of the processes' medians, and the interval is Student's of two samples,
/// x̄ − ȳ ± t(K + J − 2)·s·√(1/K + 1/J), with s from both: how far processes differ is taken to be the machine's and the
/// model's, and alike on both sides. So a side of one process is compared, too.
/// Values that are not positive: no confidence. REQUIRES: two processes on a side at least, and no empty one.
model::Interval ratioOfProcesses(const base::Baseline<Processes>& baseline, const base::Candidate<Processes>& candidate,
                                 Pairing pairing, double confidence = 0.95);

/// The t that Student's distribution exceeds with probability `tail` (< ½). REQUIRES: freedom ≥ 1
double studentQuantile(double tail, std::size_t freedom);

/// Two trials beside which the same drift reading was measured: how many times slower the machine was at the
/// candidate's time (value), when that is more than the drift reading's uncertainty and `zone`; else 1. Its ends hold
/// the uncertainty.
model::Interval machineChange(const model::Measurement& baseline, const model::Measurement& candidate, double zone);

/// Whether the blocks of two trials of a study were taken in turns, in one confirmation.
bool wereInterleaved(const model::Trial& a, const model::Trial& b);

/// Two measured trials: time per sample, or per pass. What machineChange() tells is taken out of independent ones, and
/// its uncertainty widens the interval. Paired when both took turns and have as many blocks of each process.
/// ratioOfProcesses() where one was measured in several processes, else compare(). nullopt when one has no blocks.
///
/// The interval also holds what the ratio may be without other programs: it is widened to the ratios of the times less
/// what lostTime() says. So load that met one side more than the other names no winner.
///
/// Nothing is named (cannot tell) where
/// - paired turns disagree: a process, or more than a quarter of the turns, has the other sign;
/// - the interval is wider than kWidestRatio: then its `confidence` is 0, for the samples support no number.
std::optional<Effect> compareTrials(base::Baseline<model::Trial> baseline, base::Candidate<model::Trial> candidate,
                                    bool perSample = true, const CompareOptions& options = {});

/// Upper over lower end: beyond it, a ratio is not even known to within a factor of two.
inline constexpr double kWidestRatio = 4;

/// Takes back verdicts that would not survive looking at many configurations at once: faster and slower become cannot
/// tell where Holm's step-down test (1979) over all p keeps the hypothesis at level 1 − confidence. Holm and not
/// Benjamini and Hochberg, because one wrong red configuration fails a build: what has to be bounded is the chance of
/// any wrong verdict, not the share of wrong ones. Effects whose interval has no confidence are not counted: nothing
/// was tested there. Intervals stay as they are. "same" needs no correction: each one is its own claim that both ends
/// are near.
void correctForMany(std::span<Effect> effects, double confidence = 0.95);

/// What identical code measured against itself shows.
struct NoiseFloor
{
    double effect = 0;           ///< |ratio − 1| that nearly all comparisons stay below
    std::size_t comparisons = 0; ///< 0: unknown
};

inline constexpr std::size_t kEnoughRatios = 20;

/// Certificate from the ratios of A/A comparisons (any order, > 0): a bound that the next comparison stays below. ln
/// ratio is taken to be normal about 0, and n of them give t(n)·√(Σ ln²ratio / n), the two-sided prediction interval
/// for a known mean (Hahn & Meeker, Statistical Intervals, 1991, 4.6); never below the largest seen. It holds with 99 %
/// probability, so that identical code is called different once in a hundred times; of fewer than kEnoughRatios with
/// 95 %, because 99 % of three would be six times their spread and hide nearly every effect.
NoiseFloor noiseFloor(std::span<const double> ratios);

/// Estimate where nobody ran A/A: first half against second half of each trial's own blocks (trials with at least 12);
/// the 95 % quantile, or the largest of few. It holds drift within a run, not the difference between processes.
NoiseFloor noiseFloorWithin(std::span<const model::Trial* const> trials);

} // namespace apertune::stats
