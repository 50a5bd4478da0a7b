// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/algorithm.h"
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

/// Runs the open trials of one device, one after the other, on the calling thread. `i` is the position of a trial in
/// the trial tracker.
class DeviceSweep
{
public:
    /// `context` must outlive this object.
    DeviceSweep(const SweepContext& context, model::Device device);

    /// Returns when the device has no open trials, or when a stop was requested.
    ///   - Without a search (or with "grid"), each configuration is measured once, in the order of schedule.h.
    ///   - With a search, each of its probes adds blocks to a trial. Trials that it leaves out are pruned with its
    ///     reasons.
    void run();

    static constexpr std::size_t kSessions = 8; ///< most sessions that stay open side by side during a search

private:
    struct Attempt
    {
        enum class End { finished, crashed, stopped };
        End end = End::finished;
        base::Nanoseconds compile{};
    };

    /// Runs one search for each objective of the goal, in order. Later searches know what earlier ones measured.
    void runSearch(search::Algorithm algorithm);
    /// Runs one search and returns its finalists, winner first. `remaining` counts the searches that remain, this one
    /// included; each gets an equal share of the budget left. Adds the search's reasons for trials that have none yet.
    std::vector<model::TrialId> searchFor(const model::Goal& goal, search::Algorithm algorithm, std::int64_t remaining,
                                          std::map<std::size_t, model::Reason>& reasons);
    /// Measures trial `i` as the probe asks; nullopt when a stop was requested.
    std::optional<search::ProbeResult> answer(const search::Probe& probe, std::size_t i);
    /// Closes sessions, least recently used first, until another one that needs `need` has room.
    void makeRoom(std::optional<base::Bytes> need);
    /// Adds blocks to a finished trial, in a session that stays open beside others.
    worker::WorkerStatus measureMore(const search::Probe& probe, std::size_t i);
    void runGroup(const WorkerRun& run);
    void runTrial(std::size_t i);
    Attempt attempt(std::size_t i, bool last);
    base::Result<std::filesystem::path> package(std::size_t i, const model::ModelRef& model,
                                                const model::Config& config, const model::Device& device,
                                                Attempt& attempt, model::Measurement& measurement);
    /// Starts a worker, unless the worker of the group is alive.
    worker::WorkerStatus ensureWorker(const model::Config& config);
    /// Computes the reference outputs for `config`. A failure becomes a message, and trials then have no quality.
    void ensureReference(std::size_t i, const model::Config& config);
    /// Prunes the larger batches of the group of trial `i`, which ran out of memory.
    void pruneLargerBatches(std::size_t i);
    /// Whether batches are automatic: each group is measured upward until search::endOfGrowth() gives a reason.
    bool hasAutomaticBatches() const;
    std::optional<base::Bytes> memoryLimit() const;
    /// Measured batches of a group, ascending.
    std::vector<search::MeasuredBatch> measuredBatchesOf(const std::string& group) const;
    /// Prunes queued trials with larger batches than `batch`, in one group or, if `group` is empty, in all.
    void pruneBeyond(int batch, const std::string& group, const model::Reason& reason);
    /// Before a search over automatic batches: measures the first group upward, then prunes batches far beyond its end
    /// in all groups, so that the search does not probe batches that gain nothing.
    void limitBatches();
    bool outOfBudget() const;
    /// Reserves the expected time of a confirmation: at most 35 % of the budget for three trials in three processes
    /// each, or half of it for two trials in two.
    void reserveConfirmation();
    ConfigurationRequest request(const model::Config& config) const;
    /// Time of a pass above which `config` is too slow to measure; 0 when every configuration is measured.
    base::Nanoseconds giveUp(const model::Config& config) const;
    /// Reports remarks of a backend, each of them once a device.
    void reportNotes(const model::Config& config, const std::vector<std::string>& notes);
    References::Key referenceKey(const model::Config& config) const;
    model::Config reference(const model::Config& config) const;
    bool needsFile(const model::Config& config) const;

    const SweepContext& m_context;
    const model::Device m_device;
    /// Device that computes the reference outputs; null for the device itself.
    const model::Device* const m_referenceDevice;
    std::unique_ptr<worker::WorkerProcess> m_worker;
    bool m_hasRun = false;          ///< a trial has run: the first one runs even without budget
    base::Nanoseconds m_overhead{}; ///< total time of the finished trials beyond their blocks (load, warm-up, quality)
    int m_overheadCount = 0;        ///< number of trials in m_overhead
    MeasuringTime m_measuring;      ///< measuring time of the running trial
    std::set<std::string> m_reportedNotes;
    DriftMonitor m_driftMonitor;
    // Used by a search alone:
    std::string m_group;                    ///< configuration group that m_worker has open
    std::optional<MeasuringTime> m_planned; ///< measuring time and blocks of the next trial
    std::set<std::size_t> m_probed;         ///< trials measured by the current search
    std::vector<std::pair<std::size_t, std::unique_ptr<worker::WorkerProcess>>>
        m_sessions; ///< open sessions by trial, the most recently used last
};

} // namespace apertune::study
