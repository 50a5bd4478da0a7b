// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/kernel_table.h"
#include "core/timeline/range_statistics.h"
#include "widgets/tables/text_table_model.h"

#include <vector>

namespace apertune::gui {

/// Columns of the table of names, in its order.
enum class NameColumn {
    name,
    where,
    workClass,
    calls,
    total,
    share,
    mean,
    median,
    p99,
    // What the launches of a kernel tell, told for kernels alone.
    occupancy,
    smFill,
    tensorCores,
    grid,
    block,
    longest,
};
constexpr int kNameColumns = static_cast<int>(NameColumn::longest) + 1;
constexpr bool isOfLaunches(NameColumn column)
{
    return column >= NameColumn::occupancy && column <= NameColumn::block;
}

/// The key of a row is its index in the statistics plus one. `kernels` are those of the same range; without them (the
/// report takes longer than the statistics) the columns of launches are empty.
///
/// A share of device work is one of the work of all devices in sum, so that no number of devices and streams exceeds
/// 100 %; a share of the host is one of the wall time of the range, which several threads may exceed.
std::vector<tables::TextTableModel::Column> nameColumns();
std::vector<tables::TextTableModel::Row> nameRows(const timeline::Timeline& timeline,
                                                  const timeline::RangeStatistics& statistics,
                                                  const std::vector<analysis::KernelRow>& kernels = {});

/// The same for a narrow place: name, share, total, count, mean, shortest and longest.
std::vector<tables::TextTableModel::Column> shortNameColumns();
std::vector<tables::TextTableModel::Row> shortNameRows(const timeline::Timeline& timeline,
                                                       const timeline::RangeStatistics& statistics);

/// Counters and held memory of the range, a line each. The key of a row is its index in the statistics plus one.
std::vector<tables::TextTableModel::Column> counterColumns();
constexpr int kCounterGrowth = 5; ///< the column that memory alone fills
std::vector<tables::TextTableModel::Row> counterRows(const timeline::Timeline& timeline,
                                                     const timeline::RangeStatistics& statistics);

} // namespace apertune::gui
