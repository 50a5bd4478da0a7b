// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/heat_map_layout.h"

#include <algorithm>
#include <cmath>

namespace apertune::plots {
namespace {

constexpr double kLabelGap = 10;
constexpr double kCellGap = 1;
constexpr double kFrame = 4; ///< width by which the frame around the chosen cell exceeds it
constexpr double kMaxCellWidth = 150;
constexpr double kMaxCellHeight = 72;

} // namespace

HeatMapLayout layOutHeatMap(const HeatMapMetrics& m)
{
    HeatMapLayout layout;
    layout.columns = m.columns;
    if (m.rows <= 0 || m.columns <= 0)
        return layout;
    const double left = std::ceil(m.widestRowLabel) + kLabelGap;
    const double titleHeight = m.hasColumnTitle ? m.lineHeight + 2 : 0;
    const double bottom = m.lineHeight + 6 + titleHeight;
    const double cellWidth = std::clamp((m.width - left - kFrame) / m.columns, 2.0, kMaxCellWidth);
    const double cellHeight = std::clamp((m.height - bottom - kFrame) / m.rows, 2.0, kMaxCellHeight);
    // Each edge is rounded by itself, so that the cells fill the area without drift.
    const auto edgeX = [&](int column) { return std::round(left + column * cellWidth); };
    const auto edgeY = [&](int row) { return kFrame + std::round(row * cellHeight); };
    layout.cells.reserve(static_cast<std::size_t>(m.rows) * static_cast<std::size_t>(m.columns));
    for (int row = 0; row < m.rows; ++row) {
        const double y = edgeY(row);
        const double height = std::max(1.0, edgeY(row + 1) - y - kCellGap);
        layout.rowLabels.push_back({0, y, left - kLabelGap, height});
        for (int column = 0; column < m.columns; ++column) {
            const double x = edgeX(column);
            layout.cells.push_back({x, y, std::max(1.0, edgeX(column + 1) - x - kCellGap), height});
        }
    }
    const double below = edgeY(m.rows) + 4;
    for (int column = 0; column < m.columns; ++column) {
        layout.columnLabels.push_back(
            {edgeX(column), below, edgeX(column + 1) - edgeX(column) - kCellGap, m.lineHeight});
    }
    layout.columnTitle = {left, below + m.lineHeight + 1, edgeX(m.columns) - left, titleHeight};
    layout.showText = cellWidth - kCellGap >= m.widestCellText + 6 && cellHeight - kCellGap >= m.lineHeight;
    return layout;
}

std::optional<int> HeatMapLayout::cellAt(double x, double y) const
{
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (cells[i].contains(x, y))
            return static_cast<int>(i);
    return std::nullopt;
}

} // namespace apertune::plots
