// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/trial.h"
#include "widgets/controls/accessible.h"
#include "widgets/plots/heat_map_layout.h"
#include "widgets/plots/plot_source.h"

#include <QStringList>
#include <QWidget>

#include <functional>
#include <vector>

namespace apertune::plots {

struct HeatCell
{
    enum class State {
        value,
        planned, ///< a configuration of a design that would run
        pending, ///< a configuration of a study that is not measured yet
        failed,  ///< drawn as a hatch with a word
        skipped, ///< impossible, pruned or never planned
    };
    State state = State::skipped;
    double value = 0;
    QString text; ///< the number, or the word for a failure; short
    QString toolTip;
    model::TrialId trial{};
};

struct HeatMapData
{
    QStringList rows;
    QStringList columns;
    QString rowTitle; ///< title of the rows for assistive tools: "level and precision"
    QString columnTitle;
    QString valueTitle{};                             ///< column title in CSV, with the unit
    std::vector<HeatCell> cells;                      ///< row by row
    std::function<QString(model::TrialId)> command{}; ///< the command line that measures a configuration again
};

/// One number for each row and column, written into its cell and coloured from low to high. Self-painted over
/// layOutHeatMap; arrow keys move from cell to cell. GUI thread.
class HeatMap : public QWidget, public PlotSource, public controls::PaintedParts
{
    Q_OBJECT
public:
    explicit HeatMap(QWidget* parent = nullptr);

    void setData(HeatMapData content);
    void setSelected(model::TrialId trial);
    /// The layout as painted now, for tests.
    HeatMapLayout layoutNow() const;

    int partCount() override { return static_cast<int>(m_data.cells.size()); }
    Part part(int index) override;
    int currentPart() override { return selectedIndex(); }

    void paintPlot(QPainter& painter) const override;
    QString toCsv() const override;
    Point pointAt(QPointF at) const override;
    QPointF selectedAt() const override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void trialClicked(apertune::model::TrialId trial);
    void trialActivated(apertune::model::TrialId trial);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    const HeatCell* cellUnder(QPointF at) const;
    int selectedIndex() const;
    void paintCell(QPainter& painter, const HeatCell& cell, const Box& box, bool showText) const;
    void summarise();

    HeatMapData m_data;
    model::TrialId m_selected{};
    double m_lo = 0;
    double m_hi = 0;
};

} // namespace apertune::plots
