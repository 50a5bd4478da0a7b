// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/pipeline_sweep.h"

#include "core/base/clock.h"
#include "core/model/device.h"
#include "core/runs/errors.h"
#include "core/search/algorithm.h"
#include "core/search/reasons.h"
#include "core/search/recommend.h"
#include "core/search/searcher.h"
#include "core/stats/block_stats.h"
#include "core/stats/compare.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace apertune::runs {

using base::Error;
using base::ErrorCode;
using base::Nanoseconds;
using workload::PipelineContender;
using workload::PipelineGoal;
using workload::PipelineRun;
using workload::PipelineSetting;
using workload::PipelineSweep;

namespace {

constexpr std::size_t kFinalists = 3;      ///< contenders of a confirmation beside the baseline
constexpr double kScreeningShare = 0.5;    ///< largest share of the budget for the screening
constexpr std::size_t kMostRounds = 25;    ///< rounds of a confirmation after which more tell nothing new
constexpr double kTurnsOfHalving = 2;      ///< turns of a setting, on average, that successive halving needs
constexpr double kHostMemoryShare = 0.5;   ///< share of the host's memory that workers may take
constexpr double kDeviceMemoryShare = 0.9; ///< the same for a device with its own memory

double costOf(const PipelineRun& run, PipelineGoal goal)
{
    if (goal == PipelineGoal::latency)
        return run.summary.latencyNs.value;
    return run.summary.images > 0
               ? static_cast<double>(run.summary.span.count) / static_cast<double>(run.summary.images)
               : 0;
}

/// Keeps the workers of a sweep open, one for each trial and number of threads.
class Workers
{
public:
    Workers(const study::RunContext& context, const model::Study& study, const std::vector<model::Trial>& trials,
            const PipelineImages& images, const study::PhaseSink& phase)
        : m_context(context), m_study(study), m_trials(trials), m_images(images), m_phase(phase)
    {
    }

    /// Runs the setting's plan in its worker. A worker that failed is closed.
    base::Result<PipelineRun> run(const PipelineSetting& setting, const std::stop_token& stop)
    {
        const std::pair key(setting.trial, setting.threads);
        auto at = std::find_if(m_open.begin(), m_open.end(), [&](const auto& open) { return open.first == key; });
        if (at == m_open.end()) {
            makeRoomFor(setting.trial);
            auto opened = PipelineWorker::open(m_context, m_study, m_trials[setting.trial], setting.threads, m_images,
                                               m_phase, stop);
            if (!opened)
                return opened.error();
            m_open.emplace_back(key, std::move(*opened));
        } else {
            std::rotate(at, at + 1, m_open.end()); // The one that was used last stands last.
        }
        auto result = m_open.back().second.run(setting.plan, m_phase, stop);
        if (!result)
            m_open.pop_back();
        return result;
    }

private:
    double peakOf(std::size_t trial) const
    {
        const model::Trial& t = m_trials[trial];
        const auto peak = t.measurement.memory.peakOn(model::typeOfDevice(t.device));
        return peak ? static_cast<double>(peak->count) : 0;
    }

    /// Closes the workers that were not used for the longest time, until another one has room.
    void makeRoomFor(std::size_t trial)
    {
        const model::Device* device = model::findDevice(m_context.devices, m_trials[trial].device);
        if (!device || device->memory.count <= 0)
            return;
        const double share = device->type.hasOwnMemory() ? kDeviceMemoryShare : kHostMemoryShare;
        const double room = share * static_cast<double>(device->memory.count);
        const auto taken = [&] {
            double sum = peakOf(trial);
            for (const auto& [key, worker] : m_open)
                sum += peakOf(key.first);
            return sum;
        };
        while (!m_open.empty() && taken() > room)
            m_open.erase(m_open.begin());
    }

    const study::RunContext& m_context;
    const model::Study& m_study;
    const std::vector<model::Trial>& m_trials;
    const PipelineImages& m_images;
    const study::PhaseSink& m_phase;
    std::vector<std::pair<std::pair<std::size_t, int>, PipelineWorker>> m_open;
};

/// One sweep on its way.
class Sweep
{
public:
    Sweep(Workers& workers, const PipelineSweepRequest& request, std::vector<PipelineSetting> settings,
          const PipelineSweepSink& progress, std::stop_token stop)
        : m_workers(workers), m_request(request), m_progress(progress), m_stop(std::move(stop)),
          m_begin(base::monotonicNow())
    {
        m_sweep.goal = request.goal;
        for (PipelineSetting& setting : settings)
            m_sweep.contenders.push_back({std::move(setting)});
    }

    base::Result<PipelineSweep> run()
    {
        // The first turn opens the worker, so the second one tells how long turns are.
        Nanoseconds turn{};
        for (int i = 0; i < 2; ++i) {
            const Nanoseconds before = over();
            if (auto status = takeTurn(0, m_sweep.contenders[0].screening); !status)
                return status.error();
            turn = over() - before;
        }
        screen(turn);
        if (m_stop.stop_requested())
            return cancelled();
        if (auto status = confirm(); !status)
            return status.error();
        judge();
        m_sweep.wall = over();
        return std::move(m_sweep);
    }

private:
    Nanoseconds over() const { return base::monotonicNow() - m_begin; }

    static Error cancelled() { return Error{ErrorCode::cancelled, base::message<errors::kSweepCancelled>()}; }

    /// Runs a setting once and appends its cost. A contender that fails keeps its reason.
    base::Status takeTurn(std::size_t index, std::vector<double>& costs)
    {
        PipelineContender& contender = m_sweep.contenders[index];
        m_progress(over(), contender.setting);
        auto run = m_workers.run(contender.setting, m_stop);
        if (!run) {
            contender.reason = {model::ReasonKind::internal, run.error().message};
            return run.error();
        }
        contender.reason = {};
        costs.push_back(costOf(*run, m_request.goal));
        contender.run = std::move(*run);
        return {};
    }

    void leaveOut(std::size_t from)
    {
        for (std::size_t i = from; i < m_sweep.contenders.size(); ++i)
            m_sweep.contenders[i].reason = {model::ReasonKind::budget, base::message<search::reasons::kBudgetSpent>()};
    }

    /// Gives every setting turns by successive halving. `turn`: the expected time of one.
    void screen(Nanoseconds turn)
    {
        std::vector<PipelineContender>& all = m_sweep.contenders;
        const Nanoseconds time = base::fromSeconds(kScreeningShare * m_request.budget.seconds()) - over();
        const double fitting = std::max(0.0, time.seconds() / (kTurnsOfHalving * std::max(1e-3, turn.seconds())));
        const std::size_t count = std::min(all.size(), 1 + static_cast<std::size_t>(fitting));
        leaveOut(count);
        if (count < 2)
            return;
        search::SearchTask task;
        task.goal.objective = model::Objective::latency; // The searcher takes costs as they are.
        task.measuring = time;
        for (std::size_t i = 0; i < count; ++i) {
            task.configurations.push_back({i, 1});
            task.groups.emplace_back();
        }
        const auto searcher = search::makeSearcher(search::Algorithm::halving, task, 1);
        while (!m_stop.stop_requested() && over().seconds() < kScreeningShare * m_request.budget.seconds()) {
            const auto probe = searcher->next();
            if (!probe)
                break;
            search::ProbeResult answer;
            const Nanoseconds before = over();
            if (!takeTurn(probe->configuration, all[probe->configuration].screening))
                answer.end = search::ProbeResult::End::failed;
            else
                answer.passNs = {all[probe->configuration].screening.back()};
            answer.wall = answer.measuring = over() - before;
            searcher->tell(answer);
        }
        for (std::size_t i = 1; i < count; ++i)
            if (all[i].screening.empty() && all[i].reason.kind == model::ReasonKind::none)
                all[i].reason = {model::ReasonKind::budget, base::message<search::reasons::kBudgetSpent>()};
    }

    /// The contenders that the screening found best, at most kFinalists.
    std::vector<std::size_t> finalists() const
    {
        std::vector<std::size_t> found;
        for (std::size_t i = 1; i < m_sweep.contenders.size(); ++i)
            if (!m_sweep.contenders[i].screening.empty() &&
                m_sweep.contenders[i].reason.kind == model::ReasonKind::none)
                found.push_back(i);
        const auto cost = [&](std::size_t i) { return stats::median(m_sweep.contenders[i].screening); };
        std::stable_sort(found.begin(), found.end(), [&](std::size_t a, std::size_t b) { return cost(a) < cost(b); });
        found.resize(std::min(found.size(), kFinalists));
        return found;
    }

    /// Whether the ratios of all finalists to the baseline are known to search::kTie.
    bool isPrecise(const std::vector<std::size_t>& arms) const
    {
        return std::all_of(arms.begin() + 1, arms.end(), [&](std::size_t i) {
            const model::Interval ratio = effectOf(i).ratio;
            return ratio.confidence > 0 && (std::log(ratio.hi) - std::log(ratio.lo)) / 2 <= search::kTie;
        });
    }

    base::Status confirm()
    {
        std::vector<std::size_t> arms = finalists();
        if (arms.empty())
            return {};
        arms.insert(arms.begin(), 0);
        for (std::size_t round = 0; round < kMostRounds; ++round) {
            const Nanoseconds begin = over();
            std::vector<std::size_t> failed;
            for (std::size_t k = 0; k < arms.size(); ++k) {
                const std::size_t i = arms[(k + round) % arms.size()]; // Each round begins with another one.
                const base::Status turn = takeTurn(i, m_sweep.contenders[i].confirmation);
                if (m_stop.stop_requested())
                    return cancelled();
                if (!turn && i == 0)
                    return turn;
                if (!turn)
                    failed.push_back(i);
            }
            for (const std::size_t i : failed) {
                m_sweep.contenders[i].confirmation.clear();
                std::erase(arms, i);
            }
            if (arms.size() < 2)
                return {};
            const Nanoseconds next = over() + (over() - begin);
            const bool enough = round + 1 >= static_cast<std::size_t>(stats::kIntervalSamples);
            if (next > m_request.budget || (enough && isPrecise(arms)))
                return {};
        }
        return {};
    }

    stats::Effect effectOf(std::size_t index) const
    {
        const PipelineContender& baseline = m_sweep.contenders[0];
        const PipelineContender& contender = m_sweep.contenders[index];
        const bool shareWorker =
            baseline.setting.trial == contender.setting.trial && baseline.setting.threads == contender.setting.threads;
        stats::CompareOptions options;
        options.pairing = stats::Pairing::paired;
        options.noiseFloor = shareWorker ? 0 : search::kBetweenProcesses;
        const std::span<const double> one = baseline.confirmation;
        const std::span<const double> two = contender.confirmation;
        const std::size_t rounds = std::min(one.size(), two.size());
        stats::Effect effect = stats::compare({one.first(rounds)}, {two.first(rounds)}, options);
        effect.ratio = stats::withNoiseFloor(effect, options.noiseFloor);
        return effect;
    }

    void judge()
    {
        std::vector<PipelineContender>& all = m_sweep.contenders;
        std::vector<std::size_t> judged;
        std::vector<stats::Effect> effects;
        for (std::size_t i = 1; i < all.size(); ++i)
            if (all[i].confirmation.size() >= static_cast<std::size_t>(stats::kIntervalSamples)) {
                judged.push_back(i);
                effects.push_back(effectOf(i));
            }
        stats::correctForMany(effects);
        for (std::size_t k = 0; k < judged.size(); ++k) {
            all[judged[k]].ratio = effects[k].ratio;
            all[judged[k]].verdict = effects[k].verdict;
        }
        if (judged.empty())
            return;
        m_sweep.recommended = 0;
        double best = 1;
        for (const std::size_t i : judged)
            if (all[i].verdict == model::Verdict::faster && all[i].ratio->value > best) {
                best = all[i].ratio->value;
                m_sweep.recommended = i;
            }
    }

    Workers& m_workers;
    const PipelineSweepRequest& m_request;
    const PipelineSweepSink& m_progress;
    std::stop_token m_stop;
    Nanoseconds m_begin;
    PipelineSweep m_sweep;
};

} // namespace

base::Result<PipelineSweep> sweepPipeline(const study::RunContext& context, const model::Study& study,
                                          const std::vector<model::Trial>& trials, const PipelineSweepRequest& request,
                                          const PipelineSweepSink& progress, const study::PhaseSink& phase,
                                          std::stop_token stop)
{
    std::vector<workload::PipelineTrial> facts;
    for (const model::Trial& trial : trials)
        facts.push_back({trial.config.batch, trial.config.threads});
    std::vector<PipelineSetting> settings = workload::settingsOf(request.axes, request.plan, facts);
    if (auto status = workload::check(settings.front().plan, trials.front().config.batch); !status)
        return status.error();
    Workers workers(context, study, trials, request.images, phase);
    return Sweep(workers, request, std::move(settings), progress, std::move(stop)).run();
}

} // namespace apertune::runs
