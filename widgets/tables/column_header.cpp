// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tables/column_header.h"

#include "widgets/tables/lean_delegate.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/tabular.h"
#include "widgets/theme/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace apertune::tables {
namespace {

constexpr double kArrow = 8; ///< distance from the label to the middle of the arrow, which is 7 wide

QFont headerFont()
{
    QFont font = theme::font(theme::Type::caption);
    font.setWeight(QFont::Medium);
    return font;
}

} // namespace

ColumnHeader::ColumnHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent), m_margin(kCellMargin)
{
    setSectionsClickable(true);
    setHighlightSections(false);
    setSectionResizeMode(QHeaderView::Interactive);
    setMinimumSectionSize(24);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, [this] { viewport()->update(); });
}

int ColumnHeader::widthOf(int section) const
{
    const QString text = model()->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
    return static_cast<int>(std::ceil(theme::tabularWidth(headerFont(), text))) + 2 * m_margin +
           std::max(0, 12 - m_margin) + 1;
}

QSize ColumnHeader::sizeHint() const
{
    return {QHeaderView::sizeHint().width(), QFontMetrics(headerFont()).height() + 14};
}

void ColumnHeader::paintEvent(QPaintEvent* event)
{
    {
        QPainter painter(viewport());
        painter.fillRect(viewport()->rect(), theme::current().panel);
    }
    QHeaderView::paintEvent(event);
    QPainter painter(viewport());
    painter.setPen(theme::current().line);
    painter.drawLine(0, height() - 1, viewport()->width(), height() - 1);
}

void ColumnHeader::paintSection(QPainter* painter, const QRect& rect, int section) const
{
    const theme::Tokens& t = theme::current();
    const bool sorted = isSortIndicatorShown() && sortIndicatorSection() == section;
    const auto alignment =
        static_cast<Qt::Alignment>(model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).toInt());
    const QString text = model()->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
    QRectF inside = QRectF(rect).adjusted(m_margin, 0, -m_margin, 0);
    painter->save();
    painter->setPen(sorted ? t.text : t.text2);
    theme::drawTabular(*painter, inside, alignment, headerFont(), text);
    if (sorted && !text.isEmpty()) {
        const double width = theme::tabularWidth(headerFont(), text);
        const double x = alignment & Qt::AlignRight ? inside.right() - width - kArrow : inside.left() + width + kArrow;
        const double y = inside.center().y() + 0.5;
        const double down = sortIndicatorOrder() == Qt::AscendingOrder ? -1 : 1;
        QPainterPath arrow(QPointF(x - 3.5, y - 2 * down));
        arrow.lineTo(x + 3.5, y - 2 * down);
        arrow.lineTo(x, y + 2.5 * down);
        arrow.closeSubpath();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->fillPath(arrow, t.accent);
    }
    painter->restore();
}

} // namespace apertune::tables
