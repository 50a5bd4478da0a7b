// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/trace/events_tab.h"

#include "app/gui/session/shortcuts.h"
#include "widgets/controls/panel.h"
#include "widgets/controls/search_field.h"
#include "widgets/tables/lean_table.h"
#include "widgets/theme/format.h"
#include "widgets/trace_views/name_search.h"
#include "widgets/trace_views/trace_labels.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QShortcut>

namespace apertune::gui {

using controls::Label;
using controls::Tone;
using trace_views::EventListPtr;

namespace {

const QString kList = QStringLiteral("list");
constexpr int kFilterTyping = 150; // ms to wait after the last letter

} // namespace

EventsTab::EventsTab(AppContext& context, QWidget* parent) : QWidget(parent), m_context(context)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    auto* tools = new QHBoxLayout;
    tools->setSpacing(12);
    m_find = new controls::SearchField(tr("Find events by name"), QStringLiteral("Ctrl+F"), this);
    m_find->setToolTip(tr("Words of a name, \"a whole name\" in quotes, or a /regular expression/ between slashes"));
    m_summary = new Label({}, theme::Type::body, Tone::secondary, this);
    tools->addWidget(m_find);
    tools->addWidget(m_summary, 1);
    layout->addLayout(tools);
    auto* panel = new controls::Panel({}, this);
    m_model = new trace_views::EventTableModel(this);
    m_table = new tables::LeanTable(panel);
    m_table->setModel(m_model);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(trace_views::EventTableModel::start, Qt::AscendingOrder);
    m_table->setElastic(trace_views::EventTableModel::name, 200);
    m_table->setAccessibleName(tr("Events of the timeline"));
    m_table->setAccessibleDescription(tr("One event a line. Enter shows it in the timeline."));
    panel->setBodyMargin(0);
    panel->body()->addWidget(m_table);
    layout->addWidget(panel, 1);

    m_typing.setSingleShot(true);
    m_typing.setInterval(kFilterTyping);
    connect(&m_typing, &QTimer::timeout, this, &EventsTab::refresh);
    connect(m_find, &QLineEdit::textChanged, this, [this] { m_typing.start(); });
    connect(makeShortcut(WindowAction::find, this, Qt::WidgetWithChildrenShortcut), &QShortcut::activated, m_find,
            qOverload<>(&QWidget::setFocus));
    connect(m_table, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
        if (m_timeline == m_context.traces.timeline())
            Q_EMIT eventChosen(m_model->eventAt(index.row()));
    });
    connect(&context.traces, &TraceSession::statisticsChanged, this, &EventsTab::refresh);
    connect(&context.traces, &TraceSession::changed, this, &EventsTab::refresh);
}

void EventsTab::find(const QString& pattern)
{
    m_find->setText(pattern);
    m_typing.stop();
    refresh();
}

void EventsTab::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void EventsTab::refresh()
{
    const timeline::TimelinePtr& timeline = m_context.traces.timeline();
    if (!isVisible() || !timeline)
        return;
    const trace::TimeRange extent = timeline->extent();
    // Ranges are half open. The end is moved by one so that an event that begins at the end of the trace is listed,
    // too.
    const trace::TimeRange range = m_context.traces.filter().value_or(trace::TimeRange{extent.start, extent.end + 1});
    const QString pattern = m_find->text().trimmed();
    if (timeline == m_timeline && range == m_range && pattern == m_pattern)
        return;
    m_timeline = timeline;
    m_range = range;
    m_pattern = pattern;
    m_context.tasks.start(
        this, kList,
        [timeline, range, pattern = theme::toStd(pattern)](const TaskRunner::Scope& scope) {
            return trace_views::listEvents(*timeline, range, pattern, scope.stop());
        },
        [this](const EventListPtr& list) { show(list); });
}

void EventsTab::show(const EventListPtr& list)
{
    if (!list)
        return;
    m_model->setEvents(m_timeline, list);
    m_table->fitColumns();
    const auto all = static_cast<qint64>(list->all);
    const QString count = theme::counted(all, tr("event"), tr("events"));
    m_summary->setTone(list->events.size() < list->all ? Tone::warn : Tone::secondary);
    if (const QString problem = trace_views::patternProblem(m_pattern); !problem.isEmpty())
        m_summary->setText(tr("This is no regular expression: %1.").arg(problem));
    else if (list->all == 0)
        m_summary->setText(m_pattern.isEmpty() ? tr("No event begins in the range.")
                                               : tr("No event in the range has this in its name."));
    else if (list->events.size() < list->all)
        m_summary->setText(tr("The first %1 of %2. Select a shorter range in the timeline to see others.")
                               .arg(theme::count(static_cast<qint64>(list->events.size())), count));
    else
        m_summary->setText(tr("%1. Enter, or a double click, shows one in the timeline.").arg(count));
}

} // namespace apertune::gui
