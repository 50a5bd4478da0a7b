// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/algorithm.h"
#include "core/search/searcher.h"
#include "core/study/sweep_context.h"
#include "core/study/trial_runner.h"
#include "core/worker/worker_process.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace apertune::study {

/// Measures the open trials of one device as searches ask for them. `i` is the position of a trial in the trial
/// tracker. Private to this folder. One thread.
class DeviceSearch
{
public:
    /// REQUIRES: `context` and `runner` outlive this object.
    DeviceSearch(const SweepContext& context, TrialRunner& runner);

    /// Runs one search for each objective of the goal, in order. Later searches know what earlier ones measured. Each
    /// probe adds blocks to a trial. The finalists are nominated; trials that the searches leave out are pruned with
    /// their reasons. Returns early when a stop was requested. `kept`: time of the budget that is left to the caller.
    void run(search::Algorithm algorithm, base::Nanoseconds kept);

    static constexpr std::size_t kSessions = 8; ///< most sessions that stay open side by side

private:
    /// Runs one search and returns its finalists, winner first. `remaining` counts the searches that remain, this one
    /// included; each gets an equal share of the budget left, without `kept`. Adds the search's reasons for trials that
    /// have none yet.
    std::vector<model::TrialId> searchFor(const model::Goal& goal, search::Algorithm algorithm, std::int64_t remaining,
                                          base::Nanoseconds kept, std::map<std::size_t, model::Reason>& reasons);
    /// Measures trial `i` as the probe asks; nullopt when a stop was requested.
    std::optional<search::ProbeResult> answer(const search::Probe& probe, std::size_t i);
    /// Closes sessions, least recently used first, until another one that needs `need` has room.
    void makeRoom(std::optional<base::Bytes> need);
    /// Adds blocks to a finished trial, in a session that stays open beside others.
    worker::WorkerStatus measureMore(const search::Probe& probe, std::size_t i);

    const SweepContext& m_context;
    TrialRunner& m_runner;
    const model::Device& m_device;
    std::string m_group;            ///< configuration group that the runner's worker has open
    std::set<std::size_t> m_probed; ///< trials measured by the current search
    std::vector<std::pair<std::size_t, std::unique_ptr<worker::WorkerProcess>>>
        m_sessions; ///< open sessions by trial, the most recently used last
};

} // namespace apertune::study
