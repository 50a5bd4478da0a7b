// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/finding.h"
#include "core/model/experiment.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::advice {

/// The evidence of earlier experiments on the predictions of one rule, or of one kind of what-if.
///
/// The bias is the weighted median of r = measured / predicted middle: of all factors, it has the least sum of weighted
/// absolute errors of the measured savings (Edgeworth 1888), so a few wild experiments do not move it. The weight of an
/// experiment is the product of these:
///
///  - its prediction, because errors of small predictions matter little;
///  - 1 / (1 + (e / 0.5)²), where e is the standard error of r by the measured interval;
///  - ½ for each of machine class, task type and engine that differs from those of the prediction to correct;
///  - ½ when other processes took more than 10 % of the processors' time.
///
/// Predictions are corrected by a shrinkage estimate (Efron & Morris, JASA 70, 1975): with few experiments the factor
/// stays near 1, which is the prediction itself:
///     factor = 1 + (bias − 1) · τ² / (τ² + v)
/// τ = 0.5 is the spread between rules, v = π/2 · s² / n the variance of a median. n is the effective number of
/// experiments, (Σ weights)² / Σ weights². s² is the variance between experiments, from the median absolute deviation
/// and a scaled inverse χ² prior of 0.5² with 4 degrees of freedom (Gelman et al., Bayesian Data Analysis, 3.3).
struct RuleRecord
{
    std::string subject; ///< rule, or "what-if KIND"
    int experiments = 0; ///< number of experiments that count (model::Experiment::counts())
    int inside = 0;      ///< number of experiments whose measured interval meets the predicted range
    int others = 0;      ///< experiments without a comparable result
    /// measured / predicted with its 95 % interval, bias ± 1.96 √v; confidence 0 with fewer than three experiments.
    model::Interval bias{1, 1, 1, 0};
    double factor = 1; ///< predictions are multiplied by it
    /// Standard error of a corrected prediction, as a share of the predicted middle: the uncertainty of the factor and
    /// how far experiments lay outside of their corrected ranges (root mean square, prior 0.25 with 4 experiments).
    double spread = 0;
};

/// The corrected prediction: both ends times the factor, and the interval widened by 1.28 spreads (four of five
/// experiments are expected inside). Neither end exceeds `most`, nor is below 0.
Gain corrected(const Gain& predicted, const RuleRecord& record, double most = 1);

/// The records of all subjects, for predictions at one place.
/// Thread rule: immutable after construction.
class TrackRecord
{
public:
    TrackRecord() = default;
    TrackRecord(std::span<const model::Experiment> experiments, const model::Circumstances& here);

    /// The subjects in the order of their names.
    const std::vector<RuleRecord>& records() const { return m_records; }
    /// Returns null without an experiment that counts.
    const RuleRecord* find(std::string_view subject) const;
    /// Sets the correction of each finding that predicts a share of time and whose rule has experiments that count.
    void correct(std::vector<RuleResult>& results) const;

private:
    std::vector<RuleRecord> m_records;
};

/// "12 earlier experiments of this rule gained 0.6 of what was predicted."
base::Message trackMessage(const Correction& correction);

} // namespace apertune::advice
