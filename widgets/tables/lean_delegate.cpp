// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tables/lean_delegate.h"

#include "widgets/controls/label.h"
#include "widgets/tables/roles.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/marker.h"
#include "widgets/theme/tabular.h"
#include "widgets/theme/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace apertune::tables {
namespace {

constexpr int kLead = 18;   ///< width of a marker or an icon, with its gap
constexpr int kSwatch = 14; ///< width of a square, with its gap

int leadOf(const QModelIndex& index)
{
    if (index.data(kIconRole).isValid() || index.data(kMarkerRole).isValid())
        return kLead;
    return index.data(kSwatchRole).isValid() ? kSwatch : 0;
}

/// Returns the length of the longest bar of a column. The bar ends at the numbers, or is behind them when there is no
/// room beside them.
double barLength(double width, const QFont& font)
{
    constexpr double kLeast = 16; // pixels; differences between shorter bars could not be seen
    const double beside = width - theme::tabularWidth(font, QStringLiteral("88.88 %")) - 6;
    return beside >= kLeast ? beside : width;
}

} // namespace

void LeanDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const theme::Tokens& t = theme::current();
    const bool selected = option.state & QStyle::State_Selected;
    if (selected)
        painter->fillRect(option.rect, t.selection);
    else if (option.state & QStyle::State_MouseOver)
        painter->fillRect(option.rect, t.raised);
    else if (index.row() % 2 == 1)
        painter->fillRect(option.rect, option.palette.color(QPalette::AlternateBase));
    QRectF inside = QRectF(option.rect).adjusted(m_margin, 0, -m_margin, 0);
    const QVariant share = index.data(kShareRole);
    if (share.isValid()) {
        const double length = barLength(inside.width(), option.font) * share.toDouble();
        const QRectF bar(inside.left(), option.rect.top() + 5, length, option.rect.height() - 10);
        painter->fillRect(bar, theme::mixed(selected ? t.selection : t.panel, t.accent, selected ? 0.35 : 0.28));
    }
    const QVariant tone = index.data(kToneRole);
    QColor ink = tone.isValid() ? controls::toneColor(static_cast<controls::Tone>(tone.toInt())) : t.text;
    if (selected && ink == t.text3)
        ink = t.text2;
    const QVariant iconName = index.data(kIconRole);
    const QVariant marker = index.data(kMarkerRole);
    if (marker.isValid()) {
        theme::drawMarker(
            *painter, QPointF(inside.left() + 5, inside.center().y() + 0.5), 8,
            theme::precisionMarker(static_cast<model::Precision>(marker.toInt()), theme::currentScheme()));
        inside.setLeft(inside.left() + kLead);
    } else if (iconName.isValid()) {
        theme::drawIcon(*painter, iconName.toString(), QRectF(inside.left() - 1, inside.center().y() - 7, 14, 14), ink);
        inside.setLeft(inside.left() + kLead);
    } else if (const QVariant swatch = index.data(kSwatchRole); swatch.isValid()) {
        painter->fillRect(QRectF(inside.left(), std::round(inside.center().y()) - 4, 8, 8), swatch.value<QColor>());
        inside.setLeft(inside.left() + kSwatch);
    }
    QString text = index.data(Qt::DisplayRole).toString();
    if (!text.isEmpty()) {
        if (index.data(kNameRole).toBool())
            text = theme::elidedName(QFontMetricsF(option.font), text, inside.width());
        painter->setPen(ink);
        const auto alignment = static_cast<Qt::Alignment>(index.data(Qt::TextAlignmentRole).toInt());
        theme::drawTabular(*painter, inside, alignment, option.font, text);
    }
    if (option.state & QStyle::State_HasFocus) {
        painter->fillRect(QRect(option.rect.left(), option.rect.top(), option.rect.width(), 1), t.accent);
        painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), t.accent);
    }
}

QSize LeanDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return {widthOf(index), option.fontMetrics.height() + 10};
}

int LeanDelegate::widthOf(const QModelIndex& index) const
{
    const double text = theme::tabularWidth(theme::font(theme::Type::body), index.data(Qt::DisplayRole).toString());
    return static_cast<int>(std::ceil(text)) + 2 * m_margin + leadOf(index) + 1;
}

} // namespace apertune::tables
