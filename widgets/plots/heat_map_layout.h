// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

namespace apertune::plots {

/// Where the parts of a heat map go. A pure function of sizes, tested as data; no painting type is in it.
struct Box
{
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;

    double right() const { return x + width; }
    double bottom() const { return y + height; }
    bool contains(double px, double py) const { return px >= x && px < right() && py >= y && py < bottom(); }
};

struct HeatMapMetrics
{
    double width = 0; ///< of the widget
    double height = 0;
    int rows = 0;
    int columns = 0;
    double widestRowLabel = 0;
    double widestCellText = 0;
    double lineHeight = 0;
    bool hasColumnTitle = false;
};

struct HeatMapLayout
{
    std::vector<Box> cells; ///< row by row; whole pixels, 1 px apart
    std::vector<Box> rowLabels;
    std::vector<Box> columnLabels;
    Box columnTitle;
    bool showText = false; ///< the cells have room for their text
    int columns = 0;

    std::optional<int> cellAt(double x, double y) const;
};

/// Row labels take what the widest one needs, never less: a label is not cut. Cells share the rest up to 150 × 72 px,
/// so that a 2×2 map does not become four walls.
HeatMapLayout layOutHeatMap(const HeatMapMetrics& metrics);

} // namespace apertune::plots
