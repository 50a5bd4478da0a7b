// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/model/trial.h"
#include "core/workload/stages/pipeline_sweep.h"

#include <string>
#include <vector>

namespace apertune::report {

/// A trial of a sweep over the settings of a pipeline.
struct PipelineSweepTrial
{
    model::TrialId id{};
    std::string name; ///< "O2 fp32 batch 4"
    int batch = 1;
    int threads = 0;
};

/// Returns the command that runs a setting of the sweep again, without its workspace: "apertune pipeline t12
/// --decode-threads 2". Options with their default values are left out.
/// REQUIRES: `setting.trial` is a position in `trials`.
std::string pipelineCommand(const workload::PipelineSetting& setting, const std::vector<PipelineSweepTrial>& trials);

/// Returns a table of the measured settings, the reasons of the others, and the recommendation, for a terminal with
/// `width` columns; no limit when it is 0.
/// REQUIRES: the trials of all settings are positions in `trials`.
std::string pipelineSweepText(const workload::PipelineSweep& sweep, const std::vector<PipelineSweepTrial>& trials,
                              int width = 0);

/// Returns the members of the document `apertune.pipeline_sweep/1` but for "schema" (core/report/schema.md).
/// REQUIRES: as pipelineSweepText().
base::Json pipelineSweepJson(const workload::PipelineSweep& sweep, const std::vector<PipelineSweepTrial>& trials);

} // namespace apertune::report
