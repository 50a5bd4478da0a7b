// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/lost_time.h"

#include <algorithm>

namespace apertune::stats {

namespace {

constexpr double kAllProcessors = 0.95;
constexpr double kWaitCostFactor =
    1.25;                      ///< a wait costs more than it lasts: caches are filled again, accounting has gaps
constexpr double kTick = 10e6; ///< in ns; kernels count steal time in such ticks, with an error of one per processor

double stealShare(const model::Conditions& c)
{
    const double all = static_cast<double>(c.span.count) * c.processors;
    const double steal = static_cast<double>(c.steal.count) - kTick * c.processors;
    return all > 0 ? std::max(0.0, steal / all) : 0;
}

} // namespace

LostTime lostTime(const model::Trial& trial, const model::Block& block)
{
    const auto wall = static_cast<double>(block.wall.count);
    const model::Conditions& conditions = trial.measurement.conditions;
    if (!(wall > 0) || (conditions.processors > 0 &&
                        static_cast<double>(block.cpu.count) > kAllProcessors * wall * conditions.processors))
        return {};
    const double waited = std::clamp(static_cast<double>(block.waited.count) / wall, 0.0, 1.0);
    const bool onCpu = model::typeOfDevice(trial.device).isCpu();
    const int threads = !onCpu                     ? 1
                        : trial.config.threads > 0 ? trial.config.threads
                                                   : std::max(1, conditions.processors);
    const double steal = stealShare(conditions);
    if (threads == 1)
        return {waited, std::min(1.0, kWaitCostFactor * waited + steal)};
    return {0, std::min(1.0, (waited > kUsualWait ? threads * waited : waited) + steal)};
}

} // namespace apertune::stats
