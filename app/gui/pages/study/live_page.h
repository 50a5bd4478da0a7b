// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/page.h"
#include "widgets/controls/figure.h"

class QProgressBar;
class QPushButton;
class QStackedLayout;

namespace apertune::controls {
class Chip;
class EmptyState;
class Label;
} // namespace apertune::controls
namespace apertune::plots {
class HeatMap;
class ProgressPlot;
class TradeoffPlot;
} // namespace apertune::plots
namespace apertune::tables {
class LeanTable;
class TextTableModel;
class TrialTableView;
} // namespace apertune::tables

namespace apertune::gui {

/// A sweep while it runs: progress with an estimate, the current configuration, the grid and the plots as they fill,
/// failures as rows, and the events.
class LivePage final : public Page
{
    Q_OBJECT
public:
    LivePage(AppContext& context, QWidget* parent);

    QString title() const override;
    QString facts() const override;
    void setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot) override;
    bool isReady() const override;

private:
    QWidget* makeContent();
    QWidget* makeNext(QWidget* parent);
    void showNext(bool active);
    /// The snapshot, but nothing while a job runs that has no study yet: then it is that of the study before.
    const model::StudySnapshot* current() const;
    void showTrials();
    void refreshProgress();
    void refreshEvents();
    bool hasAnything() const;

    std::shared_ptr<const model::StudySnapshot> m_snapshot;
    const model::StudySnapshot* m_shown = nullptr; ///< the snapshot that the plots and the table show; only compared
    QStackedLayout* m_stack = nullptr;
    controls::EmptyState* m_empty = nullptr;
    controls::Label* m_headline = nullptr;
    controls::Label* m_detail = nullptr;
    QProgressBar* m_bar = nullptr;
    QWidget* m_next = nullptr; ///< advice on the result of a sweep that has ended
    controls::Label* m_result = nullptr;
    controls::Figure m_figure; ///< throughput of the recommendation
    QPushButton* m_export = nullptr;
    QPushButton* m_trace = nullptr;
    QPushButton* m_again = nullptr;
    plots::ProgressPlot* m_best = nullptr;
    plots::TradeoffPlot* m_plot = nullptr;
    plots::HeatMap* m_heat = nullptr;
    tables::TrialTableView* m_table = nullptr;
    tables::TextTableModel* m_events = nullptr;
    tables::LeanTable* m_eventTable = nullptr;
    controls::Chip* m_failuresOnly = nullptr;
    QAction* m_stopAfter = nullptr;
    QAction* m_stopNow = nullptr;
};

} // namespace apertune::gui
