// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

#include <vector>

namespace apertune::plots {

class ChartView;

/// One step of a waterfall.
struct WaterfallStep
{
    QString label;
    QString value; ///< the change in words: "−1.50 [−1.62, −1.38]"
    QString brief; ///< without its interval, for a narrow plot: "−1.50"
    double change = 0;
};

/// The way from one number to another.
struct Waterfall
{
    QString unit; ///< title of the axis: "Time of an iteration, ms"
    QString from; ///< name of the first number
    QString to;
    QString fromText; ///< the first number in words
    QString toText;
    double start = 0;
    double end = 0;
    std::vector<WaterfallStep> steps; ///< their changes add up to end − start
};

/// A waterfall: the first number on top, below it one bar for each step that begins where the one before it ended, the
/// second number at the bottom. Steps that make it shorter and longer differ in colour and in the sign of their number.
/// As many steps as have room are shown one by one; the last bar holds the others. A plot that is too narrow for the
/// intervals beside the bars has them in the tool tips only. GUI thread.
class WaterfallPlot : public QWidget
{
    Q_OBJECT
public:
    explicit WaterfallPlot(QWidget* parent = nullptr);

    /// `moreLabel` names the bar of the steps without room; %1 is their number.
    void setWaterfall(Waterfall waterfall, const QString& moreLabel);
    const Waterfall& waterfall() const { return m_waterfall; }
    ChartView* chart() const { return m_chart; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    std::size_t roomForSteps() const;
    int roomForBars() const;
    void rebuild();

    Waterfall m_waterfall;
    QString m_moreLabel;
    ChartView* m_chart = nullptr;
    std::size_t m_shown = 0; ///< steps with a bar of their own
};

} // namespace apertune::plots
