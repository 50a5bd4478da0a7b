// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/page.h"
#include "widgets/tables/text_table_model.h"

#include <array>

class QCheckBox;
class QPlainTextEdit;
class QPushButton;
class QStackedLayout;
class QStackedWidget;

namespace apertune::controls {
class CommandLine;
class EmptyState;
class FactList;
class KpiCard;
class Label;
class Panel;
} // namespace apertune::controls
namespace apertune::plots {
class BlocksPlot;
class DistributionPlot;
} // namespace apertune::plots
namespace apertune::tables {
class LeanTable;
} // namespace apertune::tables
namespace apertune::trace_views {
class ShareBar;
}

namespace apertune::gui {

class LoadSection;

/// One trial: its numbers with their origin, the switches in effect, and the command line that measures it again.
class TrialPage final : public Page
{
    Q_OBJECT
public:
    TrialPage(AppContext& context, QWidget* parent);

    QString title() const override;
    QString facts() const override;
    void setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot) override;
    bool isReady() const override;

private:
    /// A panel with a table that is hidden while it has no rows.
    struct TableSection
    {
        controls::Panel* panel = nullptr;
        controls::Label* note = nullptr;
        tables::TextTableModel* model = nullptr;
        tables::LeanTable* table = nullptr;
    };
    QWidget* makeContent();
    QWidget* makePlots();
    QWidget* makeFailure();
    void refresh();
    void findTrace(model::TrialId trial);
    void record();
    void offerExtent(const model::Trial& trial);
    /// Reads the stored results of one kind for the selected trial, and shows them. Shows nothing where the workspace
    /// cannot be read.
    template <typename Kept>
    using KeptOf = base::Result<std::vector<Kept>> (StudyGateway::*)(const std::filesystem::path&, model::TrialId);
    template <typename Kept, typename Show>
    void find(const QString& lane, KeptOf<Kept> kept, Show show);
    void findLoads();
    void findEvaluations();
    void findStages();
    static void fill(TableSection& section, std::vector<tables::TextTableModel::Row> rows, const QString& note);
    controls::Panel* makeStages();
    void step(int direction);

    std::shared_ptr<const model::StudySnapshot> m_snapshot;
    QString m_title;
    QString m_facts;
    QStackedLayout* m_stack = nullptr;
    controls::EmptyState* m_empty = nullptr;
    QStackedWidget* m_result = nullptr;
    std::array<controls::KpiCard*, 4> m_cards{};
    controls::Label* m_warning = nullptr;
    plots::DistributionPlot* m_distribution = nullptr;
    plots::BlocksPlot* m_blocks = nullptr;
    tables::TextTableModel* m_switches = nullptr;
    tables::LeanTable* m_switchTable = nullptr;
    controls::Panel* m_switchPanel = nullptr; ///< hidden for imported trials
    TableSection m_stated;                    ///< facts that the file of another tool states
    QWidget* m_charts = nullptr;
    controls::Label* m_noPasses = nullptr;   ///< stands in place of the charts of a trial without single passes
    QWidget* m_againRow = nullptr;           ///< hidden for trials that cannot be run here
    controls::Panel* m_stagePanel = nullptr; ///< hidden if the trial has no pipeline runs
    trace_views::ShareBar* m_stageBar = nullptr;
    controls::Label* m_stageRate = nullptr;
    controls::Label* m_stageText = nullptr;
    TableSection m_accuracy;
    TableSection m_layers;
    LoadSection* m_loads = nullptr;
    controls::Panel* m_timingPanel = nullptr;
    controls::Panel* m_qualityPanel = nullptr;
    controls::FactList* m_timing = nullptr;
    controls::FactList* m_quality = nullptr;
    controls::FactList* m_environment = nullptr;
    controls::Label* m_failureTitle = nullptr;
    controls::Label* m_failureText = nullptr;
    QPlainTextEdit* m_failureLog = nullptr;
    controls::CommandLine* m_command = nullptr;
    QPushButton* m_openTrace = nullptr;
    QPushButton* m_record = nullptr;
    QCheckBox* m_counters = nullptr; ///< whether a recording also reads hardware counters
    QCheckBox* m_graphs = nullptr;   ///< whether a recording takes CUDA graphs as whole launches
    store::TraceId m_trace{};        ///< the newest trace of the trial
    QAction* m_traceIt = nullptr;
    QAction* m_export = nullptr;
    QAction* m_compare = nullptr;
};

} // namespace apertune::gui
