// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "tests/bench/search/table.h"

#include <algorithm>
#include <cmath>

namespace apertune::search::bench {

namespace {

constexpr double kPeak = 5000; ///< samples/s of the fastest group; only ratios matter

class Dice
{
public:
    explicit Dice(std::uint64_t seed) : m_random(seed) {}
    double uniform(double low, double high) { return low + (high - low) * m_random.uniform(); }
    double logUniform(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
    std::size_t below(std::size_t n) { return m_random.below(n); }

private:
    base::Random m_random;
};

double throughputAt(const Curve& curve, int batch)
{
    const auto& points = curve.points;
    for (std::size_t i = 1; i < points.size(); ++i)
        if (batch <= points[i].first) {
            const double from = std::log(points[i - 1].first);
            const double share = (std::log(batch) - from) / (std::log(points[i].first) - from);
            return std::exp((1 - share) * std::log(points[i - 1].second) + share * std::log(points[i].second));
        }
    return points.back().second;
}

} // namespace

BruteTable assembleTable(const std::vector<Curve>& curves, std::size_t configurations, bool compiled,
                         std::uint64_t seed)
{
    Dice dice(seed);
    BruteTable table;
    table.name = std::to_string(configurations) +
                 (compiled ? " configurations, compiled groups, " : " configurations, ") + std::to_string(seed);
    table.source = "assembled from published curves";
    constexpr double kGiB = 1024.0 * 1024 * 1024;
    if (compiled)
        table.memory = base::Bytes{static_cast<std::int64_t>(16 * kGiB)};
    while (table.configurations.size() < configurations) {
        const Curve& curve = curves[dice.below(curves.size())];
        const std::size_t index = table.groups.size();
        double top = 0;
        for (const auto& point : curve.points)
            top = std::max(top, point.second);
        const double scale = kPeak / top * dice.logUniform(0.25, 1);
        BruteTable::Group group;
        group.label = curve.source + ": " + curve.what;
        group.load = base::fromSeconds(dice.uniform(0.5, 3));
        if (compiled && index % 3 == 2)
            group.compile = base::fromSeconds(dice.logUniform(10, 60));
        table.groups.push_back(group);
        const double fixed = dice.uniform(0.3, 1.5) * kGiB;
        const double each = dice.logUniform(0.01, 0.2) * kGiB;
        const int last = std::min(compiled ? 256 : 128, curve.points.back().first);
        for (int batch = 1; batch <= last && table.configurations.size() < configurations; batch *= 2) {
            if (batch < curve.points.front().first)
                continue;
            BruteTable::Configuration configuration;
            configuration.group = index;
            configuration.batch = batch;
            configuration.passNs = batch * 1e9 / (scale * throughputAt(curve, batch));
            configuration.first = base::fromSeconds(dice.uniform(0.1, 0.5) + configuration.passNs * 1e-9);
            configuration.peak = base::Bytes{static_cast<std::int64_t>(fixed + each * batch)};
            if (table.memory && *configuration.peak > *table.memory)
                configuration.failure = {model::ReasonKind::outOfMemory,
                                         base::foreignText("The device ran out of memory.")};
            table.configurations.push_back(configuration);
        }
    }
    return table;
}

} // namespace apertune::search::bench
