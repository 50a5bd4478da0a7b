// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/confirmation.h"

#include "core/base/clock.h"
#include "core/engine/live_cell.h"
#include "core/engine/package_source.h"
#include "core/search/recommend.h"
#include "core/stats/block_stats.h"

#include <algorithm>
#include <array>

namespace apertune::engine {

using base::Nanoseconds;
using model::Trial;
using Failure = WorkerProcess::Failure;

namespace {

constexpr const char* kFlag = "confirmed";

bool isConfirmed(const Trial& trial)
{
    const auto& flags = trial.measurement.flags;
    return std::find(flags.begin(), flags.end(), kFlag) != flags.end();
}

/// One of the two that take turns.
struct Side
{
    std::size_t index = 0; ///< in the ledger
    Trial trial;
    LiveCell live;
};

using Pair = std::array<Side, 2>;

/// The only two that were measured.
std::optional<Pair> onlyTwo(const std::vector<Trial>& trials)
{
    Pair pair;
    std::size_t found = 0;
    for (std::size_t i = 0; i < trials.size(); ++i)
        if (trials[i].state == model::TrialState::ok) {
            if (found == pair.size())
                return std::nullopt;
            pair[found].index = i;
            pair[found].trial = trials[i];
            ++found;
        }
    if (found != pair.size() || pair[0].trial.device != pair[1].trial.device)
        return std::nullopt;
    return pair;
}

std::optional<Pair> winnerAndBaseline(const SweepContext& context)
{
    return context.ledger.read([&](const std::vector<Trial>& trials) -> std::optional<Pair> {
        if (auto pair = onlyTwo(trials))
            return pair;
        const auto best = search::recommend(trials, context.study.goal);
        if (!best || !best->against || best->against == best->trial)
            return std::nullopt;
        Pair pair;
        for (std::size_t i = 0; i < trials.size(); ++i)
            for (const auto& [side, id] : {std::pair(&pair[0], best->against), std::pair(&pair[1], best->trial)})
                if (trials[i].id == id) {
                    side->index = i;
                    side->trial = trials[i];
                }
        return pair;
    });
}

/// How long both sides' turns of one round take about.
Nanoseconds roundTime(const Pair& pair, const RunLimits& limits)
{
    Nanoseconds sum{};
    for (const Side& side : pair) {
        const Nanoseconds pass{static_cast<std::int64_t>(side.trial.measurement.latencyNs.value)};
        sum += pass + std::max(pass, limits.minBlock);
    }
    return sum;
}

std::optional<Failure> prepareSide(const SweepContext& context, const model::Device& device, Side& side)
{
    const model::Config& config = side.trial.config;
    CellRequest request{context.study.model.artifact, context.study.model.family, config, device, {}};
    if (config.isOn("aoti") || (context.packages && context.packages->needed(context.study.model, config))) {
        if (!context.packages)
            return Failure{{"unsupported", "Nothing can be compiled here.", {}}, false, false};
        auto package = context.packages->get(context.study.model, config, device, {}, context.stop);
        if (!package)
            return Failure{{"compile_failed", package.error().message, {}}, false, false};
        request.package = package->path;
    }
    auto opened = openLive(context.launcher, request, context.limits, context.stop);
    if (auto* failure = std::get_if<Failure>(&opened))
        return *failure;
    side.live = std::move(std::get<LiveCell>(opened));
    return std::nullopt;
}

/// Percentiles need many passes, so those of the first measurement stay and the new ones are added.
void keep(const SweepContext& context, Side& side)
{
    constexpr std::size_t kMostIterations = 100'000;
    model::Measurement m = side.trial.measurement;
    m.blocks = std::move(side.live.taken.blocks);
    side.live.taken.conditions.sentinel = m.conditions.sentinel;
    m.conditions = side.live.taken.conditions;
    const std::size_t room = kMostIterations - std::min(kMostIterations, m.iterations.size());
    const std::size_t added = std::min(room, side.live.taken.iterations.size());
    m.iterations.insert(m.iterations.end(), side.live.taken.iterations.begin(),
                        side.live.taken.iterations.begin() + static_cast<std::ptrdiff_t>(added));
    stats::summarize(m, side.trial.config.batch, context.target);
    if (!isConfirmed(side.trial))
        m.flags.emplace_back(kFlag);
    context.ledger.replaceMeasurement(side.index, std::move(m));
}

/// Turns until both medians are as narrow as the study asks, or `limit` is spent. False when nothing was kept.
bool confirmOnce(const SweepContext& context, const std::vector<model::Device>& devices, Nanoseconds limit)
{
    auto pair = winnerAndBaseline(context);
    if (!pair || (isConfirmed((*pair)[0].trial) && isConfirmed((*pair)[1].trial)))
        return false;
    const auto device = std::find_if(devices.begin(), devices.end(),
                                     [&](const model::Device& d) { return d.id == (*pair)[1].trial.device; });
    const auto fits = static_cast<std::int64_t>(kMinConfirmBlocks) * roundTime(*pair, context.limits).count;
    if (device == devices.end() || fits > limit.count)
        return false;

    const auto named = [&](const Side& side) { return model::shortName(side.trial.config, device->kind, true); };
    context.ledger.message("Confirming " + named((*pair)[1]) + " against " + named((*pair)[0]) + ", block by block.");
    std::optional<Failure> failure;
    for (Side& side : *pair)
        if (!failure)
            failure = prepareSide(context, *device, side);
    const Nanoseconds deadline = base::monotonicNow() + limit;
    const std::size_t most = static_cast<std::size_t>(context.limits.maxBlocks);
    const std::size_t least = 2 * kMinConfirmBlocks;
    const std::array turns{&(*pair)[0].live, &(*pair)[1].live};
    for (std::size_t round = 0; !failure && round < most && base::monotonicNow() < deadline; ++round) {
        if (round >= least && turns[0]->converged(context.target) && turns[1]->converged(context.target))
            break;
        failure = takeRound(turns, round, context.limits, context.stop);
    }
    if (failure) {
        if (!failure->cancelled)
            context.ledger.message("The two could not be compared: " + failure->reason.text);
        return false;
    }
    for (Side& side : *pair)
        side.live.worker.reset();
    if ((*pair)[0].live.taken.blocks.size() < kMinConfirmBlocks)
        return false;
    for (Side& side : *pair)
        keep(context, side);
    return true;
}

} // namespace

void confirmWinner(const SweepContext& context, const std::vector<model::Device>& devices, Nanoseconds limit)
{
    for (int i = 0; i < kMaxConfirmations; ++i)
        if (!confirmOnce(context, devices, limit))
            break;
}

} // namespace apertune::engine
