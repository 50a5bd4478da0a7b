// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/accessible.h"

#include <QColor>
#include <QString>
#include <QWidget>

#include <vector>

namespace apertune::trace_views {

/// A bar that is divided by cause, with the names of the parts below it. A click, or arrow keys and Enter, choose a
/// part.
class ShareBar : public QWidget, public controls::PaintedParts
{
    Q_OBJECT
public:
    struct Share
    {
        QString name;
        QString value; ///< "38.1 %"
        double share = 0;
        QColor color;
        QString toolTip;
    };

    explicit ShareBar(QWidget* parent = nullptr);
    void setParts(std::vector<Share> parts);

    int partCount() override { return static_cast<int>(m_parts.size()); }
    Part part(int index) override;
    int currentPart() override { return m_parts.empty() ? -1 : m_current; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

Q_SIGNALS:
    void chosen(int part);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Place
    {
        QRectF bar;
        QRectF name;
    };
    std::vector<Place> places(int width) const;
    int partAt(QPointF at) const;

    std::vector<Share> m_parts;
    int m_hovered = -1;
    int m_current = 0;
};

} // namespace apertune::trace_views
