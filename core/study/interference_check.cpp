// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/interference_check.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/model/config.h"
#include "core/models/package_source.h"
#include "core/stats/compare.h"
#include "core/study/deadline.h"
#include "core/study/loaded_configuration.h"
#include "core/study/reasons.h"
#include "core/study/schedule.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cmath>
#include <thread>
#include <tuple>

namespace apertune::study {

using base::Nanoseconds;
using model::Interference;
using model::InterferenceVerdict;
using model::Trial;
using worker::WorkerError;
using worker::WorkerStatus;

namespace {

/// A device under test, its worker and what it measured.
struct Lane
{
    const model::Device* device = nullptr;
    ConfigurationRequest request{};
    LoadedConfiguration loaded{};
    std::vector<double> alone{};    ///< ns a pass, one value a round
    std::vector<double> together{}; ///< ns a pass while the other devices worked, one value a round
    std::optional<WorkerError> failure{};
};

/// The configuration that a device is checked with; nullopt when all its open trials have to be compiled.
std::optional<model::Config> configurationOf(const SweepContext& context, const std::string& device)
{
    return context.tracker.read([&](const std::vector<Trial>& trials) -> std::optional<model::Config> {
        const Trial* chosen = nullptr;
        const auto rank = [](const Trial& trial) {
            // The reference is preferred, then small batches, then the planned order: the check should cost little.
            return std::tuple(!trial.config.isReference(), trial.config.batch, trial.ordinal);
        };
        for (const Trial& trial : trials)
            // A compiled configuration would have to be compiled before it is known whether it is needed.
            if (trial.device == device && !model::isFinal(trial.state) && !trial.config.isCompiled() &&
                (!chosen || rank(trial) < rank(*chosen)))
                chosen = &trial;
        return chosen ? std::optional(chosen->config) : std::nullopt;
    });
}

/// Fills in the request of a device. Converts where the engine opens files of its own, which the sweep needs, too.
WorkerStatus prepare(const SweepContext& context, Lane& lane, const std::stop_token& stop)
{
    const auto config = configurationOf(context, lane.device->id);
    if (!config)
        return WorkerError{model::Reason{model::ReasonKind::unsupported,
                                         base::message<reasons::kNothingToCheckWith>(lane.device->id)}};
    lane.request = requestFor(context.study, *config, *lane.device);
    models::PackageSource* const packages = context.run.packages;
    if (!packages || !packages->needed(context.study.model, *config))
        return {};
    auto file = packages->get(context.study.model, *config, *lane.device, {}, stop);
    if (!file)
        return WorkerError{model::Reason{model::ReasonKind::compileFailed, file.error().message}};
    lane.request.package = file->path;
    return {};
}

/// Runs the rounds, with a thread for each device.
class Rounds
{
public:
    Rounds(const SweepContext& context, std::vector<Lane>& lanes, const Deadline& deadline,
           std::optional<Nanoseconds> end)
        : m_context(context), m_lanes(lanes), m_stop(deadline.token()), m_end(end), m_limits(context.run.limits),
          // The barrier runs EndOfPhase on one of the threads while all others wait, so its writes need no lock.
          m_barrier(static_cast<std::ptrdiff_t>(lanes.size()), EndOfPhase{*this})
    {
    }

    void run()
    {
        std::vector<std::jthread> threads; // They are joined at the end of the scope.
        for (std::size_t i = 0; i < m_lanes.size(); ++i)
            threads.emplace_back([this, i] { follow(i); });
    }

private:
    /// Runs between two phases, on one thread: all of them then see the same values.
    struct EndOfPhase
    {
        Rounds& rounds;
        void operator()() noexcept
        {
            // All threads see the end in the same phase. A thread that left alone would leave the others waiting.
            rounds.m_ended = rounds.m_failed;
            if (!rounds.m_ended && !rounds.m_planned)
                rounds.plan();
        }
    };

    /// Sets the length of blocks, equal for all so that they overlap, and the number of rounds.
    void plan() noexcept
    {
        m_planned = true;
        // Equal blocks overlap for as long as possible: a device that finished early would measure alone.
        m_block = std::max(m_limits.minBlock, m_limits.interferenceBlock);
        for (const Lane& lane : m_lanes)
            m_block = std::max(m_block, lane.loaded.iteration);
        m_rounds = m_limits.interferencePairs;
        if (m_end) {
            // A block is run twice on a device with a clock. The last one of a round may wait for a further block.
            const auto count = static_cast<std::int64_t>(m_lanes.size());
            const std::int64_t round = 2 * m_block.count * (count + 2) + (count + 2) * m_block.count / 4;
            const std::int64_t left = m_end->count - base::monotonicNow().count;
            m_rounds = static_cast<int>(std::min<std::int64_t>(m_rounds, left / std::max<std::int64_t>(1, round)));
        }
        // Fewer rounds than an interval needs are not begun.
        m_ended = m_rounds < stats::kIntervalSamples;
    }

    /// Waits for all devices. Returns whether it goes on.
    bool meet()
    {
        // A worker that failed still arrives, because the barrier counts all threads.
        m_barrier.arrive_and_wait();
        return !m_ended;
    }

    void note(Lane& lane, WorkerStatus status)
    {
        if (status)
            return;
        lane.failure = status.error();
        m_failed = true;
    }

    /// Measures one block; nullopt when the worker failed.
    std::optional<double> measureBlock(Lane& lane)
    {
        // Nothing is discarded, because pairs are made by position.
        const BlockRequest request{1, 1, {}, m_limits.trialMost, 0, settlingPasses(lane.loaded.iteration), 1, true};
        worker::RunLimits own = m_limits;
        own.minBlock = m_block;
        auto reply = measureConfiguration(*lane.loaded.worker, request, own, m_stop, {});
        if (reply)
            return reply->blocks.front().nsPerIteration();
        note(lane, reply.error());
        return std::nullopt;
    }

    void follow(std::size_t i)
    {
        Lane& lane = m_lanes[i];
        measureRounds(i, lane);
        lane.loaded.worker.reset(); // A worker ends with the thread that started it.
    }

    void measureRounds(std::size_t i, Lane& lane)
    {
        auto opened = openConfiguration(m_context.run.launcher, lane.request, m_limits, m_stop);
        if (opened)
            lane.loaded = std::move(*opened);
        else
            note(lane, opened.error());
        if (!meet())
            return;
        for (int round = 0; round < m_rounds; ++round)
            // The order of alone and together changes each round, so that drift cancels.
            for (const bool alone : {round % 2 == 0, round % 2 != 0})
                if (!(alone ? takeTurns(i) : workTogether(i, round)))
                    return;
    }

    bool takeTurns(std::size_t i)
    {
        for (std::size_t step = 0; step < m_lanes.size(); ++step) {
            // Only one device works in each step.
            if (step == i)
                if (const auto time = measureBlock(m_lanes[i]))
                    m_lanes[i].alone.push_back(*time);
            if (!meet())
                return false;
        }
        return true;
    }

    bool workTogether(std::size_t i, int round)
    {
        if (const auto time = measureBlock(m_lanes[i]))
            m_lanes[i].together.push_back(*time);
        // The counter rises only after the own block was measured, so the wait below covers the slowest device.
        ++m_blocksTogether;
        // The device works on until the others have their block, so that none has a part of it alone.
        const int all = (round + 1) * static_cast<int>(m_lanes.size());
        while (m_blocksTogether < all && !m_failed)
            measureBlock(m_lanes[i]);
        return meet();
    }

    const SweepContext& m_context;
    std::vector<Lane>& m_lanes;
    const std::stop_token m_stop;
    const std::optional<Nanoseconds> m_end;
    const worker::RunLimits m_limits;
    std::atomic<bool> m_failed = false;
    std::atomic<int> m_blocksTogether = 0;
    // Written by EndOfPhase alone, while all threads wait.
    bool m_planned = false;
    bool m_ended = false;
    int m_rounds = 0;
    Nanoseconds m_block{};
    std::barrier<EndOfPhase> m_barrier; ///< last: it refers to this object
};

/// The slowdown by the pairs of blocks.
Interference::Slowdown slowdownOf(const Lane& lane)
{
    stats::CompareOptions options;
    // Blocks of the same round saw the same machine.
    options.pairing = stats::Pairing::paired;
    const std::span<const double> alone(lane.alone);
    const std::span<const double> together(lane.together);
    // compare() gives the first over the second, and the slowdown is its inverse.
    const model::Interval ratio = stats::compare({alone}, {together}, options).ratio;
    return {lane.device->id, lane.request.config,
            model::Interval{1 / ratio.value, 1 / ratio.hi, 1 / ratio.lo, ratio.confidence},
            // A worker that failed may have left one list longer.
            static_cast<std::int64_t>(std::min(lane.alone.size(), lane.together.size()))};
}

/// "cuda:0 +0.3 % [−0.2 %, +0.8 %], n = 12" for each device.
std::string figuresOf(const std::vector<Interference::Slowdown>& slowdowns)
{
    // The sign is a minus and not a hyphen, as in all of the reports.
    const auto change = [](double ratio) { return (ratio < 1 ? "−" : "+") + base::formatPercent(std::abs(ratio - 1)); };
    std::vector<std::string> parts;
    for (const Interference::Slowdown& s : slowdowns)
        parts.push_back(s.device + " " + change(s.ratio.value) + " [" + change(s.ratio.lo) + ", " + change(s.ratio.hi) +
                        "], n = " + std::to_string(s.pairs));
    return base::join(parts, "; ");
}

std::string idsOf(const std::vector<model::Device>& devices)
{
    std::vector<std::string> ids;
    for (const model::Device& device : devices)
        ids.push_back(device.id);
    return base::join(ids);
}

} // namespace

void setInterferenceVerdict(Interference& result)
{
    const auto all = [&](auto holds) { return std::all_of(result.slowdowns.begin(), result.slowdowns.end(), holds); };
    const double limit = 1 + result.bound;
    std::vector<std::string> devices;
    for (const Interference::Slowdown& s : result.slowdowns)
        devices.push_back(s.device);
    const std::string figures = figuresOf(result.slowdowns);
    const std::string bound = base::formatPercent(result.bound);
    // An upper end within the bound proves that the slowdown does not matter.
    if (all([&](const auto& s) { return s.ratio.confidence > 0 && s.ratio.hi <= limit; })) {
        result.verdict = InterferenceVerdict::undisturbed;
        result.text = base::message<reasons::kDevicesUndisturbed>(base::join(devices), figures, bound);
    } else if (!all([&](const auto& s) { return !(s.ratio.confidence > 0) || s.ratio.lo <= limit; })) {
        // A lower end beyond the bound proves that it does. Anything between stays unknown, and the devices then follow
        // one another.
        result.verdict = InterferenceVerdict::disturbed;
        result.text = base::message<reasons::kDevicesDisturbed>(figures, bound);
    } else {
        result.text = base::message<reasons::kInterferenceUnknown>(figures, bound);
    }
}

Interference checkInterference(const SweepContext& context, const std::vector<model::Device>& devices,
                               std::optional<Nanoseconds> most)
{
    const Deadline deadline(context.stop, most);
    const auto end = most ? std::optional(base::monotonicNow() + *most) : std::nullopt;
    Interference result;
    result.bound = context.run.limits.mostInterference;
    const auto unmeasured = [&](const base::Message& why) {
        // Without a measurement the verdict stays unknown, which is treated as disturbed.
        result.text = base::message<reasons::kInterferenceUnmeasured>(idsOf(devices), why);
        return result;
    };
    std::vector<Lane> lanes;
    for (const model::Device& device : devices)
        lanes.push_back({&device});
    for (Lane& lane : lanes)
        if (const auto status = prepare(context, lane, deadline.token()); !status)
            return unmeasured(deadline.expired() ? base::message<reasons::kInterferenceNeedsTime>()
                                                 : status.error().reason.message);
    Rounds(context, lanes, deadline, end).run();
    for (const Lane& lane : lanes)
        if (lane.failure)
            return unmeasured(deadline.expired() ? base::message<reasons::kInterferenceNeedsTime>()
                                                 : lane.failure->reason.message);
    if (lanes.front().alone.empty())
        return unmeasured(base::message<reasons::kInterferenceNeedsTime>());
    for (const Lane& lane : lanes)
        result.slowdowns.push_back(slowdownOf(lane));
    setInterferenceVerdict(result);
    return result;
}

} // namespace apertune::study
