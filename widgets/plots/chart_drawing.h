// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QCustomPlot;

namespace apertune::plots {

struct ChartContent;

/// Replaces everything in the library's plot by axes, bands, series and rules of `content`, in the scheme in use. Notes
/// are placed by ChartView, which knows the size. Private to this folder.
void drawContent(QCustomPlot& plot, const ChartContent& content);

} // namespace apertune::plots
