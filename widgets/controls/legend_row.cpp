// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/legend_row.h"

#include "widgets/controls/accessible.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/marker.h"
#include "widgets/theme/theme.h"

#include <QPainter>

#include <algorithm>

namespace apertune::controls {
namespace {

constexpr int kEntryGap = 14;

int leadOf(const LegendRow::Entry& entry)
{
    return entry.isLine ? 26 : 15;
}

int lineHeight(const QFontMetrics& metrics)
{
    return metrics.height() + 4;
}

} // namespace

LegendRow::LegendRow(QWidget* parent) : QWidget(parent)
{
    setPaintedRole(this, PaintedRole::figure);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void LegendRow::setEntries(std::vector<Entry> entries)
{
    m_entries = std::move(entries);
    QStringList names;
    for (const Entry& entry : m_entries)
        names << entry.text;
    setAccessibleName(tr("Legend: %1").arg(names.join(QStringLiteral(", "))));
    updateGeometry();
    update();
}

void LegendRow::setLongestLine(int pixels)
{
    if (m_longestLine != pixels) {
        m_longestLine = pixels;
        updateGeometry();
    }
}

std::vector<LegendRow::Place> LegendRow::places(const QFontMetrics& metrics, int width) const
{
    std::vector<Place> places;
    Place at;
    for (const Entry& entry : m_entries) {
        const int length = leadOf(entry) + metrics.horizontalAdvance(entry.text);
        if (at.x > 0 && at.x + length > width)
            at = {0, at.line + 1, 0};
        at.end = at.x + length;
        places.push_back(at);
        at.x = at.end + kEntryGap;
    }
    return places;
}

QSize LegendRow::sizeHint() const
{
    const QFontMetrics metrics(theme::font(theme::Type::caption));
    int width = 0;
    int lines = 1;
    for (const Place& place : places(metrics, m_longestLine)) {
        width = std::max(width, place.end);
        lines = place.line + 1;
    }
    return {width + 2, lines * lineHeight(metrics)};
}

void LegendRow::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintLegend(painter, size());
}

void LegendRow::paintLegend(QPainter& painter, QSize size) const
{
    const theme::Tokens& t = theme::current();
    painter.setFont(theme::font(theme::Type::caption));
    const QFontMetrics metrics = painter.fontMetrics();
    const std::vector<Place> all = places(metrics, size.width());
    const double line = all.empty() ? size.height() : size.height() / (all.back().line + 1.0);
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const Entry& entry = m_entries[i];
        const double x = all[i].x;
        const double top = all[i].line * line;
        const double middle = top + line / 2;
        if (entry.isLine) {
            painter.setPen(QPen(entry.marker.color, 1.5));
            painter.drawLine(QPointF(x, middle), QPointF(x + 20, middle));
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setBrush(t.panel);
            painter.drawEllipse(QPointF(x + 10, middle), 3.5, 3.5);
        } else {
            theme::drawMarker(painter, QPointF(x + 5, middle), 8, entry.marker);
        }
        painter.setPen(t.text2);
        painter.drawText(QRectF(x + leadOf(entry), top, size.width(), line),
                         static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), entry.text);
    }
}

} // namespace apertune::controls
