// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/app_context.h"
#include "core/analysis/flame.h"

#include <QWidget>

#include <memory>

class QHBoxLayout;
class QPushButton;
class QStackedLayout;

namespace apertune::controls {
class Chip;
class EmptyState;
class Label;
class SearchField;
} // namespace apertune::controls
namespace apertune::trace_views {
class FlameGraph;
}

namespace apertune::gui {

/// Operators by stack as a flame graph, by host time or by the device time that they caused. The graph is made when the
/// tab is first shown, and again for every range of the filter. GUI thread.
class FlameTab : public QWidget
{
    Q_OBJECT
public:
    FlameTab(AppContext& context, QWidget* parent);

    trace_views::FlameGraph* graph() const { return m_graph; }

Q_SIGNALS:
    void eventChosen(apertune::timeline::EventRef event);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeContent();
    void refresh();
    void setWeight(analysis::FlameWeight weight);
    void showPath();
    void showFacts();
    void showFound();

    AppContext& m_context;
    TraceReportPtr m_shown;
    timeline::TimelinePtr m_seen;
    analysis::FlameWeight m_weight = analysis::FlameWeight::hostTime;
    QStackedLayout* m_stack = nullptr;
    controls::EmptyState* m_empty = nullptr;
    QWidget* m_content = nullptr;
    controls::SearchField* m_find = nullptr;
    controls::Label* m_found = nullptr;
    controls::Chip* m_host = nullptr;
    controls::Chip* m_device = nullptr;
    QWidget* m_path = nullptr;
    trace_views::FlameGraph* m_graph = nullptr;
    controls::Label* m_name = nullptr;
    controls::Label* m_facts = nullptr;
    QPushButton* m_show = nullptr;
};

} // namespace apertune::gui
