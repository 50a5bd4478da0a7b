// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/pages/study/comparison_side_picker.h"
#include "app/gui/pages/study/difference_section.h"
#include "app/gui/presenters/compare_view.h"
#include "app/gui/session/page.h"

#include <set>

class QStackedLayout;

namespace apertune::controls {
class Chip;
class CommandLine;
class EmptyState;
class Label;
class SearchField;
} // namespace apertune::controls
namespace apertune::tables {
class LeanTable;
}

namespace apertune::gui {

/// Compares two studies configuration by configuration, or two trials. Each row has both numbers, the speed-up with its
/// interval, and a verdict. Below are the differences between both sides, and the configurations without a partner.
class ComparePage final : public Page
{
    Q_OBJECT
public:
    ComparePage(AppContext& context, QWidget* parent);

    QString title() const override;
    QString facts() const override;
    void setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot) override;
    bool isReady() const override;
    void cancelOrClear() override;
    void setFilter(const QString& text) override;

private:
    QWidget* makeContent();
    QWidget* makeConfigurations(QWidget* parent);
    QWidget* makeDifferences(QWidget* parent);
    void refresh();
    void present(const std::shared_ptr<const CompareView>& view);
    void showFailure(const base::Error& error);
    void showRows();
    void showForest();
    void selectConfiguration(qint64 key);
    void showDifference();
    void choose(bool isBaseline, const ComparisonSide& side);
    void swapSides();
    void chooseWorkspace(bool isBaseline);
    void addWorkspace(const QString& file, bool isBaseline);

    std::shared_ptr<const CompareView> m_view;
    bool m_loading = false;
    std::vector<WorkspaceStudies> m_others; ///< workspaces that were chosen in addition to the open one
    ComparisonSide m_a, m_b;                ///< the sides that are compared now
    QStackedLayout* m_stack = nullptr;
    controls::EmptyState* m_empty = nullptr;
    ComparisonSidePicker* m_pickA = nullptr;
    ComparisonSidePicker* m_pickB = nullptr;
    controls::Label* m_problem = nullptr;
    controls::Panel* m_configurationPanel = nullptr;
    tables::TextTableModel* m_configurations = nullptr;
    tables::LeanTable* m_configurationTable = nullptr;
    controls::SearchField* m_filter = nullptr;
    std::map<stats::Verdict, controls::Chip*> m_chips;
    plots::ForestPlot* m_forest = nullptr;
    DifferenceSection* m_difference = nullptr;
    controls::Panel* m_differencePanel = nullptr;
    tables::TextTableModel* m_differences = nullptr;
    tables::LeanTable* m_differenceTable = nullptr;
    controls::Label* m_noDifference = nullptr;
    controls::Label* m_noConfiguration = nullptr; ///< reason why the table of configurations is empty, and what to do
    controls::Panel* m_onePanel = nullptr;
    tables::TextTableModel* m_oneSided = nullptr;
    tables::LeanTable* m_oneTable = nullptr;
    controls::CommandLine* m_command = nullptr;
    qint64 m_selected = 0;
    QAction* m_swap = nullptr;
};

} // namespace apertune::gui
