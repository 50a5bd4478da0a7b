// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

namespace apertune::plots {

/// The positions of the parts of a heat map. A pure function of sizes, tested as data; it uses no painting type.
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
    double width = 0; ///< width of the widget
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

/// Lays out a heat map. Row labels get the width of the widest one, so that no label is cut. Cells share the rest, up
/// to 150 × 72 px each, so that a 2×2 map does not consist of four huge cells.
HeatMapLayout layOutHeatMap(const HeatMapMetrics& metrics);

} // namespace apertune::plots
