// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/timeline/drawing_text.h"

#include <sstream>

namespace apertune::timeline {
namespace {

std::string rowName(const Timeline& timeline, std::uint32_t row)
{
    const TimelineRow& of = timeline.rows()[row];
    return timeline.trace().tracks[of.track.value].label + "/" + std::string(toString(of.kind));
}

/// Writes "x+width coverage shade" for every run of equal columns.
void writeRuns(std::ostream& out, const DensityStrip& strip, const TimelineDrawing& drawing)
{
    const auto same = [&](std::size_t a, std::size_t b) {
        return drawing.coverage[a] == drawing.coverage[b] && drawing.shade[a] == drawing.shade[b] &&
               (drawing.matched.empty() || drawing.matched[a] == drawing.matched[b]);
    };
    const std::size_t end = strip.first + static_cast<std::size_t>(strip.width);
    for (std::size_t i = strip.first; i < end;) {
        std::size_t next = i + 1;
        while (next < end && same(i, next))
            ++next;
        if (drawing.coverage[i] > 0) {
            out << "    x=" << strip.x + static_cast<int>(i - strip.first) << "+" << next - i
                << " busy=" << static_cast<int>(drawing.coverage[i]) << " "
                << (drawing.shade[i] == DensityStrip::kRowHue
                        ? "row"
                        : toString(static_cast<analysis::WorkClass>(drawing.shade[i])));
            if (!drawing.matched.empty())
                out << " matched=" << static_cast<int>(drawing.matched[i]);
            out << "\n";
        }
        i = next;
    }
}

} // namespace

std::string describe(const Timeline& timeline, const TimelineDrawing& drawing)
{
    std::ostringstream out;
    out << "overview " << drawing.overviewLeft << ".." << drawing.overviewRight << "\n";
    for (const RulerTick& tick : drawing.ticks)
        out << "tick x=" << tick.x << " " << tick.label << (tick.whole ? " whole" : "") << "\n";
    for (const IterationBox& box : drawing.iterations)
        out << "iteration x=" << box.x << "+" << box.width << " " << box.iteration << "\n";
    for (const GroupBox& box : drawing.groups)
        out << "group " << box.group << " y=" << box.y << "+" << box.height << (box.collapsed ? " collapsed" : "")
            << "\n";
    for (const RowBox& box : drawing.rows)
        out << "row " << rowName(timeline, box.row) << " y=" << box.y << "+" << box.height
            << (box.pinned ? " pinned" : "") << "\n";
    for (const EventBox& box : drawing.boxes)
        out << "box " << timeline.nameOf(box.event) << " x=" << box.x << "+" << box.width << " y=" << box.y << "+"
            << box.height << " " << toString(box.workClass) << (box.grey ? " grey" : "")
            << (box.selected ? " selected" : "") << (box.partner ? " partner" : "") << "\n";
    for (const DensityStrip& strip : drawing.strips) {
        out << "strip " << rowName(timeline, strip.row) << " lane=" << strip.lane << " y=" << strip.y << "+"
            << strip.height << "\n";
        writeRuns(out, strip, drawing);
    }
    for (const CurveStrip& strip : drawing.curves) {
        out << "curve " << rowName(timeline, strip.row) << " y=" << strip.y << "+" << strip.height << " from "
            << strip.lowest << " to " << strip.highest << "\n";
        const CurveColumn* former = nullptr;
        for (int x = 0; x < strip.width; ++x) {
            const CurveColumn& column = drawing.curveColumns[strip.first + static_cast<std::size_t>(x)];
            if (!former || former->top != column.top || former->bottom != column.bottom || former->mean != column.mean)
                out << "    x=" << strip.x + x << " top=" << column.top << " bottom=" << column.bottom
                    << " mean=" << column.mean << "\n";
            former = &column;
        }
    }
    for (const FlowArrow& arrow : drawing.arrows)
        out << "arrow " << arrow.fromX << "," << arrow.fromY << " -> " << arrow.toX << "," << arrow.toY
            << (arrow.selected ? " selected" : "") << "\n";
    return out.str();
}

} // namespace apertune::timeline
