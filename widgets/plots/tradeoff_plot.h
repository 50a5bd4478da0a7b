// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/measurement.h"
#include "core/model/precision.h"
#include "core/model/trial.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

namespace apertune::controls {
class LegendRow;
}

namespace apertune::plots {

class ChartView;

/// One measured configuration of a trade-off plot.
struct TradeoffPoint
{
    model::TrialId trial{};
    model::Precision precision = model::Precision::fp32;
    std::string engine{};
    model::Interval across; ///< latency in ms or peak memory in MiB, see TradeoffData::overMemory
    model::Interval throughput;
    bool onFront = false;
    int group = -1;       ///< number of its group of statistically equal points on the front; -1: none
    bool eligible = true; ///< the point is within the goal's bounds; others are drawn faint
    bool recommended = false;
    QString label;   ///< "O2 bf16 b4"
    QString toolTip; ///< plain text, several lines
};

struct TradeoffData
{
    std::vector<TradeoffPoint> points;
    QString throughputUnit;
    bool overMemory = false;                          ///< throughput against peak memory, not against latency
    bool line = true;                                 ///< the front is drawn as a line
    std::optional<double> most;                       ///< the goal's bound on the x axis, drawn as a rule
    std::function<QString(model::TrialId)> command{}; ///< the command line that measures a point again
};

/// Latency or peak memory (log) against throughput.
///
/// * Shape and colour show the precision. With several engines the colour shows the precision and the shape the engine.
/// * Thin crosses are the intervals.
/// * The step line joins the points that no other point beats significantly. Points on it whose difference is not
///   significant are drawn as one group: tied together, and one step of the line.
class TradeoffPlot : public QWidget
{
    Q_OBJECT
public:
    explicit TradeoffPlot(QWidget* parent = nullptr);

    void setData(TradeoffData content);
    void setSelected(model::TrialId trial);
    /// The legend, for the title row of the panel around the plot.
    controls::LegendRow* legend() const { return m_legend; }
    ChartView* chart() const { return m_chart; }

Q_SIGNALS:
    void trialClicked(apertune::model::TrialId trial); ///< an empty id when there is no point
    void trialActivated(apertune::model::TrialId trial);

private:
    void rebuild();

    TradeoffData m_data;
    ChartView* m_chart = nullptr;
    controls::LegendRow* m_legend = nullptr;
};

} // namespace apertune::plots
