// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace apertune::plots {

struct ChartContent;

/// The series as RFC 4180 text: series, point, x and y with their intervals; the axes' titles head the columns.
QString chartCsv(const ChartContent& content);

} // namespace apertune::plots
