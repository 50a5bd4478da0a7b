// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/evaluation.h"
#include "core/model/study.h"
#include "core/report/pipeline_report.h"

#include <string>
#include <utility>
#include <vector>

namespace apertune::report {

/// One self-contained HTML file (inline style and SVG, no script needed to read it, no network): recommendation, table,
/// trade-off plot with intervals, throughput by level and batch, what was impossible or failed and why, environment,
/// and how it was measured. Light and dark by the reader's preference; prints well.
/// `front`: the trials of the trade-off line in its order (search::paretoFront); none: no line is drawn.
/// `pipelines`: trials that were run from image to answer; their stage bars stand on top.
/// `judged`: trials that were judged on labelled pictures.
std::string htmlReport(const model::StudySnapshot& snapshot, const std::vector<model::TrialId>& front = {},
                       const std::vector<std::pair<model::TrialId, PipelineRun>>& pipelines = {},
                       const std::vector<std::pair<model::TrialId, model::Accuracy>>& judged = {});

} // namespace apertune::report
