// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/accessible.h"
#include "widgets/plots/chart_content.h"
#include "widgets/plots/plot_source.h"

#include <QString>
#include <QStringList>
#include <QWidget>

#include <functional>
#include <memory>

namespace apertune::plots {

/// Draws a ChartContent and reports the point under the pointer. Points can be reached by mouse and, with focus, by the
/// arrow keys in order of x. Colours are in the content, so the owner sets a new one when the theme changes. GUI
/// thread.
class ChartView : public QWidget, public PlotSource, public controls::PaintedParts
{
    Q_OBJECT
public:
    static constexpr qint64 kNone = -1;

    explicit ChartView(QWidget* parent = nullptr);
    ~ChartView() override;

    void setContent(ChartContent content);
    const ChartContent& content() const;

    /// Draws a ring around one point; kNone removes it.
    void setSelected(qint64 id);
    qint64 selected() const;

    /// Sets the source of tool tips over points.
    void setToolTipSource(std::function<QString(qint64)> source);

    /// Sets the source of command lines that reproduce a point or, for kNone, the whole plot.
    void setCommandSource(std::function<QString(qint64)> source);

    /// Returns the position of a data point, in this widget's coordinates.
    QPointF positionOf(double x, double y) const;
    /// Returns the rectangle inside the axes, in this widget's coordinates.
    QRectF plotArea() const;
    /// Returns the tick labels of the x axis that have room, from left to right; for tests.
    QStringList shownTicks() const;
    /// Returns the nearest point that can be hit within `radius` pixels; kNone when there is none.
    qint64 hit(QPointF at, double radius = 14) const;

    /// Points, bars and steps, series by series; no more than a thousand.
    int partCount() override;
    Part part(int index) override;
    int currentPart() override;

    void paintPlot(QPainter& painter) const override;
    QString toCsv() const override;
    Point pointAt(QPointF at) const override;
    QPointF selectedAt() const override;

    QSize sizeHint() const override { return {480, 240}; }
    QSize minimumSizeHint() const override { return {200, 140}; }

Q_SIGNALS:
    void pointHovered(qint64 id); ///< kNone when the pointer leaves a point
    void pointClicked(qint64 id); ///< kNone when there is no point
    void pointActivated(qint64 id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void rebuild();
    void placeSelection();
    void placeNotes();
    void thinTicks();
    void hover(QPointF at, QPoint global);
    void step(int direction);
    QString toolTipOf(qint64 id) const;

    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace apertune::plots
