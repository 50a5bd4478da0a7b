// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>

#include <memory>
#include <vector>

namespace apertune::controls {

/// Cards of equal width in one row or, where they do not fit beside each other, in several rows of as many cards each
/// as possible. The cards of a row are as high as the highest of them.
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
