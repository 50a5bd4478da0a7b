// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/measurement.h"
#include "core/study/loaded_configuration.h"
#include "core/study/sweep_context.h"

#include <future>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace apertune::study {

/// Returns the reference that a study takes on a device: its O0 fp32 configuration with the smallest batch, of the
/// engine that was planned first. nullopt where it has none.
std::optional<model::Config> firstReference(const std::vector<model::Trial>& trials, const std::string& device);

/// Measures one fixed configuration of a device, the reference, beside the trials: it shows how the speed of the
/// machine changes during a study.
///
/// On a device that shares the host's memory the reference stays loaded and is interleaved with the blocks of every
/// trial (measureReference()), so that trials of different times can be compared through it (stats/reference_turns.h).
/// It is O0 fp32 of the engine that was planned first, with the smallest planned batch. On a CPU it has one thread:
/// then it shows clock, memory bandwidth and stolen time, and not how a scheduler shares out the processors.
///
/// On a device with memory of its own, a resident model would move the memory edge of the others. There the reference
/// is the first O0 fp32 trial that was measured; it is loaded and measured now and then (refresh()).
///
/// A request may give the reference (SweepContext::driftReferences), so that the shards of a study have the same one.
///
/// A reference that fails is given up, with a message. Used by one thread.
class DriftMonitor
{
public:
    DriftMonitor(const SweepContext& context, const model::Device& device);

    /// Begins to open the reference in the background, if the budget is so short that waiting for it later would cost a
    /// trial. The first trial of such a study loads beside it.
    void openAhead();

    /// Takes one block of the reference and returns the time of its pass in ns. Opens the reference when it is not
    /// open. Returns nullopt where the reference is not interleaved, after it failed, and when a stop was requested.
    std::optional<double> measureReference();

    /// Returns the first pass time of the reference in this study, to which the times of blocks are scaled. 0: none
    /// yet.
    double firstNs() const { return m_first; }

    /// Counts a finished trial, which may become the reference.
    void trialDone(const model::Trial& trial);
    /// Measures the reference before a trial when it is not interleaved and a reading is due.
    void refresh();

    /// Writes the readings that were taken with a measurement into it: of its reference turns, else the latest one.
    /// Sets the flag "machine_drift" when the change since the beginning of the study is beyond the uncertainty of both
    /// readings, 1 % and the noise floor. The beginning is the median of the first eight blocks: a single one may be of
    /// a processor that was just woken.
    void note(model::Measurement& measurement) const;

private:
    /// Whether the reference is interleaved with the blocks of the trials.
    bool isInterleaved() const;
    void chooseReference();
    std::optional<model::Config> givenReference() const;
    ConfigurationRequest request() const;
    worker::WorkerStatus open();
    worker::WorkerStatus readSeveral();
    void giveUp(const worker::WorkerError& failure);
    /// REQUIRES: the reference has a configuration and a beginning.
    model::DriftReading reading(const std::vector<double>& passNs) const;

    const SweepContext& m_context;
    const model::Device m_device;
    std::optional<model::Config> m_config;
    std::jthread m_opener;        ///< started the worker of m_loaded, and lives as long
    LoadedConfiguration m_loaded; ///< closed after each reading where it is not interleaved
    std::future<worker::WorkerReply<LoadedConfiguration>> m_opening; ///< valid while m_opener's result is not taken
    std::optional<model::DriftReading> m_reading;
    double m_first = 0;
    std::vector<double> m_beginning; ///< pass times of the first kBlocks blocks of the reference, in ns
    int m_since = 0;
    base::Nanoseconds m_at{};
    bool m_failed = false;
};

/// The monitors of a study's devices, by id.
using DriftMonitors = std::map<std::string, DriftMonitor>;

/// Returns the text that drift readings of equal configurations on equal machines have in common.
std::string driftIdentity(const model::Study& study, const model::Device& device, const model::Config& config);

} // namespace apertune::study
