// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workload/stages/pipeline_plan.h"

#include <optional>
#include <vector>

namespace apertune::workload {

/// One way to run a pipeline.
struct PipelineSetting
{
    std::size_t trial = 0; ///< position in the list of trials that the caller holds
    int threads = 0;       ///< threads of the model; 0: those of the trial's configuration
    PipelinePlan plan{};

    bool operator==(const PipelineSetting&) const = default;
};

/// The values of each setting of a pipeline that a sweep combines. An empty list stands for the value of the plan that
/// the sweep begins with, or of the trial.
struct PipelineAxes
{
    std::vector<int> threads{};
    std::vector<int> decodeThreads{};
    std::vector<int> prefetch{};
    std::vector<int> queueBatch{};
    std::vector<std::optional<base::Nanoseconds>> queueWait{};
    std::vector<Place> normalize{};
    std::vector<HostMemory> memory{};
    std::vector<Suppression> suppression{};

    /// Whether a list has several values.
    bool varies() const;
};

/// What a sweep has to know of a trial.
struct PipelineTrial
{
    int batch = 1;
    int threads = 0; ///< threads of its configuration; 0 on a device of its own
};

/// What bounds the usual values of a sweep.
struct PipelineMachine
{
    int cores = 1;     ///< physical cores of the host
    bool onCpu = true; ///< whether the model runs on the host's cores
};

/// Returns the axes with usual values in each empty list:
///  - threads of the model and decoding threads: one, half of the cores, all cores. A model on another device keeps
///    the threads of its trial.
///  - prefetch: 2 and 0. Images in a pass: the trial's batch, and 1.
///  - place of normalization, memory to copy from: both, for a model on another device.
PipelineAxes withUsualValues(PipelineAxes axes, const PipelineMachine& machine);

/// Returns every combination of the axes, without those that cannot run or repeat another:
///  - plans that check() refuses, such as more images in a pass than the batch of the trial has;
///  - more decoding threads than images can be on their way (PipelinePlan::slots());
///  - threads of the model, or images in a pass, that are those of the trial anyway.
/// The first has the first value of every axis and the first trial: it is the baseline. The others follow by the number
/// of settings in which they differ from it, so that the nearest ones are tried where time is short.
/// It is there even if it cannot run.
/// REQUIRES: `trials` is not empty.
std::vector<PipelineSetting> settingsOf(const PipelineAxes& axes, const PipelinePlan& plan,
                                        const std::vector<PipelineTrial>& trials);

} // namespace apertune::workload
