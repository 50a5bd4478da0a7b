// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/track_record.h"

#include "core/advice/reasons.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace apertune::advice {

using model::Experiment;

namespace {

constexpr double kPrior = 0.5; ///< spread between rules, and between the experiments of one, before any is known
constexpr double kPriorOutside = 0.25; ///< how far experiments lie outside of their ranges, before any is known
constexpr double kPriorExperiments = 4;
constexpr double kBusyFrom = 0.1;
constexpr double kDiffers = 0.5;
constexpr double kNormal95 = 1.959964;
constexpr double kFourOfFive = 1.281552;
constexpr int kFewestWithInterval = 3; ///< fewer experiments have no interval

struct Ratio
{
    double value = 0;
    double weight = 0;
};

double weightOf(const Experiment& e, const model::Circumstances& here)
{
    const double error = (e.saved.hi - e.saved.lo) / 2 / kNormal95 / e.predicted();
    double weight = e.predicted() / (1 + error * error / (kPrior * kPrior));
    weight *= e.at.machine == here.machine ? 1 : kDiffers;
    weight *= e.at.taskType == here.taskType ? 1 : kDiffers;
    weight *= e.at.engine == here.engine ? 1 : kDiffers;
    return e.othersLoad > kBusyFrom ? weight * kDiffers : weight;
}

/// REQUIRES: a positive weight.
double weightedMedian(std::vector<Ratio> ratios)
{
    std::sort(ratios.begin(), ratios.end(), [](const Ratio& a, const Ratio& b) { return a.value < b.value; });
    double all = 0;
    for (const Ratio& r : ratios)
        all += r.weight;
    double sum = 0;
    for (std::size_t i = 0; i < ratios.size(); ++i) {
        sum += ratios[i].weight;
        if (sum > all / 2)
            return ratios[i].value;
        // With equal weights on both sides, the median lies between two values.
        if (sum == all / 2 && i + 1 < ratios.size())
            return (ratios[i].value + ratios[i + 1].value) / 2;
    }
    return ratios.back().value;
}

/// The variance between experiments around `middle`.
double varianceOf(std::vector<Ratio> ratios, double middle)
{
    constexpr double kOfNormal = 1.4826; // the standard deviation of a normal distribution over its median deviation
    for (Ratio& r : ratios)
        r.value = std::abs(r.value - middle);
    const double deviation = kOfNormal * weightedMedian(ratios);
    const auto n = static_cast<double>(ratios.size());
    return (kPriorExperiments * kPrior * kPrior + n * deviation * deviation) / (kPriorExperiments + n);
}

/// The root mean square of how far the measured savings lie outside of the ranges times `factor`, as a share of the
/// predictions.
double outsideOf(std::span<const Experiment* const> experiments, double factor)
{
    double squares = kPriorExperiments * kPriorOutside * kPriorOutside;
    for (const Experiment* e : experiments) {
        const double beyond =
            std::max({0.0, e->saved.value - factor * e->predictedHi, factor * e->predictedLo - e->saved.value});
        const double share = std::min(2.0, beyond / e->predicted()); // one wild experiment does not decide
        squares += share * share;
    }
    return std::sqrt(squares / (kPriorExperiments + static_cast<double>(experiments.size())));
}

RuleRecord recordOf(std::span<const Experiment* const> experiments, const model::Circumstances& here)
{
    RuleRecord record;
    record.subject = experiments.front()->subject;
    std::vector<const Experiment*> counted;
    std::vector<Ratio> ratios;
    double sum = 0, squares = 0;
    for (const Experiment* e : experiments) {
        if (!e->counts()) {
            ++record.others;
            continue;
        }
        counted.push_back(e);
        record.inside += e->inside() ? 1 : 0;
        // The ratio of what was saved to what was predicted: 1 is a right prediction.
        ratios.push_back({e->saved.value / e->predicted(), weightOf(*e, here)});
        sum += ratios.back().weight;
        squares += ratios.back().weight * ratios.back().weight;
    }
    record.experiments = static_cast<int>(counted.size());
    if (counted.empty())
        return record;
    const double bias = weightedMedian(ratios);
    // The variance of a median is pi/2 times that of a mean, with the effective number of experiments (Kish) as its
    // size.
    const double variance = std::numbers::pi / 2 * varianceOf(ratios, bias) / (sum * sum / squares);
    const double half = kNormal95 * std::sqrt(variance);
    record.bias = {bias, bias - half, bias + half, record.experiments < kFewestWithInterval ? 0 : 0.95};
    // Few experiments are trusted less: the factor shrinks towards 1, as with a normal prior around it.
    const double trust = kPrior * kPrior / (kPrior * kPrior + variance);
    record.factor = std::max(0.0, 1 + (bias - 1) * trust);
    const double outside = outsideOf(counted, record.factor);
    record.spread = std::sqrt(variance * trust + outside * outside);
    return record;
}

} // namespace

Gain corrected(const Gain& predicted, const RuleRecord& record, double most)
{
    const double wider = kFourOfFive * record.spread * (predicted.lo + predicted.hi) / 2;
    return {std::clamp(record.factor * predicted.lo - wider, 0.0, most),
            std::clamp(record.factor * predicted.hi + wider, 0.0, most)};
}

TrackRecord::TrackRecord(std::span<const Experiment> experiments, const model::Circumstances& here)
{
    std::map<std::string, std::vector<const Experiment*>> subjects;
    for (const Experiment& e : experiments)
        subjects[e.subject].push_back(&e);
    for (const auto& [subject, all] : subjects)
        m_records.push_back(recordOf(all, here));
}

const RuleRecord* TrackRecord::find(std::string_view subject) const
{
    const auto found =
        std::find_if(m_records.begin(), m_records.end(), [&](const RuleRecord& r) { return r.subject == subject; });
    return found == m_records.end() || found->experiments == 0 ? nullptr : &*found;
}

void TrackRecord::correct(std::vector<RuleResult>& results) const
{
    for (RuleResult& result : results) {
        const RuleRecord* record = find(result.rule);
        for (Finding& finding : result.findings)
            if (record && finding.shareOf == ShareOf::time && finding.gain.hi > 0)
                finding.correction = {advice::corrected(finding.gain, *record, finding.share), record->factor,
                                      record->bias.value, record->experiments};
    }
}

base::Message trackMessage(const Correction& correction)
{
    const std::string bias = base::formatSignificant(correction.bias, 2);
    return correction.experiments == 1 ? base::message<reasons::kOneEarlierExperiment>(bias)
                                       : base::message<reasons::kEarlierExperiments>(correction.experiments, bias);
}

} // namespace apertune::advice
