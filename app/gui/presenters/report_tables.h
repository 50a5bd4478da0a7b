// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/presenters/trace_report.h"
#include "widgets/tables/text_table_model.h"

#include <QString>

#include <optional>
#include <vector>

namespace apertune::gui {

/// A table of the report: a sentence that sums it up, its rows, and the range of each row in the timeline.
struct ReportTable
{
    QString summary;
    QString empty;                 ///< text instead of an empty table, with what would fill it
    QString emptyTitle{};          ///< title above that text; empty: "nothing was recorded"
    std::vector<int> expendable{}; ///< columns that a narrow page hides, the first of them first
    bool isTree = false;           ///< the order of rows shows callers and callees, so the table is not sortable
    std::vector<tables::TextTableModel::Column> columns;
    std::vector<tables::TextTableModel::Row> rows;        ///< key: index + 1
    std::vector<std::optional<trace::TimeRange>> targets; ///< one for each row
};

/// Copies by direction, memory and the operator that caused them.
ReportTable transferTable(const TraceReport& report);
/// The owners of memory at the peak of each place.
ReportTable memoryTable(const TraceReport& report);
/// The rates that each operator reaches, against the machine's ceilings, ordered by time.
ReportTable rooflineTable(const TraceReport& report);
/// Operators below their callers, with host and device time.
ReportTable operatorTable(const TraceReport& report);

} // namespace apertune::gui
