// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_overlay.h"

#include "core/timeline/time_ruler.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/style.h"
#include "widgets/theme/tabular.h"
#include "widgets/theme/theme.h"
#include "widgets/trace_views/trace_labels.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace apertune::timeline {

using trace_views::timeWord;

TimelineOverlay::TimelineOverlay(QPainter& painter, const TimelineViewport& viewport, int height)
    : m_painter(painter), m_viewport(viewport), m_height(height), m_left(logical(viewport.view().metrics.labelWidth)),
      m_right(logical(viewport.view().width))
{
}

void TimelineOverlay::paintSelection(const TimelineSelection& selection)
{
    if (!selection.range)
        return;
    const theme::Tokens& t = theme::current();
    const double top = logical(m_viewport.drawing().iterationTop);
    const double x0 = xOf(selection.range->start);
    const double x1 = xOf(selection.range->end);
    const double left = std::max(m_left, x0);
    const double right = std::min(m_right, x1);
    if (right <= left)
        return;
    // The range on all rows faintly where it counts on some, which are plain.
    QColor veil = t.accent;
    veil.setAlphaF(selection.rows.empty() ? 0.13F : 0.04F);
    m_painter.fillRect(QRectF(left, top, right - left, m_height - top), veil);
    if (!selection.rows.empty())
        paintRows(selection.rows, left, right);
    m_painter.setPen(QPen(t.accent, 1, Qt::DashLine));
    for (const double edge : {x0, x1})
        if (edge >= m_left && edge <= m_right)
            m_painter.drawLine(QPointF(std::round(edge) + 0.5, top), QPointF(std::round(edge) + 0.5, m_height));
    QFont font = theme::font(theme::Type::caption);
    font.setWeight(QFont::DemiBold);
    const QString text = timeWord(selection.range->length());
    const double width = theme::tabularWidth(font, text) + 16;
    const double height = QFontMetricsF(font).height() + 4;
    // The tag stays inside of the view, also where only a part of the range is.
    const double x = std::clamp((left + right - width) / 2, m_left, std::max(m_left, m_right - width));
    const QRectF tag(std::round(x), std::round(top + 1), std::round(width), std::round(height));
    theme::drawBox(m_painter, tag, t.accent, QColor(), 4);
    m_painter.setPen(t.onAccent);
    theme::drawTabular(m_painter, tag, Qt::AlignHCenter, font, text);
}

void TimelineOverlay::paintRows(const std::vector<std::uint32_t>& rows, double left, double right)
{
    const TimelineDrawing& drawing = m_viewport.drawing();
    QColor veil = theme::current().accent;
    veil.setAlphaF(0.17F);
    for (const RowBox& row : drawing.rows) {
        const double y = logical(std::max(row.y, row.pinned ? drawing.bodyTop : drawing.scrollTop));
        const double bottom = logical(row.y + row.height);
        if (bottom > y && std::binary_search(rows.begin(), rows.end(), row.row))
            m_painter.fillRect(QRectF(left, y, right - left, bottom - y), veil);
    }
}

void TimelineOverlay::paintPointer(QPointF at)
{
    const TimelineView& view = m_viewport.view();
    const double top = logical(view.metrics.overviewHeight);
    if (at.x() < m_left || at.x() > m_right || at.y() < top)
        return;
    const theme::Tokens& t = theme::current();
    QColor line = t.text2;
    line.setAlphaF(0.5F);
    m_painter.fillRect(QRectF(std::floor(at.x()), top, 1, m_height - top), line);
    const QFont font = theme::font(theme::Type::caption);
    const auto time = static_cast<std::int64_t>(view.timeAt(at.x() * m_viewport.ratio()));
    const QString text = QString::fromStdString(timeText(time, niceStep(view.nsPerPx * m_viewport.ratio())));
    const double width = theme::tabularWidth(font, text) + 12;
    const double x = std::clamp(at.x() + 6, m_left, std::max(m_left, m_right - width));
    // Whole pixels, because a box between two of them is blurred.
    const QRectF tag(std::round(x), std::round(top + 2), std::round(width), logical(view.metrics.rulerHeight) - 4);
    theme::drawBox(m_painter, tag, t.raised, t.line, 4);
    m_painter.setPen(t.text);
    theme::drawTabular(m_painter, tag, Qt::AlignHCenter, font, text);
}

} // namespace apertune::timeline
