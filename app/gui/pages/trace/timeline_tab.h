// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/app_context.h"
#include "core/timeline/timeline_matches.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QMenu;
class QPushButton;
class QSplitter;

namespace apertune::controls {
class Chip;
class FactList;
class Label;
class LegendRow;
class Panel;
class SearchField;
} // namespace apertune::controls
namespace apertune::tables {
class LeanTable;
class TextTableModel;
} // namespace apertune::tables
namespace apertune::timeline {
class TimelineWidget;
}

namespace apertune::gui {

/// The timeline of the open trace, with its tools above. Below it are the selected range, the chosen event, and the
/// names that took most time in the range. GUI thread.
class TimelineTab : public QWidget
{
    Q_OBJECT
public:
    TimelineTab(AppContext& context, QWidget* parent);

    timeline::TimelineWidget* timeline() const { return m_timeline; }
    void setIterations(std::vector<timeline::Iteration> iterations);
    void focusFind();
    /// Esc clears the search, then the chosen event, then the range. Returns false when there was nothing to clear.
    bool clearSomething();

Q_SIGNALS:
    /// The user asks for the table of names, with the name of this event.
    void nameWanted(apertune::timeline::EventRef event);
    /// The user asks for the list of the events that fit the pattern.
    void eventsWanted(const QString& pattern);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeTools();
    QWidget* makeDocks();
    QPushButton* makeTool(const QString& iconName, const QString& name, const QString& toolTip, QWidget* parent);
    QMenu* makeEventMenu(timeline::EventRef event);
    /// The longest event of the same kind and name in the range of the statistics.
    std::optional<timeline::EventRef> longestOfName(timeline::EventRef event) const;
    void showDocks(bool shown);
    void followTrace();
    void followStatistics();
    void followArea();
    void computeArea();
    void followEvent();
    void startSearch();
    void showMatches();
    QString matchText() const;
    void showLegend();
    void fitLegend();
    void showCounters(bool shown);

    AppContext& m_context;
    timeline::TimelinePtr m_shown;
    timeline::MatchesPtr m_matches;
    timeline::TimelineWidget* m_timeline = nullptr;
    controls::SearchField* m_find = nullptr;
    controls::Label* m_found = nullptr;
    QPushButton* m_previous = nullptr;
    QPushButton* m_next = nullptr;
    QPushButton* m_back = nullptr;
    QPushButton* m_forward = nullptr;
    QPushButton* m_fold = nullptr; ///< hides the docks
    QSplitter* m_split = nullptr;
    QWidget* m_docks = nullptr;
    controls::Chip* m_arrows = nullptr;
    controls::LegendRow* m_legend = nullptr;
    std::shared_ptr<const timeline::RangeStatistics> m_area;            ///< statistics of the selected tracks alone
    std::shared_ptr<const timeline::RangeStatistics> m_shownStatistics; ///< statistics that the docks show
    QTimer m_areaSettle; ///< delays the statistics while a drag changes the range
    controls::Panel* m_rangePanel = nullptr;
    controls::Panel* m_namesPanel = nullptr;
    controls::Panel* m_eventPanel = nullptr;
    controls::Label* m_hint = nullptr;
    QPushButton* m_allTracks = nullptr;
    controls::FactList* m_range = nullptr;
    controls::Label* m_eventName = nullptr;
    controls::FactList* m_eventLeft = nullptr;
    controls::FactList* m_eventRight = nullptr;
    tables::TextTableModel* m_names = nullptr;
    tables::LeanTable* m_nameTable = nullptr;
    controls::Panel* m_countersPanel = nullptr;
    tables::TextTableModel* m_counters = nullptr;
    tables::LeanTable* m_counterTable = nullptr;
    QTimer m_typing;
};

} // namespace apertune::gui
