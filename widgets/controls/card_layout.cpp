// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/card_layout.h"

#include <QWidget>

#include <algorithm>

namespace apertune::controls {

CardLayout::CardLayout(int spacing)
{
    setSpacing(spacing);
    setContentsMargins(0, 0, 0, 0);
}

CardLayout::~CardLayout() = default;

void CardLayout::addItem(QLayoutItem* item)
{
    m_items.emplace_back(item);
    invalidate();
}

QLayoutItem* CardLayout::itemAt(int index) const
{
    return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* CardLayout::takeAt(int index)
{
    if (index < 0 || index >= count())
        return nullptr;
    QLayoutItem* item = m_items[static_cast<std::size_t>(index)].release();
    m_items.erase(m_items.begin() + index);
    return item;
}

std::vector<QLayoutItem*> CardLayout::shown() const
{
    std::vector<QLayoutItem*> items;
    for (const auto& item : m_items)
        if (!item->isEmpty())
            items.push_back(item.get());
    return items;
}

int CardLayout::widest() const
{
    int width = 0;
    for (const QLayoutItem* item : shown())
        width = std::max(width, item->minimumSize().width());
    return width;
}

int CardLayout::columnsAt(int width) const
{
    const int cards = static_cast<int>(shown().size());
    const int fitting = std::clamp((width + spacing()) / std::max(1, widest() + spacing()), 1, std::max(1, cards));
    const int rows = (cards + fitting - 1) / fitting;
    return rows > 0 ? (cards + rows - 1) / rows : 1; // four cards are two rows of two, not three and one
}

/// Returns the height of the cards at the rectangle's width.
int CardLayout::arrange(const QRect& rect, bool move) const
{
    const std::vector<QLayoutItem*> items = shown();
    const int columns = columnsAt(rect.width());
    const int width = (rect.width() - (columns - 1) * spacing()) / columns;
    int y = rect.top();
    for (std::size_t first = 0; first < items.size(); first += static_cast<std::size_t>(columns)) {
        const std::size_t end = std::min(items.size(), first + static_cast<std::size_t>(columns));
        // Cards of a row are as high as the highest of them, so that their edges meet.
        int height = 0;
        for (std::size_t i = first; i < end; ++i)
            height = std::max(height, items[i]->hasHeightForWidth() ? items[i]->heightForWidth(width)
                                                                    : items[i]->sizeHint().height());
        if (move)
            for (std::size_t i = first; i < end; ++i)
                items[i]->setGeometry(
                    QRect(rect.left() + static_cast<int>(i - first) * (width + spacing()), y, width, height));
        y += height + spacing();
    }
    return items.empty() ? 0 : y - spacing() - rect.top();
}

QSize CardLayout::sizeHint() const
{
    const int cards = std::max(1, static_cast<int>(shown().size()));
    const int width = cards * widest() + (cards - 1) * spacing();
    return {width, heightForWidth(width)};
}

QSize CardLayout::minimumSize() const
{
    return {widest(), sizeHint().height()};
}

void CardLayout::setGeometry(const QRect& rect)
{
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

} // namespace apertune::controls
