// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/evaluation.h"
#include "core/model/study.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apertune::report {

/// Parts of the page that htmlReport() puts together; each is a complete piece of HTML, or "" when there is nothing to
/// show. Everything that comes from a study is escaped.

/// & < > " ' as entities.
std::string escaped(std::string_view text);

/// Throughput against latency, or peak memory (model::tradeoffAxis), with intervals as crosses, precisions by colour
/// and shape, the front as a line and the recommended point ringed.
std::string tradeOffPlot(const model::StudySnapshot& snapshot, const std::vector<model::TrialId>& front);

/// Throughput by configuration and batch, one table a device.
std::string throughputMatrix(const model::StudySnapshot& snapshot);

std::string keyFigures(const model::StudySnapshot& snapshot);
std::string trialTable(const model::StudySnapshot& snapshot);
std::string accuracyTable(const model::StudySnapshot& snapshot,
                          const std::vector<std::pair<model::TrialId, model::Accuracy>>& judged);
std::string unmeasuredList(const model::StudySnapshot& snapshot);
std::string notInEffectList(const model::StudySnapshot& snapshot);
std::string environmentTable(const model::StudySnapshot& snapshot);
std::string methodText(const model::StudySnapshot& snapshot);

/// The style sheet.
std::string_view pageStyle();

} // namespace apertune::report
