// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/legend_row.h"

#include "widgets/theme/fonts.h"
#include "widgets/theme/marker.h"
#include "widgets/theme/theme.h"

#include <QPainter>

namespace apertune::controls {
namespace {

constexpr int kGap = 14;

int leadOf(const LegendRow::Entry& entry)
{
    return entry.isLine ? 26 : 15;
}

} // namespace

LegendRow::LegendRow(QWidget* parent) : QWidget(parent)
{
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
    for (const Entry& entry : m_entries) {
        names << entry.text;
    }
    setAccessibleName(tr("Legend: %1").arg(names.join(QStringLiteral(", "))));
    updateGeometry();
    update();
}

QSize LegendRow::sizeHint() const
{
    const QFontMetrics metrics(theme::font(theme::Type::caption));
    int width = 0;
    for (const Entry& entry : m_entries) {
        width += (width > 0 ? kGap : 0) + leadOf(entry) + metrics.horizontalAdvance(entry.text);
    }
    return {width + 2, metrics.height() + 4};
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
    double x = 0;
    for (const Entry& entry : m_entries) {
        const double middle = size.height() / 2.0;
        if (entry.isLine) {
            painter.setPen(QPen(entry.marker.color, 1.5));
            painter.drawLine(QPointF(x, middle), QPointF(x + 20, middle));
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setBrush(t.panel);
            painter.drawEllipse(QPointF(x + 10, middle), 3.5, 3.5);
        } else {
            theme::drawMarker(painter, QPointF(x + 5, middle), 8, entry.marker);
        }
        x += leadOf(entry);
        painter.setPen(t.text2);
        painter.drawText(QRectF(x, 0, size.width(), size.height()), static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft),
                         entry.text);
        x += painter.fontMetrics().horizontalAdvance(entry.text) + kGap;
    }
}

} // namespace apertune::controls
