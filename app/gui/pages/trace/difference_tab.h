// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/presenters/difference_view.h"
#include "app/gui/session/app_context.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QStackedLayout;

namespace apertune::controls {
class CommandLine;
class EmptyState;
class Label;
} // namespace apertune::controls
namespace apertune::tables {
class LeanTable;
class TextTableModel;
} // namespace apertune::tables

namespace apertune::gui {

/// Where the difference to another trace of the workspace comes from: the open trace is B, the chosen one A. GUI
/// thread.
class DifferenceTab : public QWidget
{
    Q_OBJECT
public:
    DifferenceTab(AppContext& context, QWidget* parent);

    tables::LeanTable* table() const { return m_partTable; } ///< the parts

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeTables();
    void readTraces();
    void offer(const std::vector<store::TraceSummary>& traces);
    void compare();
    void show(const std::shared_ptr<const DifferenceView>& view);
    void showInstead(const QString& title, const QString& text);

    AppContext& m_context;
    trace::TracePtr m_trace;                   ///< the open trace that `m_others` belongs to
    std::optional<store::TraceSummary> m_own;  ///< the open trace in the workspace
    std::vector<store::TraceSummary> m_others; ///< entries of `m_pick`, in its order
    QComboBox* m_pick = nullptr;
    controls::Label* m_headline = nullptr;
    controls::Label* m_remarks = nullptr;
    QStackedLayout* m_stack = nullptr;
    controls::EmptyState* m_empty = nullptr;
    QWidget* m_tables = nullptr;
    std::unique_ptr<tables::TextTableModel> m_steps;
    std::unique_ptr<tables::TextTableModel> m_parts;
    tables::LeanTable* m_stepTable = nullptr;
    tables::LeanTable* m_partTable = nullptr;
    controls::CommandLine* m_command = nullptr;
};

} // namespace apertune::gui
