// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/figure.h"

#include <QWidget>

namespace apertune::controls {

/// A card with one large number, its unit and one line of context.
class KpiCard : public QWidget
{
    Q_OBJECT
public:
    explicit KpiCard(QWidget* parent = nullptr);

    void setFigure(const Figure& figure);
    const Figure& figure() const { return m_figure; }
    /// True when some text does not fit the present width.
    bool isClipped() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Figure m_figure;
};

} // namespace apertune::controls
