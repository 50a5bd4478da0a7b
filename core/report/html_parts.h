// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/evaluation.h"
#include "core/model/study.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apertune::report {

/// The parts of the page that htmlReport() combines. Each is a complete piece of HTML, or "" when there is nothing to
/// show. All text from a study is escaped.

/// Replaces & < > " ' by entities.
std::string escaped(std::string_view text);

/// Draws throughput over latency, or over peak memory (model::tradeoffAxis). Intervals are crosses, colour and shape
/// show the precision, the front is a line, and the recommended point has a ring.
std::string tradeOffPlot(const model::StudySnapshot& snapshot, const std::vector<model::TrialId>& front);

/// Draws the throughput by configuration and batch, one table per device.
std::string throughputMatrix(const model::StudySnapshot& snapshot);

std::string keyFigures(const model::StudySnapshot& snapshot);
std::string trialTable(const model::StudySnapshot& snapshot);
std::string accuracyTable(const model::StudySnapshot& snapshot,
                          const std::vector<std::pair<model::TrialId, model::Accuracy>>& judged);
std::string unmeasuredList(const model::StudySnapshot& snapshot);
std::string notInEffectList(const model::StudySnapshot& snapshot);
std::string environmentTable(const model::StudySnapshot& snapshot);
std::string methodText(const model::StudySnapshot& snapshot);

/// Returns the style sheet of the page.
std::string_view pageStyle();

} // namespace apertune::report
