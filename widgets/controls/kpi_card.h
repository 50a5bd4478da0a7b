// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/figure.h"

#include <QWidget>

namespace apertune::controls {

/// A card with one large number, its unit and one line of context. Hovering shows what is measured, and over how many
/// samples. If the samples can be shown, a click or Enter shows them.
class KpiCard : public QWidget
{
    Q_OBJECT
public:
    explicit KpiCard(QWidget* parent = nullptr);

    void setFigure(const Figure& figure);
    const Figure& figure() const { return m_figure; }
    /// The action of a click, "Show its samples". Empty: the card cannot be clicked.
    void setAction(const QString& text);

    /// Returns whether some text does not fit the present width.
    bool isClipped() const;

    /// On a narrow card, caption and context wrap to a second line. The number does not.
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void activated();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void describe();

    Figure m_figure;
    QString m_action;
};

} // namespace apertune::controls
