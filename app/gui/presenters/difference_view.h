// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/trace_difference.h"
#include "widgets/tables/text_table_model.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace apertune::gui {

/// The difference of two traces as the window shows it. Immutable.
struct DifferenceView
{
    QString headline;    ///< the difference itself
    QStringList remarks; ///< how far to trust it, one sentence each
    std::vector<tables::TextTableModel::Column> stepColumns;
    std::vector<tables::TextTableModel::Row> steps; ///< they lead from A to B, the largest first
    std::vector<tables::TextTableModel::Column> partColumns;
    std::vector<tables::TextTableModel::Row> parts; ///< sorted, the largest first
    QString command; ///< the same comparison on the command line; empty when it cannot name both traces
};

DifferenceView makeDifferenceView(const report::NamedDifference& named);

/// Compares two traces. Blocks for about a second for traces of a million events. Failures: those of
/// report::compareTraces().
base::Result<std::shared_ptr<const DifferenceView>> compareForView(const report::TraceName& a, double batchA,
                                                                   const report::TraceName& b, double batchB);

} // namespace apertune::gui
