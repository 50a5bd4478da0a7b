// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

class QAbstractItemModel;

namespace apertune::tables {

/// Rows of a table as text for the clipboard, with a header line. `columns` in the order to write them.
/// TSV holds what is displayed; CSV the raw values (kRawRole), quoted where needed, '.' as the decimal point.
QString toTsv(const QAbstractItemModel& model, const std::vector<int>& rows, const std::vector<int>& columns);
QString toCsv(const QAbstractItemModel& model, const std::vector<int>& rows, const std::vector<int>& columns);

} // namespace apertune::tables
