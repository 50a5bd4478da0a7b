// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/app_context.h"
#include "widgets/trace_views/event_table_model.h"

#include <QTimer>
#include <QWidget>

namespace apertune::controls {
class Label;
class SearchField;
} // namespace apertune::controls
namespace apertune::tables {
class LeanTable;
}

namespace apertune::gui {

/// The timeline as a table: each event of the filter's range is a row. Enter leads to the event in the timeline. GUI
/// thread.
class EventsTab : public QWidget
{
    Q_OBJECT
public:
    EventsTab(AppContext& context, QWidget* parent);

    tables::LeanTable* table() const { return m_table; }
    /// Lists the events whose names fit the pattern (trace_views::findNames).
    void find(const QString& pattern);

Q_SIGNALS:
    void eventChosen(apertune::timeline::EventRef event);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void show(const trace_views::EventListPtr& list);

    AppContext& m_context;
    timeline::TimelinePtr m_timeline; ///< the trace whose events the table lists
    std::optional<trace::TimeRange> m_range;
    QString m_pattern;
    controls::SearchField* m_find = nullptr;
    controls::Label* m_summary = nullptr;
    trace_views::EventTableModel* m_model = nullptr;
    tables::LeanTable* m_table = nullptr;
    QTimer m_typing;
};

} // namespace apertune::gui
