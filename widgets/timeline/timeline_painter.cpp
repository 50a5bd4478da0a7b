// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_painter.h"

#include "widgets/theme/theme.h"
#include "widgets/trace_views/trace_colors.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace apertune::timeline {

using analysis::WorkClass;
using timeline::CurveColumn;
using timeline::CurveStrip;
using timeline::DensityStrip;
using timeline::EventBox;
using timeline::Timeline;
using timeline::TimelineDrawing;
using timeline::TimelineView;
using trace_views::classColor;
using trace_views::greyedColor;
using trace_views::rowColor;

/// The picture's memory with clipped fills.
struct TimelinePainter::Canvas
{
    explicit Canvas(QImage& image)
        : bits(reinterpret_cast<QRgb*>(image.bits())), stride(static_cast<int>(image.bytesPerLine() / 4)),
          width(image.width()), height(image.height())
    {
    }

    QRgb* line(int y) { return bits + static_cast<std::ptrdiff_t>(y) * stride; }

    // Plain loops over lines: a picture has tens of thousands of boxes, for which QPainter is too slow.
    void fill(int x, int y, int w, int h, QRgb color, int top = 0)
    {
        const int x1 = std::min(x + w, width);
        const int y1 = std::min(y + h, height);
        const int x0 = std::max(x, 0);
        for (int row = std::max({y, 0, top}); row < y1; ++row)
            std::fill(line(row) + x0, line(row) + std::max(x0, x1), color);
    }

    void dot(int x, int y, QRgb color, int top)
    {
        if (x >= 0 && x < width && y >= top && y < height)
            line(y)[x] = color;
    }

    QRgb* bits;
    int stride;
    int width;
    int height;
};

namespace {

QRgb mixed(const QColor& a, const QColor& b, double share)
{
    return theme::mixed(a, b, share).rgb();
}

} // namespace

void TimelinePainter::readColors()
{
    const QColor& panel = theme::current().panel;
    for (std::size_t i = 0; i < m_classes.size(); ++i) {
        const QColor color = classColor(static_cast<WorkClass>(i));
        m_classes[i] = color.rgb();
        m_soft[i] = mixed(color, panel, 0.55);
    }
    m_grey = greyedColor().rgb();
}

void TimelinePainter::paint(QImage& picture, const Timeline& timeline, const TimelineView& view,
                            const TimelineDrawing& drawing, double ratio)
{
    // Colours are read for each picture, because the theme may have changed.
    readColors();
    Canvas canvas(picture);
    paintGround(canvas, view, drawing);
    paintStrips(canvas, timeline, view, drawing);
    paintBoxes(canvas, drawing);
    paintCurves(canvas, timeline, drawing);
    paintOverview(canvas, timeline, view, drawing);
    QPainter painter(&picture);
    m_text.paint(painter, timeline, view, drawing, m_classes, m_grey, ratio);
    paintArrows(painter, view, drawing);
}

void TimelinePainter::paintGround(Canvas& canvas, const TimelineView& view, const TimelineDrawing& drawing)
{
    const theme::Tokens& t = theme::current();
    const int label = view.metrics.labelWidth;
    canvas.fill(0, 0, canvas.width, canvas.height, t.panel.rgb());
    // Grid lines lie below everything else.
    for (const timeline::RulerTick& tick : drawing.ticks)
        if (tick.x >= label)
            canvas.fill(tick.x, drawing.iterationTop, 1, canvas.height, t.plotGrid.rgb());
    const QRgb hairline = mixed(t.panel, t.line, 0.6);
    for (const timeline::RowBox& box : drawing.rows)
        // Pinned rows stay in place while the others scroll, so each part is cut at its own upper edge.
        canvas.fill(0, box.y + box.height - 1, canvas.width, 1, box.pinned ? t.line.rgb() : hairline,
                    box.pinned ? drawing.bodyTop : drawing.scrollTop);
    canvas.fill(label - 1, drawing.iterationTop, 1, canvas.height, t.line.rgb());

    for (const timeline::IterationBox& box : drawing.iterations) {
        const bool odd = box.iteration % 2 != 0;
        const QRgb color = mixed(t.panel, t.accent, odd ? 0.22 : 0.34);
        canvas.fill(box.x, drawing.iterationTop + 2, std::max(1, box.width - 1), view.metrics.iterationHeight - 4,
                    color);
        // A line through all rows marks the end of one pass and the begin of the next.
        if (box.width > 24)
            canvas.fill(box.x, drawing.bodyTop, 1, canvas.height, mixed(t.panel, t.accent, 0.3));
    }
}

void TimelinePainter::paintStrips(Canvas& canvas, const Timeline& timeline, const TimelineView& view,
                                  const TimelineDrawing& drawing)
{
    for (const DensityStrip& strip : drawing.strips) {
        const QRgb hue = mixed(rowColor(timeline.rows()[strip.row].kind), theme::current().panel, 0.12);
        const auto width = static_cast<std::size_t>(strip.width);
        const auto paintPass = [&](const std::vector<std::uint8_t>& coverage, bool grey) {
            m_heights.resize(width);
            m_colors.resize(width);
            for (std::size_t x = 0; x < width; ++x) {
                const int share = coverage[strip.first + x];
                const std::uint8_t shade = drawing.shade[strip.first + x];
                // Work remains visible even when it takes very little of the time.
                m_heights[x] = share == 0 ? 0 : std::max(std::min(3, strip.height), (share * strip.height + 128) / 255);
                m_colors[x] = grey ? m_grey : shade == DensityStrip::kRowHue ? hue : m_classes[shade];
            }
            const int bottom = strip.y + strip.height;
            for (int y = std::max(strip.y, strip.top); y < std::min(bottom, canvas.height); ++y) {
                QRgb* line = canvas.line(y) + strip.x;
                const int needed = bottom - y;
                // Line by line, because neighbours in a line are neighbours in memory.
                for (std::size_t x = 0; x < width; ++x)
                    if (m_heights[x] >= needed)
                        line[x] = m_colors[x];
            }
        };
        // All work comes first in grey, then the part that matches the search in its colours over it.
        paintPass(drawing.coverage, view.matches != nullptr);
        if (view.matches && !drawing.matched.empty())
            paintPass(drawing.matched, false);
    }
}

void TimelinePainter::paintBoxes(Canvas& canvas, const TimelineDrawing& drawing)
{
    const theme::Tokens& t = theme::current();
    const QRgb strong = t.text.rgb();
    const QRgb soft = t.accent.rgb();
    const QRgb greySoft = mixed(greyedColor(), t.panel, 0.55);
    for (const EventBox& box : drawing.boxes) {
        const auto index = static_cast<std::size_t>(box.workClass);
        const QRgb color = box.grey ? m_grey : m_classes[index];
        const int width = box.width >= 4 ? box.width - 1 : box.width; // neighbours stay apart
        canvas.fill(box.x, box.y, width, box.height, color, box.top);
        // Boxes that are large enough get soft corners; smaller ones would lose their shape.
        if (width >= 5 && box.height >= 10) {
            const QRgb corner = box.grey ? greySoft : m_soft[index];
            for (const int x : {box.x, box.x + width - 1})
                for (const int y : {box.y, box.y + box.height - 1})
                    canvas.dot(x, y, corner, box.top);
        }
    }
    // After all boxes, so that no neighbour covers the frame.
    for (const EventBox& box : drawing.boxes) {
        if (!box.selected && !box.partner)
            continue;
        const QRgb color = box.selected ? strong : soft;
        // An event narrower than that would show no frame.
        const int width = std::max(box.width, 3);
        canvas.fill(box.x - 1, box.y - 1, width + 2, 2, color, box.top);
        canvas.fill(box.x - 1, box.y + box.height - 1, width + 2, 2, color, box.top);
        canvas.fill(box.x - 1, box.y - 1, 2, box.height + 2, color, box.top);
        canvas.fill(box.x + width - 1, box.y - 1, 2, box.height + 2, color, box.top);
    }
}

void TimelinePainter::paintCurves(Canvas& canvas, const Timeline& timeline, const TimelineDrawing& drawing)
{
    const QColor& panel = theme::current().panel;
    for (const CurveStrip& strip : drawing.curves) {
        const QColor hue = rowColor(timeline.rows()[strip.row].kind);
        const QRgb area = mixed(panel, hue, 0.24);
        const QRgb band = mixed(panel, hue, 0.55);
        const QRgb line = hue.rgb();
        const int bottom = strip.y + strip.height;
        // A line joins the means of neighbouring columns; after a gap it begins anew.
        int former = -1;
        for (int x = 0; x < strip.width; ++x) {
            const CurveColumn& column = drawing.curveColumns[strip.first + static_cast<std::size_t>(x)];
            // No value was recorded in this column.
            if (column.bottom < column.top) {
                former = -1;
                continue;
            }
            const int at = strip.x + x;
            canvas.fill(at, column.mean, 1, bottom - column.mean, area, strip.top);
            canvas.fill(at, column.top, 1, column.bottom - column.top + 1, band, strip.top);
            const int from = former < 0 ? column.mean : std::min(former, column.mean);
            const int to = former < 0 ? column.mean : std::max(former, column.mean);
            canvas.fill(at, from, 1, to - from + 1, line, strip.top);
            former = column.mean;
        }
    }
}

void TimelinePainter::paintOverview(Canvas& canvas, const Timeline& timeline, const TimelineView& view,
                                    const TimelineDrawing& drawing)
{
    const theme::Tokens& t = theme::current();
    const int label = view.metrics.labelWidth;
    const int height = view.metrics.overviewHeight;
    canvas.fill(0, 0, canvas.width, drawing.iterationTop, t.panel.rgb());
    canvas.fill(label, 0, canvas.width, height, t.canvas.rgb());
    const int left = drawing.overviewLeft;
    // The window stays visible in the overview, however far the user has zoomed in.
    const int right = std::max(drawing.overviewRight, left + 3);
    canvas.fill(left, 0, right - left, height, mixed(t.canvas, t.accent, 0.16));
    const std::vector<std::uint8_t>& all = timeline.overview();
    const int plot = view.plotWidth();
    const QColor hue = rowColor(trace::EventKind::kernel);
    const QRgb bright = mixed(t.canvas, hue, 0.78);
    const QRgb dim = mixed(t.canvas, hue, 0.34);
    for (int x = 0; x < plot && !all.empty(); ++x) {
        // The overview has a fixed number of parts; each pixel shows the mean of those below it.
        const std::size_t from = static_cast<std::size_t>(x) * all.size() / static_cast<std::size_t>(plot);
        const std::size_t to =
            std::max(from + 1, (static_cast<std::size_t>(x) + 1) * all.size() / static_cast<std::size_t>(plot));
        std::uint32_t sum = 0;
        for (std::size_t i = from; i < to; ++i)
            sum += all[i];
        const int bar = static_cast<int>(sum / (to - from)) * (height - 6) / 255;
        const bool inside = label + x >= left && label + x < right;
        canvas.fill(label + x, height - 1 - bar, 1, bar, inside ? bright : dim);
    }
    canvas.fill(0, height - 1, canvas.width, 1, t.line.rgb());
    for (const int edge : {left, right - 1})
        canvas.fill(edge, 0, 1, height - 1, t.accent.rgb());
    canvas.fill(left, 0, right - left, 1, t.accent.rgb());
    canvas.fill(left, height - 2, right - left, 1, t.accent.rgb());
    canvas.fill(0, drawing.iterationTop - 1, canvas.width, 1, t.line.rgb());
    if (drawing.bodyTop > drawing.iterationTop)
        canvas.fill(0, drawing.bodyTop - 1, canvas.width, 1, t.line.rgb());
}

void TimelinePainter::paintArrows(QPainter& painter, const TimelineView& view, const TimelineDrawing& drawing)
{
    if (drawing.arrows.empty())
        return;
    const theme::Tokens& t = theme::current();
    painter.save();
    painter.setClipRect(view.metrics.labelWidth, drawing.bodyTop, view.width, view.height);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const timeline::FlowArrow& arrow : drawing.arrows) {
        QColor color = arrow.selected ? t.text : t.text2;
        color.setAlphaF(arrow.selected ? 0.95F : 0.42F);
        painter.setPen(QPen(color, arrow.selected ? 1.6 : 1));
        painter.setBrush(Qt::NoBrush);
        // The centre of a pixel lies half a pixel from its edge.
        const QPointF from(arrow.fromX + 0.5, arrow.fromY);
        const QPointF to(arrow.toX + 0.5, arrow.toY);
        // Half of the way on each side gives an arc that leaves and arrives vertically.
        const double bend = (to.y() - from.y()) * 0.5;
        QPainterPath path(from);
        path.cubicTo(from + QPointF(0, bend), to - QPointF(0, bend), to);
        painter.drawPath(path);
        const double tip = arrow.toY < arrow.fromY ? 5 : -5;
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawPolygon(QPolygonF({to, to + QPointF(-3, tip), to + QPointF(3, tip)}));
    }
    painter.restore();
}

} // namespace apertune::timeline
