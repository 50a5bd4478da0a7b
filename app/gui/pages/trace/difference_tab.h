// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/presenters/difference_view.h"
#include "app/gui/session/app_context.h"

#include <QWidget>

#include <array>
#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QLayout;
class QPushButton;
class QScrollArea;
class QStackedLayout;

namespace apertune::controls {
class Chip;
class CommandLine;
class EmptyState;
class Label;
class Panel;
} // namespace apertune::controls
namespace apertune::trace_views {
class FlameGraph;
}
namespace apertune::tables {
class LeanTable;
} // namespace apertune::tables

namespace apertune::gui {

/// Where the difference to another trace of the workspace comes from: the open trace is B, the chosen one A. GUI
/// thread.
class DifferenceTab : public QWidget
{
    Q_OBJECT
public:
    DifferenceTab(AppContext& context, QWidget* parent);

    tables::LeanTable* table() const { return m_parts.table; } ///< the parts

protected:
    void showEvent(QShowEvent* event) override;

private:
    static constexpr std::size_t kFurther = 2;
    /// One way to divide the difference, as a table behind a chip.
    struct Division
    {
        controls::Chip* chip = nullptr;
        tables::LeanTable* table = nullptr;
        std::unique_ptr<tables::TextTableModel> model{};
    };
    void addDivision(Division& division, controls::Panel* panel, const QString& text, const QString& accessible);
    void fill(Division& division, const std::vector<tables::TextTableModel::Column>& columns,
              const std::vector<tables::TextTableModel::Row>& rows, int elastic);

    QWidget* makeContent();
    QWidget* makeTables(QWidget* parent);
    void readTraces();
    void offer(const std::vector<store::TraceSummary>& traces);
    void compare();
    void makeFurther(QLayout* row);
    void addFurther();
    std::vector<store::TraceSummary> chosenFurther() const;
    void show(const std::shared_ptr<const DifferenceView>& view);
    void showInstead(const QString& title, const QString& text);
    void showDivision();
    void addFlame(controls::Panel* panel);
    void showFlameFacts();

    AppContext& m_context;
    trace::TracePtr m_trace;                   ///< the open trace that `m_others` belongs to
    std::optional<store::TraceSummary> m_own;  ///< the open trace in the workspace
    std::vector<store::TraceSummary> m_others; ///< entries of `m_pick`, in its order
    QComboBox* m_pick = nullptr;
    std::array<QComboBox*, kFurther>
        m_further{};              ///< traces that are compared with A beside the open one; entry 0: none
    QPushButton* m_add = nullptr; ///< shows the next of them
    controls::Label* m_headline = nullptr;
    controls::Label* m_remarks = nullptr;
    QStackedLayout* m_stack = nullptr;
    controls::EmptyState* m_empty = nullptr;
    QWidget* m_tables = nullptr;
    plots::WaterfallPlot* m_waterfall = nullptr;
    Division m_parts, m_layers, m_allocations, m_sides;
    controls::Label* m_peaks = nullptr;
    controls::Chip* m_flameChip = nullptr;
    trace_views::FlameGraph* m_flame = nullptr;
    QScrollArea* m_flameScroll = nullptr;
    controls::Label* m_flameFacts = nullptr; ///< the box that is selected in the flame graph
    controls::CommandLine* m_command = nullptr;
};

} // namespace apertune::gui
