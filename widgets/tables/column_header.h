// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>

namespace apertune::tables {

/// A horizontal header whose labels stand over their column's text: same alignment, same margins. The sort arrow goes
/// to the free side and never moves the label.
class ColumnHeader final : public QHeaderView
{
    Q_OBJECT
public:
    explicit ColumnHeader(QWidget* parent = nullptr);

    /// Width that a section's label and arrow need.
    int widthOf(int section) const;
    QSize sizeHint() const override;

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
    void paintEvent(QPaintEvent* event) override;
};

} // namespace apertune::tables
