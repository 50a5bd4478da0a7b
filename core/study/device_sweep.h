// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/automatic_batches.h"
#include "core/search/searcher.h"
#include "core/study/configuration_run.h"
#include "core/study/drift_monitor.h"
#include "core/study/references.h"
#include "core/study/sweep_context.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace apertune::study {

/// Runs the open trials of one device, one after the other, on the calling thread.
class DeviceSweep
{
public:
    DeviceSweep(const SweepContext& context, model::Device device);

    /// Returns when the device has no open trials, or a stop was requested. Trials run in planned order, or as the
    /// study's search asks for them: then a trial is measured briefly first and on when the search comes back to it,
    /// and what the search leaves is pruned with its reasons.
    void run();

    static constexpr std::size_t kSessions =
        8; ///< that stay open side by side when a search comes back to configurations

private:
    struct Attempt
    {
        enum class End { finished, crashed, stopped };
        End end = End::finished;
        base::Nanoseconds compile{};
    };

    /// One search for each objective of the goal, in its order, what one measured known to the next.
    void runSearch(search::Algorithm algorithm);
    /// The finalists, winner first. It may spend an equal share of what the budget has left, with so many searches to
    /// come, itself among them. Adds to `reasons` why it left trials out, where none stands there.
    std::vector<model::TrialId> searchFor(const model::Goal& goal, search::Algorithm algorithm, std::int64_t toCome,
                                          std::map<std::size_t, model::Reason>& reasons);
    /// Nothing: stopped.
    std::optional<search::ProbeResult> answer(const search::Probe& probe, std::size_t i);
    /// Closes sessions, those used longest ago first, until one more of `need` has room beside the others.
    void makeRoom(std::optional<base::Bytes> need);
    worker::WorkerStatus measureMore(const search::Probe& probe, std::size_t i);
    void runGroup(const WorkerRun& run);
    void runTrial(std::size_t i);
    Attempt attempt(std::size_t i, bool last);
    base::Result<std::filesystem::path> package(std::size_t i, const model::ModelRef& model,
                                                const model::Config& config, const model::Device& device,
                                                Attempt& attempt, model::Measurement& measurement);
    /// Starts a worker unless one of the group is there.
    worker::WorkerStatus ensureWorker(const model::Config& config);
    void ensureReference(std::size_t i, const model::Config& config);
    void pruneLargerBatches(std::size_t i);
    /// The batches are automatic: each group is measured upward until search::ladderEnd() gives a reason.
    bool climbs() const;
    std::optional<base::Bytes> memoryLimit() const;
    /// The batches of a group that were measured, ascending.
    std::vector<search::MeasuredBatch> measuredBatchesOf(const std::string& group) const;
    /// Prunes what is open beyond `batch`, of one group or (empty) of all.
    void pruneBeyond(int batch, const std::string& group, const model::Reason& reason);
    /// With automatic batches, before a search: climbs with the first group and prunes what is far beyond its end in
    /// all of them, so that no search looks at batches that gain nothing.
    void climbFirst();
    bool outOfBudget() const;
    /// Keeps what a confirmation takes about: 35 % of the budget at most for one of three trials in three processes
    /// each, half of it for the least one.
    void reserveConfirmation();
    ConfigurationRequest request(const model::Config& config) const;
    base::Nanoseconds giveUp(const model::Config& config) const;
    void tellNotes(const model::Config& config, const std::vector<std::string>& notes);
    References::Key referenceKey(const model::Config& config) const;
    model::Config reference(const model::Config& config) const;
    bool needsFile(const model::Config& config) const;

    const SweepContext& m_context;
    const model::Device m_device;
    /// Where the outputs are computed that configurations are compared with; null: on the device itself.
    const model::Device* const m_referenceDevice;
    std::unique_ptr<worker::WorkerProcess> m_worker;
    bool m_anyRun = false;         ///< one trial runs whatever the budget is
    base::Nanoseconds m_besides{}; ///< what trials took besides measuring, summed
    int m_counted = 0;
    MeasuringTime m_measuring; ///< planned for the trial in flight
    std::set<std::string> m_toldNotes;
    DriftMonitor m_driftMonitor;
    // Of a search:
    std::string m_group;                    ///< configuration group that m_worker has open
    std::optional<MeasuringTime> m_planned; ///< measuring time and blocks of the next trial
    std::set<std::size_t> m_probed;         ///< trials measured in this run
    std::vector<std::pair<std::size_t, std::unique_ptr<worker::WorkerProcess>>>
        m_sessions; ///< the last used stands last
};

} // namespace apertune::study
