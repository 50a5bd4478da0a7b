// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

class QAbstractItemModel;

namespace apertune::tables {

/// These functions return rows of a table as text for the clipboard, with a header line. The text has `columns` in
/// their order.
///
/// * TSV holds the displayed text.
/// * CSV holds the raw values (kRawRole) below kRawTitleRole: names as on the screen, numbers without format and with
///   '.' as the decimal point, quoted where needed.
/// * A raw value that is a list fills several columns; their names are a list, too.
/// * A cell without a value (theme::kAbsent on the screen) is empty in both.
QString toTsv(const QAbstractItemModel& model, const std::vector<int>& rows, const std::vector<int>& columns);
QString toCsv(const QAbstractItemModel& model, const std::vector<int>& rows, const std::vector<int>& columns);

} // namespace apertune::tables
