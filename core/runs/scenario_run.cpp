// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/scenario_run.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/runs/errors.h"
#include "core/runs/reasons.h"
#include "core/study/trial_request.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace apertune::runs {

using base::Error;
using base::ErrorCode;
using base::Json;
using base::Nanoseconds;
using workload::Scenario;
using workload::ScenarioKind;
using workload::Served;

namespace {

constexpr std::size_t kTimedPasses = 100; ///< single passes that the prediction of the rate uses

/// How far a run of a scenario is.
base::Message servingMessage(ScenarioKind kind, int percent)
{
    switch (kind) {
    case ScenarioKind::singleStream:
        return base::message<reasons::kServingSingleStream>(percent);
    case ScenarioKind::multiStream:
        return base::message<reasons::kServingMultiStream>(percent);
    case ScenarioKind::offline:
        return base::message<reasons::kServingOffline>(percent);
    case ScenarioKind::camera:
        return base::message<reasons::kServingCamera>(percent);
    case ScenarioKind::server:
        break;
    }
    return base::message<reasons::kServingServer>(percent);
}

/// Least number of queries for a bound on a percentile: if all of n queries are below a latency, it bounds the
/// percentile p with 99 % confidence when pⁿ ≤ 1 %.
std::size_t leastQueries(double percentile)
{
    return static_cast<std::size_t>(std::ceil(std::log(0.01) / std::log(percentile)));
}

base::Result<std::vector<Served>> servedFrom(const Json& answer)
{
    try {
        const Json& due = answer.at("due_ns");
        const Json& start = answer.at("start_ns");
        const Json& end = answer.at("end_ns");
        const Json& camera = answer.at("camera");
        std::vector<Served> run;
        for (std::size_t i = 0; i < due.size(); ++i) {
            Served served;
            served.query = {{due.at(i).get<std::int64_t>()}, camera.at(i).get<int>()};
            // A negative start marks a query that was dropped because the queue was full.
            served.dropped = start.at(i).get<std::int64_t>() < 0;
            served.start = {served.dropped ? 0 : start.at(i).get<std::int64_t>()};
            served.end = {end.at(i).get<std::int64_t>()};
            run.push_back(served);
        }
        if (run.empty())
            throw std::runtime_error("it has no queries");
        return run;
    } catch (const std::exception& e) {
        return Error{ErrorCode::internal,
                     base::message<errors::kUnreadableWorker>(e.what()),
                     {},
                     base::message<errors::kSameVersion>()};
    }
}

/// A worker with a warm model, under load.
class Loaded
{
public:
    Loaded(const study::RunContext& context, const study::PhaseSink& phase, const LoadSink& progress,
           std::stop_token stop)
        : m_context(context), m_phase(phase), m_progress(progress), m_stop(std::move(stop))
    {
    }

    base::Status start(const study::ConfigurationRequest& configuration)
    {
        m_batch = configuration.config.batch;
        auto started = worker::WorkerProcess::start(m_context.launcher, study::launchRequest(configuration), m_stop,
                                                    m_context.limits.worker);
        if (!started)
            return study::toError(started.error());
        m_worker = std::move(*started);
        auto prepared = study::prepareConfiguration(*m_worker, configuration, m_context.limits,
                                                    m_context.limits.trialMost, m_stop, m_phase);
        if (!prepared)
            return study::toError(prepared.error());
        m_pass = prepared->iteration;
        return {};
    }

    base::Result<std::vector<Served>> serve(const Scenario& scenario, int passes, std::size_t least,
                                            const std::function<base::Message(int)>& figureOf)
    {
        const Json command{{"t", "serve"},
                           {"session", study::kSession},
                           {"scenario", toJson(scenario)},
                           {"passes", passes},
                           {"least", least}};
        // An overloaded run ends after twice its duration. The limit allows for a machine that becomes ten times
        // slower, because that is not a hang.
        const Nanoseconds oneByOne{m_pass.count * passes * static_cast<std::int64_t>(least) * 10};
        const Nanoseconds limit =
            scenario.duration + scenario.duration + std::max(oneByOne, scenario.duration) + m_context.limits.first;
        const Nanoseconds planned =
            std::max(scenario.duration, Nanoseconds{m_pass.count * passes * static_cast<std::int64_t>(least)});
        const Nanoseconds begin = base::monotonicNow();
        // The first run of a search is the origin of its progress.
        if (m_begin.count == 0)
            m_begin = begin;
        auto reply = m_worker->call(command, limit, m_stop, [&](const Json& message) {
            const double part = std::clamp(message.value("part", 0.0), 0.0, 1.0);
            m_phase(study::Phase::serve, figureOf(static_cast<int>(part * 100)));
            reportProgress(part, planned, begin);
        });
        if (!reply)
            return study::toError(reply.error());
        return servedFrom(*reply);
    }

    /// Times single passes, one after the other.
    base::Result<std::vector<Nanoseconds>> passTimes()
    {
        // Single stream sends the next query when the last one is answered, so its latencies are single passes.
        Scenario closed = workload::defaultScenario(ScenarioKind::singleStream);
        closed.duration = base::fromSeconds(1);
        auto run =
            serve(closed, 1, kTimedPasses, [](int percent) { return base::message<reasons::kServingPasses>(percent); });
        if (!run)
            return run.error();
        std::vector<Nanoseconds> times;
        for (const Served& served : *run)
            times.push_back(served.latency());
        return times;
    }

    int batch() const { return m_batch; }

    /// Sets how many runs of a search follow the current one, at least and at most.
    void setRunsLeft(int least, int most)
    {
        m_leastRuns = least;
        m_mostRuns = most;
    }

private:
    void reportProgress(double part, Nanoseconds planned, Nanoseconds begin) const
    {
        if (!m_progress)
            return;
        constexpr double kLeastProgress = 0.05; // Before this share has run, the plan predicts the rest better.
        const double spent = (base::monotonicNow() - begin).seconds();
        const double left = part > kLeastProgress ? spent / part - spent : std::max(0.0, planned.seconds() - spent);
        LoadProgress progress;
        // The current run is followed by at least and at most that many runs of the same length.
        progress.leastLeft = base::fromSeconds(left + m_leastRuns * planned.seconds());
        progress.mostLeft = base::fromSeconds(left + m_mostRuns * planned.seconds());
        const double all = (base::monotonicNow() - m_begin).seconds();
        const double most = progress.mostLeft.seconds();
        progress.part = all + most > 0 ? all / (all + most) : 1;
        m_progress(progress);
    }

    const study::RunContext& m_context;
    const study::PhaseSink& m_phase;
    const LoadSink& m_progress;
    std::stop_token m_stop;
    std::unique_ptr<worker::WorkerProcess> m_worker;
    Nanoseconds m_pass{};
    Nanoseconds m_begin{}; ///< start of the first run
    int m_leastRuns = 0;
    int m_mostRuns = 0;
    int m_batch = 1;
};

base::Result<ScenarioResult> searchCapacity(Loaded& load, const Scenario& scenario)
{
    // A search needs at least two runs: one rate that holds the bound and one that does not.
    load.setRunsLeft(2, workload::kMostProbes);
    const auto passes = load.passTimes();
    if (!passes)
        return passes.error();
    int run = 0;
    auto capacity = workload::findCapacity(scenario, load.batch(), passes.value(), [&](const Scenario& at) {
        ++run;
        // One run that holds the bound and one that does not are the least.
        load.setRunsLeft(std::max(0, 2 - run), workload::kMostProbes - run);
        return load.serve(at, 1, 0, [&at](int percent) {
            return base::message<reasons::kServingRate>(base::formatSignificant(at.rate, 3), percent);
        });
    });
    if (!capacity)
        return capacity.error();
    ScenarioResult result{scenario, {}, std::move(*capacity)};
    for (const workload::CapacityProbe& probe : result.capacity->probes)
        // When no rate held, the last probe is shown, which is the lowest rate.
        if (probe.rate == result.capacity->highestKept || (result.capacity->highestKept == 0)) {
            result.scenario.rate = probe.rate;
            result.summary = probe.summary;
        }
    return result;
}

} // namespace

base::Result<ScenarioResult> runScenario(const study::RunContext& context, const model::Study& study,
                                         const model::Trial& trial, const Scenario& scenario,
                                         const study::PhaseSink& phase, std::stop_token stop, const LoadSink& progress)
{
    if (auto status = workload::check(scenario); !status)
        return status.error();
    const auto configuration = study::requestOf(context, study, trial, phase, stop);
    if (!configuration)
        return configuration.error();
    Loaded load(context, phase, progress, stop);
    if (auto status = load.start(configuration.value()); !status)
        return status.error();

    int samples = 1; // samples a query
    int passes = 1;
    std::size_t least = leastQueries(scenario.percentile);
    switch (scenario.kind) {
    case ScenarioKind::server:
        // A rate of 0 asks for the highest rate that keeps the bound.
        if (scenario.rate == 0)
            return searchCapacity(load, scenario);
        break;
    case ScenarioKind::multiStream:
        samples = scenario.samples;
        // A query of several samples needs several passes when the batch is smaller.
        passes = (scenario.samples + load.batch() - 1) / load.batch();
        break;
    case ScenarioKind::offline:
        samples = load.batch();
        // Offline has no percentile, so no least number of queries.
        least = 0;
        break;
    case ScenarioKind::singleStream:
    case ScenarioKind::camera:
        break;
    }
    const auto run = load.serve(scenario, passes, least,
                                [&scenario](int percent) { return servingMessage(scenario.kind, percent); });
    if (!run)
        return run.error();
    return ScenarioResult{scenario, workload::summarize(scenario, run.value(), samples), std::nullopt};
}

Json toJson(const ScenarioResult& result)
{
    return {{"scenario", workload::toJson(result.scenario)},
            {"summary", workload::toJson(result.summary)},
            {"capacity", result.capacity ? workload::toJson(*result.capacity) : Json(nullptr)}};
}

} // namespace apertune::runs
