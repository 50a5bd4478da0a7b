// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/presenters/trace_report.h"
#include "widgets/tables/text_table_model.h"

#include <QString>

#include <optional>
#include <vector>

namespace apertune::gui {

/// A table of the report: what it says in a sentence, its rows, and where each
/// row leads in the timeline.
struct ReportTable
{
    QString summary;
    QString empty;                 ///< what to say instead of an empty table, and what would fill it
    QString emptyTitle{};          ///< above it; empty: that nothing was recorded
    std::vector<int> expendable{}; ///< columns that leave a narrow page, the first of them first
    bool isTree = false;           ///< its order tells who called whom: not to be sorted
    std::vector<tables::TextTableModel::Column> columns;
    std::vector<tables::TextTableModel::Row> rows;        ///< key: index + 1
    std::vector<std::optional<trace::TimeRange>> targets; ///< by row
};

/// Copies by direction, memory and the operator that they came from.
ReportTable transferTable(const TraceReport& report);
/// Who held memory at the peak of each place.
ReportTable memoryTable(const TraceReport& report);
/// What each operator reaches of the machine's ceilings, by time.
ReportTable rooflineTable(const TraceReport& report);
/// Operators below their callers, with host and device time.
ReportTable operatorTable(const TraceReport& report);

} // namespace apertune::gui
