// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>

#include <memory>
#include <vector>

namespace apertune::controls {

/// Places cards of equal width in as few rows as fit the width, with equally many cards in each row. The cards of a row
/// have the height of the highest one.
class CardLayout final : public QLayout
{
public:
    explicit CardLayout(int spacing);
    ~CardLayout() override;

    void addItem(QLayoutItem* item) override;
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return arrange(QRect(0, 0, width, 0), false); }
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    int columnsAt(int width) const;
    int arrange(const QRect& rect, bool move) const;
    std::vector<QLayoutItem*> shown() const;
    int widest() const;

    std::vector<std::unique_ptr<QLayoutItem>> m_items;
};

} // namespace apertune::controls
