// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/change_points.h"

#include "core/stats/block_stats.h"
#include "core/stats/compare.h"
#include "core/stats/processes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace apertune::stats {

namespace {

constexpr double kNormal95 = 1.96;
constexpr double kNormal99 = 2.576;
constexpr double kOutlier = 2.5; // standard deviations
constexpr std::size_t kMostSegments = 12;

/// The median of a value and equally many neighbours on both sides, two at most; at the ends, of the three values
/// there. So it follows a step that lasts for two values.
double medianAround(std::span<const double> values, std::size_t at)
{
    if (values.size() < 3)
        return median(values);
    const std::size_t middle = std::clamp<std::size_t>(at, 1, values.size() - 2);
    const std::size_t half = std::min({std::size_t{2}, middle, values.size() - 1 - middle});
    return median(values.subspan(middle - half, 2 * half + 1));
}

/// A history as logarithms with weights, and sums over its beginnings.
class WeightedLogs
{
public:
    WeightedLogs(std::span<const HistoryValue> history, double noiseFloor)
    {
        std::vector<double> logs, variances, differences;
        for (const HistoryValue& value : history) {
            logs.push_back(std::log(value.value));
            const double deviation = value.uncertainty / kNormal95;
            variances.push_back(deviation * deviation);
            if (logs.size() > 1)
                differences.push_back(std::abs(logs.back() - logs[logs.size() - 2]));
        }
        // The difference of two runs has twice their variance, and the median of |x| is 0.6745 of its deviation.
        const double spread = differences.empty() ? 0 : median(differences) / 0.6745 / M_SQRT2;
        const double own = variances.empty() ? 0 : median(variances);
        const double floor = noiseFloor / kNormal99 / M_SQRT2;
        constexpr double kLeastVariance = 1e-10; // equal values must not give infinite weights
        const double between = std::max({spread * spread - own, floor * floor, kLeastVariance});
        for (std::size_t i = 0; i < logs.size(); ++i) {
            const double weight = 1 / (variances[i] + between);
            const double reach = kOutlier / std::sqrt(weight);
            const double centre = medianAround(logs, i);
            const double log = std::clamp(logs[i], centre - reach, centre + reach);
            m_weight.push_back(m_weight.back() + weight);
            m_sum.push_back(m_sum.back() + weight * log);
            m_squares.push_back(m_squares.back() + weight * log * log);
        }
    }

    std::size_t size() const { return m_weight.size() - 1; }
    double weight(std::size_t from, std::size_t to) const { return m_weight[to] - m_weight[from]; }
    double mean(std::size_t from, std::size_t to) const { return (m_sum[to] - m_sum[from]) / weight(from, to); }
    /// The weighted sum of squares around the mean of a segment.
    double squares(std::size_t from, std::size_t to) const
    {
        const double sum = m_sum[to] - m_sum[from];
        return std::max(0.0, m_squares[to] - m_squares[from] - sum * sum / weight(from, to));
    }

private:
    std::vector<double> m_weight{0}, m_sum{0}, m_squares{0};
};

/// Returns, for each number of segments from 1 on, the first values of the segments after the first.
std::vector<std::vector<std::size_t>> bestCuts(const WeightedLogs& logs)
{
    const std::size_t n = logs.size();
    const std::size_t most = std::min(kMostSegments, n / kStepValues);
    const auto width = n + 1;
    std::vector<std::vector<double>> cost(most + 1,
                                          std::vector<double>(width, std::numeric_limits<double>::infinity()));
    std::vector<std::vector<std::size_t>> before(most + 1, std::vector<std::size_t>(width, 0));
    cost[0][0] = 0;
    for (std::size_t k = 1; k <= most; ++k)
        for (std::size_t end = k * kStepValues; end <= n; ++end)
            for (std::size_t from = (k - 1) * kStepValues; from + kStepValues <= end; ++from)
                if (const double c = cost[k - 1][from] + logs.squares(from, end); c < cost[k][end]) {
                    cost[k][end] = c;
                    before[k][end] = from;
                }
    std::vector<std::vector<std::size_t>> cuts;
    for (std::size_t k = 1; k <= most; ++k) {
        std::vector<std::size_t> own;
        for (std::size_t end = n, left = k; left > 1; --left)
            own.insert(own.begin(), end = before[left][end]);
        cuts.push_back(std::move(own));
    }
    return cuts;
}

/// A segmentation with the spread around its levels.
class Levels
{
public:
    Levels(const WeightedLogs& logs, const std::vector<std::size_t>& cuts) : m_logs(logs), m_ends(cuts)
    {
        m_ends.insert(m_ends.begin(), 0);
        m_ends.push_back(logs.size());
        double squares = 0;
        for (std::size_t i = 0; i + 1 < m_ends.size(); ++i)
            squares += logs.squares(m_ends[i], m_ends[i + 1]);
        m_freedom = logs.size() + 1 - m_ends.size();
        // The weights are a lower bound of the spread: a segmentation may fit accidents.
        if (m_freedom > 0)
            m_scale = std::max(1.0, squares / static_cast<double>(m_freedom));
    }

    std::size_t freedom() const { return m_freedom; }
    std::size_t lastLevel() const { return m_ends[m_ends.size() - 2]; }
    double spread() const
    {
        return std::sqrt(m_scale * static_cast<double>(m_logs.size()) / m_logs.weight(0, m_logs.size()));
    }

    /// A step at `at` by `change` between levels of these weights, whose place is one of `places`.
    HistoryStep step(std::size_t at, double change, double weightBefore, double weightAfter, std::size_t places) const
    {
        const double error = std::sqrt(m_scale * (1 / weightBefore + 1 / weightAfter));
        const double half = studentQuantile(0.025, m_freedom) * error;
        const double p =
            std::min(1.0, 2 * studentTail(std::abs(change) / error, m_freedom) * static_cast<double>(places));
        return {at, {std::exp(change), std::exp(change - half), std::exp(change + half), 0.95}, p};
    }

    std::vector<HistoryStep> steps() const
    {
        std::vector<HistoryStep> steps;
        for (std::size_t i = 1; i + 1 < m_ends.size(); ++i) {
            const std::size_t from = m_ends[i - 1], at = m_ends[i], to = m_ends[i + 1];
            steps.push_back(step(at, m_logs.mean(at, to) - m_logs.mean(from, at), m_logs.weight(from, at),
                                 m_logs.weight(at, to), m_logs.size() - 1));
        }
        return steps;
    }

private:
    const WeightedLogs& m_logs;
    std::vector<std::size_t> m_ends;
    std::size_t m_freedom = 0;
    double m_scale = 1;
};

bool isStep(const HistoryStep& step, double noiseFloor)
{
    const double zone = std::max(noiseFloor, CompareOptions{}.indifference);
    return step.p <= kStepSignificance && std::abs(std::log(step.ratio.value)) > std::log1p(zone);
}

/// The finest segmentation whose every step is one.
Levels significantLevels(const WeightedLogs& logs, double noiseFloor)
{
    const std::vector<std::vector<std::size_t>> cuts = bestCuts(logs);
    for (auto own = cuts.rbegin(); own != cuts.rend(); ++own) {
        const Levels levels(logs, *own);
        if (levels.freedom() < 1)
            continue;
        const std::vector<HistoryStep> steps = levels.steps();
        if (std::all_of(steps.begin(), steps.end(), [&](const HistoryStep& s) { return isStep(s, noiseFloor); }))
            return levels;
    }
    return {logs, {}};
}

} // namespace

ChangePoints findSteps(std::span<const HistoryValue> history, double noiseFloor)
{
    constexpr std::size_t kLeast = 3; // two values have no spread of their own
    ChangePoints found;
    if (history.size() < kLeast)
        return found;
    const WeightedLogs logs(history, noiseFloor);
    const Levels levels = significantLevels(logs, noiseFloor);
    found.steps = levels.steps();
    found.spread = levels.spread();
    // The newest value may hide a step that ends before it, so it is compared with what was known without it.
    const std::size_t before = history.size() - 1;
    const WeightedLogs known(history.first(before), noiseFloor);
    const Levels then = significantLevels(known, noiseFloor);
    if (then.freedom() < 1)
        return found;
    const double change = std::log(history.back().value) - known.mean(then.lastLevel(), before);
    const HistoryStep last =
        then.step(before, change, known.weight(then.lastLevel(), before), logs.weight(before, history.size()), 1);
    const bool isNamed = !found.steps.empty() && found.steps.back().at + kStepValues >= history.size();
    if (isStep(last, noiseFloor) && !isNamed) {
        found.newest = last;
        found.steps = then.steps();
        found.spread = then.spread();
    }
    return found;
}

} // namespace apertune::stats
