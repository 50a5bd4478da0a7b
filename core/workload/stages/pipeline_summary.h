// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/measurement.h"
#include "core/workload/stages/flow.h"

#include <span>

namespace apertune::workload {

/// The times of one stage, for one image. For the stages of a batch, the batch's time is divided by its images.
struct StageFigure
{
    model::Interval perImageNs; ///< median over images; for the stages of a batch, over passes
    /// Mean time that an image spends in the stage; for the stages of a batch, the whole batch's time.
    double meanNs = 0;
    double busy = 0; ///< share of the span in which the server (all its threads) worked on this stage
};

/// Mean waiting times of an image.
struct Waits
{
    double beginNs = 0;  ///< wait until decoding begins, after the image was due
    double batchNs = 0;  ///< wait until the pass begins, after the image was prepared
    double answerNs = 0; ///< wait until postprocessing begins, after the copy back
};

/// The figures of one run. Intervals are 95 %. The first images fill an empty pipeline and are left out.
struct PipelineSummary
{
    std::int64_t images = 0;
    std::int64_t passes = 0;
    std::int64_t filling = 0;
    /// From the last answer before the counted images (or their first due time) to the last answer.
    base::Nanoseconds span{};
    model::Interval perSecond; ///< images per second
    double meanBatch = 0;      ///< mean images per pass
    model::Interval latencyNs; ///< median time from due to answer
    double meanLatencyNs = 0;
    std::optional<double> p90Ns, p99Ns; ///< empty when there are too few images
    std::array<StageFigure, kStageCount> stages;
    Waits waits;
    double unaccountedNs = 0;   ///< mean; meanLatencyNs is the sum of the stages' means, the waits and this
    double mostUnaccounted = 0; ///< largest of all images, as a share of the image's latency
    std::array<double, kServerCount> busy{};
    Stage bound = Stage::infer; ///< the longest stage of the busiest server
    bool starved = false;       ///< true when no server reaches kBusy: images arrive too slowly or wait for their batch

    const StageFigure& operator[](Stage stage) const { return stages[static_cast<std::size_t>(stage)]; }
    double workNs() const; ///< sum of the medians of all stages: the work that an image costs
};

/// A server that works for less than this share of the time is no bottleneck.
inline constexpr double kBusyShare = 0.6;

/// REQUIRES: `items` is not empty and is in the order in which the images finished.
PipelineSummary summarize(const PipelinePlan& plan, std::span<const PipelineItem> items);

/// Times are in milliseconds. Failures of summaryFromJson(): corrupt.
base::Json toJson(const PipelineSummary& summary);
base::Result<PipelineSummary> pipelineSummaryFromJson(const base::Json& json);

} // namespace apertune::workload
