// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace apertune::tables {

/// Horizontal margin on both sides of a cell's and a header's text. They share the number, so that they line up. The
/// smaller one is for tables with many columns.
inline constexpr int kCellMargin = 12;
inline constexpr int kDenseCellMargin = 7;

/// Paints a cell straight from the model: background, marker or icon, text with digits of equal width. It is several
/// times cheaper than the default delegate, and independent of the style.
class LeanDelegate final : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

    void setMargin(int margin) { m_margin = margin; }
    /// Returns the width of a cell's whole content, with its margins.
    int widthOf(const QModelIndex& index) const;

private:
    int m_margin = kCellMargin;
};

} // namespace apertune::tables
