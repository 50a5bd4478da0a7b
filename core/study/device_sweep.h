// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/batch_search.h"
#include "core/study/schedule.h"
#include "core/study/sweep_context.h"
#include "core/study/trial_runner.h"

namespace apertune::study {

/// Runs the open trials of one device, one after the other, on the calling thread.
class DeviceSweep
{
public:
    /// `context` and `driftMonitor`, that of the device, must outlive this object.
    DeviceSweep(const SweepContext& context, model::Device device, DriftMonitor& driftMonitor);

    /// Returns when the device has no open trials, or when a stop was requested.
    ///   - Without a search (or with "grid"), each configuration is measured once, in the order of schedule.h.
    ///   - With a search, each of its probes adds blocks to a trial (DeviceSearch). Fewer threads are tried after it
    ///     (tryFewerThreads()).
    void run();

private:
    void runGroup(const WorkerRun& run);
    /// Before a search over automatic batches: measures the first group upward, then prunes batches far beyond its end
    /// in all groups, so that the search does not probe batches that gain nothing.
    void limitBatches();

    const SweepContext& m_context;
    TrialRunner m_runner;
    BatchSearch m_batchSearch;
    const model::Device& m_device; ///< the runner's
};

} // namespace apertune::study
