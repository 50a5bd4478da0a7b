// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/comparison/trace_difference.h"
#include "widgets/plots/waterfall_plot.h"
#include "widgets/tables/text_table_model.h"

#include <QString>
#include <QStringList>

#include <filesystem>
#include <memory>
#include <vector>

namespace apertune::gui {

/// The difference of two traces as the window shows it. Immutable.
struct DifferenceView
{
    QString headline;           ///< the difference itself
    QStringList remarks;        ///< how far to trust it, one sentence each
    plots::Waterfall waterfall; ///< steps that lead from A to B, the largest first
    std::vector<tables::TextTableModel::Column> partColumns;
    std::vector<tables::TextTableModel::Row> parts; ///< sorted, the largest first; a row's command shows its events
    std::vector<tables::TextTableModel::Column> layerColumns;
    /// Sorted, the largest first. Empty where the traces share no two products.
    std::vector<tables::TextTableModel::Row> layers;
    std::vector<tables::TextTableModel::Column> allocationColumns;
    std::vector<tables::TextTableModel::Row> allocations; ///< empty where they were not recorded on both sides
    std::vector<tables::TextTableModel::Column> sideColumns;
    std::vector<tables::TextTableModel::Row> sides; ///< the steps from A to B and to all others; empty without others
    std::shared_ptr<const analysis::FlameDifference> flame; ///< null where no operator was recorded
    QString peaks;                                          ///< the peaks of the tensors; empty with `allocations`
    QString command; ///< command line that prints this difference; empty when it cannot name both traces
};

/// `file` is the workspace of both traces, for the command lines.
DifferenceView makeDifferenceView(const comparison::NamedDifference& named, const std::filesystem::path& file);

/// One side of a comparison.
struct DifferenceInput
{
    comparison::TraceName name;
    double batch = 0; ///< samples of an iteration; 0: not known
};

/// Compares `b` with `a`, and each of `others` with `a` as well. Blocks for about a second for traces of a million
/// events. Failures: those of comparison::compareTraces().
base::Result<std::shared_ptr<const DifferenceView>> compareForView(const DifferenceInput& a, const DifferenceInput& b,
                                                                   const std::vector<DifferenceInput>& others,
                                                                   const std::filesystem::path& file);

} // namespace apertune::gui
