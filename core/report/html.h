// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/evaluation.h"
#include "core/model/robustness.h"
#include "core/model/study.h"
#include "core/report/pipeline_report.h"
#include "core/workload/stages/pipeline_run.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace apertune::report {

/// Writes a report as one self-contained HTML file: inline style and SVG, readable without scripts or a network, light
/// or dark as the reader prefers, and fit for printing. It has the recommendation, the table of trials, the trade-off
/// plot with intervals, the throughput by level and batch, failures with their reasons, the environment and the method.
///
/// - `front`: the trials of the trade-off line, in its order (search::paretoFront); without them no line is drawn.
/// - `pipelines`: trials that were run from image to answer. Their stage bars stand at the top.
/// - `accuracies`: trials whose accuracy was evaluated on labelled images.
/// - `robustness`: what the recommended trial and its rivals lose beside a competing program.
std::string htmlReport(const model::StudySnapshot& snapshot, const std::vector<model::TrialId>& front = {},
                       const std::vector<std::pair<model::TrialId, workload::PipelineRun>>& pipelines = {},
                       const std::vector<std::pair<model::TrialId, model::Accuracy>>& accuracies = {},
                       const std::optional<model::Robustness>& robustness = {});

} // namespace apertune::report
