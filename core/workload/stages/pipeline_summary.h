// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/measurement.h"
#include "core/workload/stages/flow.h"

#include <span>

namespace apertune::workload {

/// A stage, told. Times are of one image: a batch's time over the images in it, for the stages of a batch.
struct StageFigure
{
    model::Interval perImageNs; ///< median over images; over passes for the stages of a batch
    double meanNs = 0;          ///< mean of the time that an image spends in it, its batch's whole
    double busy = 0;            ///< share of the span that its server (all its threads) worked on this stage
};

/// Mean times that an image waits.
struct Waits
{
    double beginNs = 0;  ///< due, not begun
    double batchNs = 0;  ///< prepared, its pass not begun
    double answerNs = 0; ///< out of the device, not postprocessed
};

/// A run, told. Intervals are 95 %. The first images, which fill an empty pipeline, take no part: `filling` of them.
struct PipelineSummary
{
    std::int64_t images = 0;
    std::int64_t passes = 0;
    std::int64_t filling = 0;
    base::Nanoseconds span{};  ///< from the first of them to the last answer
    model::Interval perSecond; ///< images answered a second
    double meanBatch = 0;      ///< images a pass
    model::Interval latencyNs; ///< median, from due to answer
    double meanLatencyNs = 0;
    std::optional<double> p90Ns, p99Ns; ///< where the sample supports them
    std::array<StageFigure, kStageCount> stages;
    Waits waits;
    double unaccountedNs = 0;   ///< mean; meanLatencyNs = the stages' means + the waits + this
    double mostUnaccounted = 0; ///< largest of any image, as a share of its latency
    std::array<double, kServerCount> busy{};
    Stage bound = Stage::infer; ///< the longest stage of the busiest server
    bool starved = false;       ///< no server is busy most of the time: images come too slowly, or wait for their batch

    const StageFigure& operator[](Stage stage) const { return stages[static_cast<std::size_t>(stage)]; }
    double workNs() const; ///< medians of all stages, added: what an image costs
};

/// A server that works less than this share of the time bounds nothing.
inline constexpr double kBusyShare = 0.6;

/// REQUIRES: !trips.empty(), in order of finishing.
PipelineSummary summarize(const PipelinePlan& plan, std::span<const Trip> trips);

/// Times in milliseconds. From JSON failures: corrupt.
base::Json toJson(const PipelineSummary& summary);
base::Result<PipelineSummary> pipelineSummaryFromJson(const base::Json& json);

} // namespace apertune::workload
