// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/measurement.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace apertune::plots {

class ChartView;

/// The distribution of the times of a trial's single passes.
class DistributionPlot : public QWidget
{
    Q_OBJECT
public:
    enum class Mode { histogram, cumulative };

    explicit DistributionPlot(QWidget* parent = nullptr);
    void setMeasurement(const model::Measurement& measurement);
    void setMode(Mode mode);
    ChartView* chart() const { return m_chart; }
    /// Returns a note such as "2 of 480 passes took longer than shown"; empty when all are shown.
    QString note() const { return m_note; }

Q_SIGNALS:
    void noteChanged(const QString& note);

private:
    void rebuild();

    std::vector<double> m_ms;
    double m_medianMs = 0;
    std::optional<double> m_p90, m_p99;
    Mode m_mode = Mode::histogram;
    QString m_note;
    ChartView* m_chart = nullptr;
};

/// The timing blocks of a trial in the order of time, with the median and its interval. It shows drift and steps.
class BlocksPlot : public QWidget
{
    Q_OBJECT
public:
    explicit BlocksPlot(QWidget* parent = nullptr);
    void setMeasurement(const model::Measurement& measurement);
    ChartView* chart() const { return m_chart; }

private:
    void rebuild();

    std::vector<model::Block> m_blocks;
    model::Interval m_latencyMs;
    ChartView* m_chart = nullptr;
};

/// The best value after each finished trial of a sweep, as a step line over the trials themselves.
class ProgressPlot : public QWidget
{
    Q_OBJECT
public:
    struct Step
    {
        qint64 trial = 0;
        double value = 0;
        double best = 0; ///< the best value so far; 0: no trial is eligible yet
        QString toolTip;
    };

    explicit ProgressPlot(QWidget* parent = nullptr);
    void setSteps(std::vector<Step> steps, int planned, const QString& unit);
    ChartView* chart() const { return m_chart; }

Q_SIGNALS:
    void trialClicked(qint64 trial);

private:
    void rebuild();

    std::vector<Step> m_steps;
    int m_planned = 0;
    QString m_unit;
    ChartView* m_chart = nullptr;
};

} // namespace apertune::plots
