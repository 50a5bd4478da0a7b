// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/comparison/trend.h"
#include "widgets/plots/chart_content.h"
#include "widgets/tables/text_table_model.h"

#include <QString>

#include <memory>
#include <vector>

namespace apertune::gui {

/// The histories of a workspace as the window shows them. Immutable.
struct TrendsView
{
    std::vector<comparison::Trend> trends;
    std::vector<tables::TextTableModel::Row> rows; ///< one each, in the same order; key: index + 1
    bool severalModels = false;
    bool severalDevices = false;
};

/// The columns of TrendsView::rows.
enum class TrendColumn { model, configuration, device, trials, newest, latency, certainty, steps, newestStep };
std::vector<tables::TextTableModel::Column> trendColumns();

std::shared_ptr<const TrendsView> makeTrendsView(std::vector<comparison::Trend> trends);

/// The columns and rows of the trials of one history, the oldest first. The key of a row is the id of the trial.
enum class TrendPointColumn { trial, when, latency, certainty, samples, others, remark, versions };
std::vector<tables::TextTableModel::Column> trendPointColumns();
std::vector<tables::TextTableModel::Row> trendPointRows(const comparison::Trend& trend);

/// The latencies in the order of time with their intervals; a rule at each step, and a dashed one where a version
/// changed. Ids are those of trials. The colours are those of the present theme.
plots::ChartContent trendChart(const comparison::Trend& trend);
/// What a point of the plot stands for.
QString trendToolTip(const comparison::Trend& trend, model::TrialId trial);

/// A sentence about a history.
struct TrendSentence
{
    QString text;
    model::TrialId before{}; ///< trials that tell the difference; 0: none
    model::TrialId after{};
};
/// The steps with what changed at them, and why some trials make none.
std::vector<TrendSentence> trendSentences(const comparison::Trend& trend);

} // namespace apertune::gui
