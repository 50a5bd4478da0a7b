// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metrics/metrics.h"
#include "core/model/study.h"

#include <QString>
#include <QStringList>
#include <QVariant>

#include <string>
#include <string_view>
#include <vector>

namespace apertune::tables {

/// A column of the table of trials: a fact of the trial, a metric of core/metrics, or the interval of one.
struct TrialColumn
{
    enum class Kind {
        mark,
        trial,
        baseline,
        device,
        engine,
        level,
        precision,
        batch,
        threads,
        switches,
        metric,
        interval,
        state
    };
    Kind kind = Kind::mark;
    const metrics::Metric* metric = nullptr; ///< set for the kinds metric and interval
};

/// Returns all columns, from left to right.
const std::vector<TrialColumn>& trialColumns();

/// Returns the index of the only column of this kind.
/// REQUIRES: the kind is not metric.
int columnOf(TrialColumn::Kind kind);
/// Returns the index of a metric's column.
/// REQUIRES: the metric with this key is a column.
int columnOf(std::string_view metric);

/// Returns the indices of the columns that a table without space for all of them leaves out: the switches, and the
/// metrics that are not metrics::Column::essential.
std::vector<int> inessentialColumns();

// The following pure functions return the texts of a trial in a column. The model caches none of them.
QString columnTitle(const TrialColumn& column, const QString& throughputUnit);
QStringList rawTitles(const TrialColumn& column); ///< see kRawTitleRole; empty: the title
QString columnToolTip(const TrialColumn& column);
bool isNumeric(const TrialColumn& column);
/// Returns whether the numbers of the column are aligned at their decimal points.
bool isAligned(const TrialColumn& column);

/// Facts of the study that a cell needs in addition to its trial.
struct CellContext
{
    model::DeviceType device{};
    const model::SwitchMap& given; ///< see model::switchMarks(); outlives the call
    QString baseline{};            ///< the name of a starred trial, "★" without one; empty: it is no baseline
};

QString cellText(const model::Trial& trial, const TrialColumn& column, const CellContext& context);

/// Returns the value for CSV: a double, two doubles for an interval, a text, or invalid when the trial has no value.
QVariant cellValue(const model::Trial& trial, const TrialColumn& column, const CellContext& context);

/// Returns the sort key: a double, a text, or invalid when the trial has no value.
QVariant cellOrder(const model::Trial& trial, const TrialColumn& column, const CellContext& context);

/// Returns "ok", "ok, contended", "out of memory", "skipped: needs AVX512-BF16" …
QString stateText(const model::Trial& trial);
/// Return icon and tone of a state. Colour is never the only sign.
QString stateIcon(const model::Trial& trial);
int stateTone(const model::Trial& trial);

/// Returns a name for a reason's kind: "out of memory". Kinds without one use toString().
QString reasonWord(model::ReasonKind kind);

/// Returns the tool tip of a trial: definition, interval, sample count, flags. `name` is the name of its configuration
/// from model::ConfigurationNames.
QString trialToolTip(const model::Trial& trial, const QString& name, model::DeviceType device,
                     const QString& throughputUnit);

} // namespace apertune::tables
