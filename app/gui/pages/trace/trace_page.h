// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/page.h"
#include "core/timeline/timeline.h"

#include <QPointer>
#include <QStringList>

#include <optional>
#include <vector>

class QProgressBar;
class QPushButton;
class QStackedLayout;

namespace apertune::controls {
class EmptyState;
class Label;
class Panel;
class TabRow;
} // namespace apertune::controls
namespace apertune::tables {
class LeanTable;
class TextTableModel;
} // namespace apertune::tables

namespace apertune::gui {

class TimelineTab;

/// A recording of the hardware's work. One time filter, shown as a chip beside the tabs, applies to all of them.
/// Without a filter, figures of the report are those of the steady iterations.
class TracePage final : public Page
{
    Q_OBJECT
public:
    TracePage(AppContext& context, QWidget* parent);

    QString title() const override;
    QString facts() const override;
    void setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot) override;
    bool isReady() const override;
    void cancelOrClear() override;

    TimelineTab* timelineTab() const { return m_timeline; }

private:
    QWidget* makeWelcome();
    QWidget* makeLoading();
    QWidget* makeContent();
    /// `main` is the widget of the part that takes the focus after a click on its tab.
    void addPart(const QString& name, const QString& text, const QString& toolTip, QWidget* part, QWidget* main);
    void showPart(QWidget* part);
    void showTimeline();
    void stepPart(int by);
    void goBack();
    void restoreFocus();
    void showWayBack();
    void follow();
    void showFilter();
    void readStored();
    void choose(bool choosing);

    QStackedLayout* m_stack = nullptr;
    QWidget* m_welcome = nullptr;
    QWidget* m_loading = nullptr;
    QWidget* m_content = nullptr;
    controls::EmptyState* m_empty = nullptr;
    controls::Panel* m_storedPanel = nullptr;
    tables::TextTableModel* m_stored = nullptr;
    tables::LeanTable* m_storedTable = nullptr;
    controls::Label* m_loadingText = nullptr;
    QProgressBar* m_progress = nullptr;
    controls::TabRow* m_tabs = nullptr;
    QStackedLayout* m_parts = nullptr;
    QStringList m_partNames;       ///< names for --tab
    std::vector<QWidget*> m_mains; ///< see addPart()
    /// The tab whose row or button led to the timeline, and its state then; −1: none.
    int m_cameFrom = -1;
    std::optional<trace::TimeRange> m_filterBefore;
    QPointer<QWidget> m_focusBefore;
    QString m_focusName; ///< name of the focused button, for cards that are made again
    QPushButton* m_wayBack = nullptr;
    QPushButton* m_chip = nullptr;
    controls::Label* m_losses = nullptr;
    TimelineTab* m_timeline = nullptr;
    QAction* m_others = nullptr;
    bool m_choosing = false;                     ///< the list of traces is shown over an open trace
    std::optional<std::int64_t> m_storedVersion; ///< version of the workspace whose traces are listed
};

} // namespace apertune::gui
