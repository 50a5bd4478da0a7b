// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/serving.h"

#include "app/worker/program_errors.h"
#include "core/base/clock.h"

#include <algorithm>
#include <ctime>

namespace apertune::worker {

using base::Nanoseconds;

namespace {

constexpr Nanoseconds kWatched{100'000}; ///< time before a query in which the clock is read in a loop: a sleep may end
                                         ///< late by tens of microseconds
constexpr Nanoseconds kStopCheckInterval{50'000'000}; ///< longest sleep between two checks of the stop flag

/// A warm model in real time, on CLOCK_MONOTONIC.
class Live final : public workload::Machine
{
public:
    Live(LoadedModel& model, const std::atomic<bool>& stop)
        : m_model(model), m_stop(stop), m_begin(base::monotonicNow())
    {
    }

    Nanoseconds now() override { return base::monotonicNow() - m_begin; }

    bool waitUntil(Nanoseconds time) override
    {
        for (Nanoseconds left = time - now(); left.count > 0; left = time - now()) {
            if (m_stop.load(std::memory_order_relaxed))
                return false;
            if (left <= kWatched)
                continue;
            const Nanoseconds sleep = std::min(left - kWatched, kStopCheckInterval);
            const timespec span{0, sleep.count};
            ::nanosleep(&span, nullptr);
        }
        return true;
    }

    base::Status pass() override
    {
        apertune_status status = m_model.session->run(m_model.nextInput++);
        if (status == APERTUNE_OK)
            status = m_model.session->synchronize();
        if (status != APERTUNE_OK)
            return m_model.session->error(status);
        return {};
    }

private:
    LoadedModel& m_model;
    const std::atomic<bool>& m_stop;
    const Nanoseconds m_begin;
};

} // namespace

base::Result<std::vector<workload::Served>> serveScenario(LoadedModel& model, const ServeRequest& request,
                                                          const std::atomic<bool>& stop,
                                                          const std::function<void(double)>& onProgress)
{
    const workload::Scenario& wanted = request.scenario;
    const auto watch = [&](double part) {
        onProgress(part);
        return !stop.load(std::memory_order_relaxed);
    };
    const bool comesByItself =
        wanted.kind == workload::ScenarioKind::server || wanted.kind == workload::ScenarioKind::camera;
    if (!comesByItself) {
        Live machine(model, stop);
        return workload::serveOneByOne(request.passes, wanted.duration, request.least, machine, watch);
    }
    const std::vector<workload::Query> queries = workload::arrivals(wanted, wanted.rate);
    if (queries.empty())
        return base::Error{base::ErrorCode::invalidArgument,
                           base::message(program_errors::kNoQuery),
                           {},
                           base::message(program_errors::kMoreTimeOrRate)};
    Live machine(model, stop); // its clock starts here, after the arrivals were computed
    return workload::serve(queries, workload::policyOf(wanted, request.batch), machine, watch);
}

} // namespace apertune::worker
