// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>

namespace apertune::tables {

/// A horizontal header whose labels have the alignment and the margins of their column's text. The sort arrow is on the
/// free side, or in the margin where there is no other room. It never moves the label.
class ColumnHeader final : public QHeaderView
{
    Q_OBJECT
public:
    explicit ColumnHeader(QWidget* parent = nullptr);

    void setMargin(int margin) { m_margin = margin; }
    /// The width that a section's label and arrow need.
    int widthOf(int section) const;
    QSize sizeHint() const override;

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
    void paintEvent(QPaintEvent* event) override;

private:
    int m_margin;
};

} // namespace apertune::tables
