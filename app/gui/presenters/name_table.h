// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/kernel_table.h"
#include "core/timeline/range_statistics.h"
#include "widgets/tables/text_table_model.h"

#include <vector>

namespace apertune::gui {

/// The columns of the table of names, in its order.
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
    // Facts of kernel launches, filled for kernels alone.
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

/// The table of names. The key of a row is its index in the statistics plus one. `kernels` are those of the same range;
/// without them the columns of launches are empty, because the report takes longer than the statistics.
///
/// * A share of device work refers to the total work of all devices. So the shares never exceed 100 %.
/// * A share of the host refers to the wall time of the range, which several threads together may exceed.
std::vector<tables::TextTableModel::Column> nameColumns();
std::vector<tables::TextTableModel::Row> nameRows(const timeline::Timeline& timeline,
                                                  const timeline::RangeStatistics& statistics,
                                                  const std::vector<analysis::KernelRow>& kernels = {});

/// A smaller table for a narrow place: name, share, total, count, mean, shortest and longest.
std::vector<tables::TextTableModel::Column> shortNameColumns();
std::vector<tables::TextTableModel::Row> shortNameRows(const timeline::Timeline& timeline,
                                                       const timeline::RangeStatistics& statistics);

/// Counters and memory in use in the range, one row each. The key of a row is its index in the statistics plus one.
std::vector<tables::TextTableModel::Column> counterColumns();
constexpr int kCounterGrowth = 5; ///< the column that only memory fills
std::vector<tables::TextTableModel::Row> counterRows(const timeline::Timeline& timeline,
                                                     const timeline::RangeStatistics& statistics);

} // namespace apertune::gui
