// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"
#include "core/search/conversion_scale.h"
#include "core/study/configuration_run.h"
#include "core/study/drift_monitor.h"
#include "core/study/quiet_wait.h"
#include "core/study/references.h"
#include "core/study/sweep_context.h"
#include "core/worker/worker_process.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace apertune::study {

/// Runs trials of one device, one after the other, in a worker that stays open while they are of one group, and counts
/// what they take of the budget. `i` is the position of a trial in the trial tracker. Private to this folder. One
/// thread.
class TrialRunner
{
public:
    /// `driftMonitor` is that of the device.
    /// REQUIRES: `context` and `driftMonitor` outlive this object.
    TrialRunner(const SweepContext& context, model::Device device, DriftMonitor& driftMonitor);
    TrialRunner(const TrialRunner&) = delete;
    TrialRunner& operator=(const TrialRunner&) = delete;

    const model::Device& device() const { return m_device; }

    /// Runs an open trial and finishes it, unless a stop was requested.
    ///   - It is measured for `planned`, by default for its share of the budget, and never for more than that share.
    ///   - A trial whose worker crashed runs once more.
    ///   - A trial that still runs when a budget of wall time is over is pruned; the first one not before
    ///     RunLimits::firstTrial.
    ///   - A trial that runs out of memory prunes the larger batches of its group.
    void run(std::size_t i, std::optional<MeasuringTime> planned = {});
    /// Ends the worker. The next trial starts another one.
    void closeWorker() { m_worker.reset(); }

    /// Returns the hooks that run between the blocks of this device's trials: reference turns, and waits for a
    /// quiet machine.
    BetweenBlocks betweenBlocks();
    DriftMonitor& driftMonitor() { return m_driftMonitor; }

    /// Learns from the trials of the device that other runners measured. None of this runner's is then the first one.
    void goOn();
    /// Whether the rest of the budget has time to open `config`, and to make its file where it has none. Without a
    /// budget there is time.
    bool hasTimeFor(const model::Config& config) const;

    bool hasRun() const { return m_hasRun; } ///< a trial has run: the first one runs even without budget
    bool outOfBudget() const;

    ConfigurationRequest request(const model::Config& config) const;
    /// Whether `config` opens a compiled package or a converted file. fileOf() returns it.
    bool needsFile(const model::Config& config) const;
    base::Result<std::filesystem::path> fileOf(std::size_t i, const model::Config& config);
    /// Time until the model is converted for `config` on a quiet machine; 0 when it is, or when nothing needs to be.
    base::Nanoseconds toConvert(const model::Config& config) const;
    /// Time until the package of `config` is compiled, by the last compilation; 0 when it is, or when it needs none.
    base::Nanoseconds toCompile(const model::Config& config) const;
    /// Time in which the last run() compiled or converted the model; 0 when a cache had the files.
    base::Nanoseconds makingFiles() const { return m_makingFiles; }

private:
    struct Attempt
    {
        enum class End { finished, crashed, stopped };
        End end = End::finished;
        base::Nanoseconds compile{};
    };

    Attempt attempt(std::size_t i, bool last);
    base::Result<std::filesystem::path> package(std::size_t i, const model::ModelRef& model,
                                                const model::Config& config, const model::Device& device,
                                                Attempt& attempt, model::Measurement& measurement);
    /// Time after which no further trial is started, and running ones are given up; nullopt: never.
    std::optional<base::Nanoseconds> timeLeft() const;
    /// timeLeft() for the next attempt. While no trial was measured, it is at least RunLimits::firstTrial.
    std::optional<base::Nanoseconds> timeOfAttempt() const;
    /// Starts a worker, unless the worker of the group is alive.
    worker::WorkerStatus ensureWorker(const model::Config& config, const std::stop_token& stop);
    /// Computes the reference outputs for `config`. A failure becomes a message, and trials then have no quality.
    void ensureReference(std::size_t i, const model::Config& config, const std::stop_token& stop);
    /// Prunes the larger batches of the group of trial `i`, which ran out of memory.
    void pruneLargerBatches(std::size_t i);
    /// Reserves the expected time of a confirmation: at most 35 % of the budget for three trials in three processes
    /// each, or half of it for two trials in two. Nothing where the time left is too short for the latter.
    void reserveConfirmation();
    /// toConvert() by how far the last conversion was off, as on a busy machine.
    base::Nanoseconds expectedConversion(const model::Config& config) const;
    /// Why the file of `config` is not begun: it would not be ready in `left`. nullopt: it is worth beginning.
    std::optional<base::Error> whyNotBegun(const model::Config& config, base::Nanoseconds left) const;
    /// Expected time of the shortest first probe of an engine of which no trial was measured yet: its conversion, by
    /// the last one, and `opening`. Returns nullopt when every engine was seen.
    std::optional<base::Nanoseconds> nextFirstProbe(base::Nanoseconds opening) const;
    /// Time of a pass above which `config` is too slow to measure; 0 when every configuration is measured.
    base::Nanoseconds giveUp(const model::Config& config) const;
    /// Reports remarks of a backend, each of them once a device.
    void reportNotes(std::size_t i, const std::vector<base::Message>& notes);
    References::Key referenceKey(const model::Config& config) const;
    model::Config reference(const model::Config& config) const;

    const SweepContext& m_context;
    const model::Device m_device;
    /// Device that computes the reference outputs; null for the device itself.
    const model::Device* const m_referenceDevice;
    std::unique_ptr<worker::WorkerProcess> m_worker;
    bool m_hasRun = false;
    base::Nanoseconds m_overhead{}; ///< total time of the finished trials beyond their blocks (load, warm-up, quality)
    int m_overheadCount = 0;        ///< number of trials in m_overhead
    bool m_hasConverted = false;    ///< whether a file was made or looked for
    base::Nanoseconds m_makingFiles{};
    search::ConversionScale m_conversions;
    search::ConversionScale m_compilations;
    MeasuringTime m_measuring; ///< measuring time of the running trial
    std::set<std::string> m_reportedNotes;
    DriftMonitor& m_driftMonitor;
    QuietWait m_quiet;
};

} // namespace apertune::study
