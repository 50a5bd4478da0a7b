// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/reason.h"
#include "core/workload/stages/pipeline_axes.h"
#include "core/workload/stages/pipeline_run.h"

#include <optional>
#include <string_view>
#include <vector>

namespace apertune::workload {

/// What a sweep of a pipeline makes small.
enum class PipelineGoal {
    rate,    ///< the time between two images
    latency, ///< the median time from an image that is due to its answer
};
std::string_view toString(PipelineGoal goal); ///< "rate", "latency"

/// One setting of a sweep and what is known of it.
struct PipelineContender
{
    PipelineSetting setting{};
    std::optional<PipelineRun> run{}; ///< its last turn; none: it was not measured
    /// Costs of its turns in ns, in order: time of an image (span / images), or its median latency.
    std::vector<double> screening{};
    std::vector<double> confirmation{}; ///< those that were interleaved with the baseline's
    /// Cost of the baseline over its cost, from the confirmation: > 1 means better. None without enough turns, and for
    /// the baseline.
    std::optional<model::Interval> ratio{};
    model::Verdict verdict = model::Verdict::cannotTell; ///< verdict on the ratio
    model::Reason reason{};                              ///< why it was not measured, or failed
};

/// The result of a sweep over the settings of a pipeline.
struct PipelineSweep
{
    PipelineGoal goal = PipelineGoal::rate;
    std::vector<PipelineContender> contenders; ///< the baseline first, the others as settingsOf() sorts them
    /// The contender with the best ratio of those that are surely better than the baseline; the baseline where none is.
    /// None where the confirmation has no result.
    std::optional<std::size_t> recommended{};
    base::Nanoseconds wall{}; ///< time that the sweep took

    /// The contender with the best ratio, whether it is sure or not; none where the confirmation has no result.
    std::optional<std::size_t> nearest() const;
};

/// JSON of a setting: the plan's, and "threads" (null: those of the trial).
base::Json toJson(const PipelineSetting& setting);

} // namespace apertune::workload
