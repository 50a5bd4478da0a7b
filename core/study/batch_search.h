// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/automatic_batches.h"
#include "core/search/batch_edge.h"
#include "core/study/sweep_context.h"
#include "core/study/trial_runner.h"

#include <optional>
#include <string>
#include <vector>

namespace apertune::study {

/// Measures the automatic batches of the configuration groups of one device. Trials of batches that were not planned
/// are added to the study. Private to this folder. One thread.
class BatchSearch
{
public:
    /// How far one search may go.
    struct Bounds
    {
        /// Measuring time of each batch. nullopt: its share of the budget, or a second where the space names a share of
        /// memory.
        std::optional<MeasuringTime> measuring{};
        std::optional<base::Nanoseconds> budgetLeast{}; ///< the search ends when less of the budget is left
    };

    /// The end of a search.
    struct End
    {
        model::Reason reason{};                      ///< empty when a stop was requested, or nothing larger was open
        std::vector<search::MeasuredBatch> measured; ///< the group's measured batches, ascending
    };

    /// REQUIRES: `context` and `runner` outlive this object.
    BatchSearch(const SweepContext& context, TrialRunner& runner);

    /// Whether the batches of the study are automatic.
    bool isAutomatic() const;

    /// Measures one group upward from batch 1 until one of these ends it, then prunes the group's queued trials with
    /// the reason:
    ///
    ///   "batch_edge"  The memory edge is known (search::BatchEdge). Compiled groups only double, because each of their
    ///                 batches is a compile of its own, unless the space names a share of memory.
    ///   "dominated"   Throughput no longer grows (search::endOfGrowth), unless the space names a share of memory; or
    ///                 two batches in a row failed.
    ///   "budget"      The budget is spent.
    ///
    /// Batches that were measured before, in an interrupted sweep or by a search, are not measured again.
    End measureGroup(const model::Config& config, const Bounds& bounds);

    /// After a search: finds the memory edge of the group of the best trial by throughput, if that trial has the
    /// largest batch of its group that fits and memory ended the group.
    void refineBest();

    /// Prunes queued trials with larger batches than `batch`, in one group or, if `group` is empty, in all.
    void pruneBeyond(int batch, const std::string& group, const model::Reason& reason);

private:
    std::optional<base::Bytes> memoryLimit() const;
    /// The edge of a group as its finished trials show it.
    search::BatchEdge edgeOf(const std::string& group) const;
    std::vector<search::MeasuredBatch> measuredBatchesOf(const std::string& group) const;
    /// The trial of `config` at a batch, which is added where it is missing; nullopt when the store refuses it.
    std::optional<std::size_t> trialAt(model::Config config, int batch);
    /// Prunes the queued trials of a group whose edge is known.
    void pruneBeyondMemory(const std::string& group, const search::BatchEdge& edge);
    /// The reason why a batch does not fit, by the peaks of other batches.
    model::Reason whyBeyond(int batch, const std::string& group, const search::BatchEdge& edge) const;
    /// The reason of the group's last failure other than lack of memory.
    model::Reason twoFailed(const std::string& group) const;

    const SweepContext& m_context;
    TrialRunner& m_runner;
    const model::Device& m_device; ///< the runner's
};

} // namespace apertune::study
