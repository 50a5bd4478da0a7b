// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace apertune::plots {

struct ChartContent;

/// Returns the series as RFC 4180 text, with the columns series, point, x and y with their intervals. The titles of the
/// axes are the column names.
QString chartCsv(const ChartContent& content);

} // namespace apertune::plots
