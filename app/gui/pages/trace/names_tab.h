// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/app_context.h"
#include "widgets/tables/text_table_model.h"

#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

class QPushButton;

namespace apertune::controls {
class Chip;
class FactList;
class Label;
class SearchField;
} // namespace apertune::controls
namespace apertune::plots {
class ChartView;
}
namespace apertune::tables {
class LeanTable;
} // namespace apertune::tables

namespace apertune::gui {

/// Kernels, operators and calls of the range, grouped by name. The selected name shows its durations and a button for
/// its longest event in the timeline. GUI thread.
class NamesTab : public QWidget
{
    Q_OBJECT
public:
    NamesTab(AppContext& context, QWidget* parent);

    tables::LeanTable* table() const { return m_table; }
    /// Chooses a name, and shows its row whatever was filtered before.
    void choose(trace::EventKind kind, trace::StringId name);

Q_SIGNALS:
    /// The user asked to see an event in the timeline.
    void eventChosen(apertune::timeline::EventRef event);

private:
    enum class Where { device, host, all };
    QWidget* makeDetail();
    void refresh();
    void showColumns(const std::vector<tables::TextTableModel::Row>& rows);
    void showChosen();
    void showDurations(const timeline::NameStatistics& name, std::vector<double> nanoseconds);
    const timeline::NameStatistics* chosen() const;

    AppContext& m_context;
    timeline::TimelinePtr m_seen;
    Where m_where = Where::all;
    std::optional<std::pair<trace::EventKind, trace::StringId>> m_choice;
    std::vector<controls::Chip*> m_chips;
    controls::SearchField* m_filter = nullptr;
    tables::TextTableModel* m_names = nullptr;
    tables::LeanTable* m_table = nullptr;
    controls::Label* m_title = nullptr;
    plots::ChartView* m_chart = nullptr;
    controls::FactList* m_facts = nullptr;
    QPushButton* m_show = nullptr;
};

} // namespace apertune::gui
