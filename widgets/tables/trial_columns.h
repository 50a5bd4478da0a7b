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
    const metrics::Metric* metric = nullptr; ///< of the kinds metric and interval
};

/// All columns, left to right.
const std::vector<TrialColumn>& trialColumns();

/// The place of the only column of this kind. REQUIRES: the kind is not metric.
int columnOf(TrialColumn::Kind kind);
/// The place of a metric. REQUIRES: the metric with this key is a column.
int columnOf(std::string_view metric);

/// How a trial stands in each column. Pure functions of the trial; the model caches nothing.
QString columnTitle(const TrialColumn& column, const QString& throughputUnit);
QStringList rawTitles(const TrialColumn& column); ///< see kRawTitleRole; empty: the title
QString columnToolTip(const TrialColumn& column);
bool isNumeric(const TrialColumn& column);
/// Whether the numbers of the column stand with their decimal points below each other.
bool isAligned(const TrialColumn& column);

/// What a cell takes from the study around its trial.
struct CellContext
{
    model::DeviceType device{};
    const model::SwitchMap& given; ///< see model::switchMarks(); outlives the call
};

QString cellText(const model::Trial& trial, const TrialColumn& column, const CellContext& context);

/// What to write to CSV: a double, two of an interval, a text, or invalid where the trial has no value.
QVariant cellValue(const model::Trial& trial, const TrialColumn& column, const CellContext& context);

/// What to sort by: a double, a text, or invalid where the trial has no value.
QVariant cellOrder(const model::Trial& trial, const TrialColumn& column, const CellContext& context);

/// "ok", "ok, contended", "out of memory", "skipped: needs AVX512-BF16" …
QString stateText(const model::Trial& trial);
/// Icon and tone of a state: never colour alone.
QString stateIcon(const model::Trial& trial);
int stateTone(const model::Trial& trial);

/// A word for a reason's kind: "out of memory". Kinds without one are told by toString().
QString reasonWord(model::ReasonKind kind);

/// Definition, interval, sample count, flags: what hovering a trial shows.
QString trialToolTip(const model::Trial& trial, model::DeviceType device, const QString& throughputUnit);

} // namespace apertune::tables
