// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/presenters/study_findings_view.h"
#include "app/gui/session/page.h"

#include <array>

class QMenu;
class QStackedLayout;

namespace apertune::controls {
class Chip;
class EmptyState;
class KpiCard;
class Label;
class Panel;
class SearchField;
} // namespace apertune::controls
namespace apertune::plots {
class HeatMap;
class TradeoffPlot;
} // namespace apertune::plots
namespace apertune::tables {
class TrialTableView;
}

namespace apertune::gui {

class FindingsSection;

/// The page that says which configuration is best, by how much and how surely: figures of the recommendation, the
/// trade-off plot, the heat map and the table. All show the same selected trial. What rules find in the study takes the
/// place of the table.
class TradeoffsPage final : public Page
{
    Q_OBJECT
public:
    TradeoffsPage(AppContext& context, QWidget* parent);

    QString title() const override;
    QString facts() const override;
    void setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot) override;
    bool isReady() const override;
    void cancelOrClear() override;
    void setFilter(const QString& text) override;

private:
    QWidget* makeContent();
    QWidget* makeLower(QWidget* parent);
    void showLower();
    void addBaselineMenu(QMenu* menu, int row);
    void changeBaseline(model::TrialId trial, bool starred);
    void presentFindings(std::shared_ptr<const StudyFindingsView> view);
    void showTrial(model::TrialId trial);
    void showSelection(model::TrialId trial);
    void refreshCount();
    void refreshAgain();

    std::shared_ptr<const model::StudySnapshot> m_snapshot;
    QStackedLayout* m_stack = nullptr;
    controls::EmptyState* m_empty = nullptr;
    std::array<controls::KpiCard*, 4> m_cards{};
    controls::Label* m_shortlist = nullptr; ///< hidden where a trial is recommended
    plots::TradeoffPlot* m_plot = nullptr;
    plots::HeatMap* m_heat = nullptr;
    controls::Panel* m_plotPanel = nullptr;
    controls::Panel* m_heatPanel = nullptr;
    controls::Chip* m_trialsChip = nullptr;
    controls::Chip* m_findingsChip = nullptr;
    controls::Chip* m_skipped = nullptr;
    FindingsSection* m_findings = nullptr;
    std::shared_ptr<const StudyFindingsView> m_found; ///< null while it is computed
    tables::TrialTableView* m_table = nullptr;
    controls::SearchField* m_filter = nullptr;
    controls::Label* m_count = nullptr;
    QAction* m_again = nullptr; ///< hidden where measuring again would not make the recommendation surer
    QAction* m_compare = nullptr;
    QAction* m_export = nullptr;
};

} // namespace apertune::gui
