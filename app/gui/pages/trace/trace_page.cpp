// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/trace/trace_page.h"

#include "app/gui/pages/trace/bottleneck_tab.h"
#include "app/gui/pages/trace/chart_tabs.h"
#include "app/gui/pages/trace/difference_tab.h"
#include "app/gui/pages/trace/events_tab.h"
#include "app/gui/pages/trace/flame_tab.h"
#include "app/gui/pages/trace/names_tab.h"
#include "app/gui/pages/trace/table_tab.h"
#include "app/gui/pages/trace/timeline_tab.h"
#include "app/gui/pages/trace/what_if_tab.h"
#include "app/gui/presenters/selection_view.h"
#include "app/gui/session/shortcuts.h"
#include "widgets/controls/empty_state.h"
#include "widgets/controls/panel.h"
#include "widgets/controls/tab_row.h"
#include "widgets/plots/chart_view.h"
#include "widgets/tables/lean_table.h"
#include "widgets/tables/text_table_model.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"
#include "widgets/theme/icons.h"
#include "widgets/timeline/timeline_widget.h"
#include "widgets/trace_views/flame_graph.h"
#include "widgets/trace_views/trace_labels.h"

#include <QAction>
#include <QApplication>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QShortcut>
#include <QStackedLayout>

#include <utility>

namespace apertune::gui {

using controls::Label;
using controls::Panel;
using controls::Tone;

PageSpec tracePage()
{
    return {PageId::trace, QT_TRANSLATE_NOOP("apertune::gui", "Trace"), "trace", Qt::CTRL | Qt::Key_7,
            makePage<TracePage>};
}

TracePage::TracePage(AppContext& context, QWidget* parent) : Page(context, PageId::trace, parent)
{
    m_stack = new QStackedLayout(this);
    m_welcome = makeWelcome();
    m_loading = makeLoading();
    m_content = makeContent();
    m_stack->addWidget(m_welcome);
    m_stack->addWidget(m_loading);
    m_stack->addWidget(m_content);
    m_others = addHeaderAction(tr("All traces"), false);
    m_others->setToolTip(tr("The traces of this workspace; Esc comes back"));
    connect(m_others, &QAction::triggered, this, [this] { choose(!m_choosing); });
    QAction* open = addHeaderAction(tr("Open trace"), false);
    open->setToolTip(tr("A recording of the PyTorch profiler, of Nsight Systems or of this program (Ctrl+Shift+O)"));
    connect(open, &QAction::triggered, this, [this] { this->context().chooseTrace(); });
    connect(&context.traces, &TraceSession::changed, this, &TracePage::follow);
    connect(&context.traces, &TraceSession::filterChanged, this, &TracePage::showFilter);
    connect(&context.traces, &TraceSession::statisticsChanged, this, &TracePage::showFilter);
    // A hidden page reads the list when it is shown.
    connect(&context.session, &Session::workspaceChanged, this, [this] {
        if (isVisible())
            readStored();
    });
    follow();
    showFilter();
}

QWidget* TracePage::makeWelcome()
{
    auto* welcome = new QWidget(this);
    auto* layout = new QVBoxLayout(welcome);
    layout->setContentsMargins(16, 0, 16, 12);
    layout->setSpacing(12);
    m_empty = new controls::EmptyState(QStringLiteral("trace"), welcome);
    connect(m_empty, &controls::EmptyState::activated, this, [this] { context().chooseTrace(); });
    layout->addWidget(m_empty, 2);
    m_storedPanel = new Panel(tr("Traces in this workspace"), welcome);
    m_stored = new tables::TextTableModel({{tr("Trace"), false, tr("How the command line names it")},
                                           {tr("Name")},
                                           {tr("Source")},
                                           {tr("Events"), true},
                                           {tr("Length"), true, {}, false, {tr("Length (ns)")}},
                                           {tr("Size"), true, {}, false, {tr("Size (bytes)")}},
                                           {tr("Stored"), false, {}, false, {tr("Stored (UTC)")}}},
                                          this);
    m_storedTable = new tables::LeanTable(m_storedPanel);
    m_storedTable->setModel(m_stored);
    m_storedTable->setAccessibleName(tr("Traces in this workspace"));
    m_storedPanel->setBodyMargin(0);
    m_storedPanel->body()->addWidget(m_storedTable, 1);
    m_storedPanel->hide();
    layout->addWidget(m_storedPanel, 3);
    connect(m_storedTable, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
        context().traces.openStored(context().session.file(), store::TraceId{m_stored->keyAt(index.row())},
                                    index.siblingAtColumn(1).data().toString());
    });
    return welcome;
}

QWidget* TracePage::makeLoading()
{
    auto* loading = new QWidget(this);
    auto* layout = new QVBoxLayout(loading);
    layout->addStretch(2);
    m_loadingText = new Label({}, theme::Type::heading, Tone::text, loading);
    m_loadingText->setAlignment(Qt::AlignCenter);
    m_progress = new QProgressBar(loading);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(360);
    m_progress->setAccessibleName(tr("Opening the trace"));
    auto* stop = new QPushButton(tr("Cancel"), loading);
    connect(stop, &QPushButton::clicked, this, [this] { context().traces.cancel(); });
    layout->addWidget(m_loadingText);
    layout->addSpacing(8);
    layout->addWidget(m_progress, 0, Qt::AlignHCenter);
    layout->addSpacing(8);
    layout->addWidget(stop, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    return loading;
}

QWidget* TracePage::makeContent()
{
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(16, 0, 16, 12);
    layout->setSpacing(8);
    auto* top = new QHBoxLayout;
    top->setSpacing(12);
    m_tabs = new controls::TabRow(content);
    m_chip = new QPushButton(content);
    m_chip->setIcon(theme::icon(QStringLiteral("funnel")));
    m_chip->setToolTip(tr("All parts show this range alone. Click to show everything again (Esc)."));
    connect(m_chip, &QPushButton::clicked, this, [this] { context().traces.setFilter(std::nullopt); });
    m_wayBack = new QPushButton(content);
    m_wayBack->setIcon(theme::icon(QStringLiteral("back")));
    connect(m_wayBack, &QPushButton::clicked, this, &TracePage::goBack);
    top->addWidget(m_tabs, 1);
    top->addWidget(m_wayBack);
    top->addWidget(m_chip);
    layout->addLayout(top);
    m_losses = new Label({}, theme::Type::body, Tone::warn, content);
    m_losses->setWordWrap(true);
    layout->addWidget(m_losses);
    auto* parts = new QWidget(content);
    m_parts = new QStackedLayout(parts);
    m_parts->setContentsMargins(0, 0, 0, 0);
    const auto showRange = [this](trace::TimeRange range) {
        showTimeline();
        context().traces.show(range);
    };
    auto* bottleneck = new BottleneckTab(context(), parts);
    addPart(QStringLiteral("bottleneck"), tr("Bottleneck"), tr("Causes of the time, and changes to try"), bottleneck,
            bottleneck);
    connect(bottleneck, &BottleneckTab::rangeChosen, this, showRange);
    m_timeline = new TimelineTab(context(), parts);
    addPart(QStringLiteral("timeline"), tr("Timeline"), tr("Everything that was recorded, over time"), m_timeline,
            m_timeline->timeline());
    const auto showEvent = [this](timeline::EventRef event) {
        showTimeline();
        context().traces.show(event);
    };
    auto* names = new NamesTab(context(), parts);
    addPart(QStringLiteral("kernels"), tr("Kernels"), tr("Kernels, operators and calls: what took time, by name"),
            names, names->table());
    connect(names, &NamesTab::eventChosen, this, showEvent);
    auto* flame = new FlameTab(context(), parts);
    addPart(QStringLiteral("flame"), tr("Flame graph"), tr("Operators by stack, as wide as their time"), flame,
            flame->graph());
    connect(flame, &FlameTab::eventChosen, this, showEvent);
    const auto addTable = [&](const QString& name, const QString& text, const QString& toolTip, TableTab::Make make) {
        auto* tab = new TableTab(context(), text, std::move(make), parts);
        addPart(name, text, toolTip, tab, tab->table());
        connect(tab, &TableTab::rangeChosen, this, showRange);
    };
    addTable(QStringLiteral("operators"), tr("Call tree"), tr("Operators below their callers"), operatorTable);
    auto* roofline = new RooflineTab(context(), parts);
    addPart(QStringLiteral("roofline"), tr("Roofline"), tr("Rates of operators, beside the machine's ceilings"),
            roofline, roofline->chart());
    auto* memory = new MemoryTab(context(), parts);
    addPart(QStringLiteral("memory"), tr("Memory"), tr("Bytes in use over time, and who held them at the peak"), memory,
            memory->chart());
    connect(memory, &ChartTab::rangeChosen, this, showRange);
    addTable(QStringLiteral("transfers"), tr("Transfers"), tr("Copies, and how much of them nothing hid"),
             transferTable);
    auto* difference = new DifferenceTab(context(), parts);
    addPart(QStringLiteral("difference"), tr("Difference"), tr("Where the difference to another trace comes from"),
            difference, difference->table());
    auto* whatIf = new WhatIfTab(context(), parts);
    addPart(QStringLiteral("whatif"), tr("What if"), tr("What a change would do to an iteration, before it is made"),
            whatIf, whatIf->mainWidget());
    auto* events = new EventsTab(context(), parts);
    addPart(QStringLiteral("events"), tr("Events"), tr("The timeline as a list, event by event"), events,
            events->table());
    connect(events, &EventsTab::eventChosen, this, showEvent);
    connect(&context().traces, &TraceSession::reportChanged, this, [this] {
        showFilter();
        if (const TraceReportPtr report = context().traces.report();
            // The trace marks no iterations itself, so those that the report found are shown.
            report->facts.iterations.found() && context().traces.timeline()->iterations().empty())
            m_timeline->setIterations(iterationsOf(*report));
        restoreFocus();
        Q_EMIT headerChanged();
    });
    connect(m_timeline, &TimelineTab::nameWanted, this, [this, names](timeline::EventRef event) {
        const timeline::Timeline& timeline = *context().traces.timeline();
        showPart(names);
        names->choose(timeline.rows()[event.row].kind, {timeline.columns(event).name[event.event]});
    });
    connect(m_timeline, &TimelineTab::eventsWanted, this, [this, events](const QString& pattern) {
        showPart(events);
        events->find(pattern);
    });
    connect(m_tabs, &controls::TabRow::chosen, this, [this](int part) {
        m_parts->setCurrentIndex(part);
        showWayBack();
    });
    connect(m_tabs, &controls::TabRow::pointed, this, [this] { showPart(m_parts->currentWidget()); });
    const auto on = [this, content](WindowAction action, auto run) {
        connect(makeShortcut(action, content), &QShortcut::activated, this, run);
    };
    on(WindowAction::nextPart, [this] { stepPart(1); });
    on(WindowAction::previousPart, [this] { stepPart(-1); });
    on(WindowAction::back, [this] { goBack(); });
    showWayBack();
    layout->addWidget(parts, 1);
    return content;
}

/// Goes to a part from another one.
void TracePage::showPart(QWidget* part)
{
    m_tabs->setCurrent(m_parts->indexOf(part));
    m_mains[static_cast<std::size_t>(m_parts->currentIndex())]->setFocus(Qt::OtherFocusReason);
}

void TracePage::addPart(const QString& name, const QString& text, const QString& toolTip, QWidget* part, QWidget* main)
{
    m_partNames << name;
    m_mains.push_back(main);
    m_parts->addWidget(part);
    m_tabs->addTab(text, toolTip);
}

/// Goes to the timeline from the row or button of another tab, and keeps the way back to it.
void TracePage::showTimeline()
{
    if (m_parts->currentWidget() != m_timeline) {
        // The way back leads to the part, the range and the widget that the user came from.
        QWidget* focused = QApplication::focusWidget();
        const bool within = focused && m_parts->currentWidget()->isAncestorOf(focused);
        m_cameFrom = m_parts->currentIndex();
        m_filterBefore = context().traces.filter();
        m_focusBefore = within ? focused : nullptr;
        m_focusName = within ? focused->objectName() : QString();
    }
    showPart(m_timeline);
}

/// Returns to the tab that led to the timeline, with its filter, and gives the focus to the row or button.
void TracePage::goBack()
{
    if (m_cameFrom < 0 || m_parts->currentWidget() != m_timeline)
        return;
    const int part = std::exchange(m_cameFrom, -1);
    context().traces.setFilter(m_filterBefore);
    m_tabs->setCurrent(part);
    m_tabs->focusCurrent();
    restoreFocus();
}

/// Restores the focus. Cards are made with the report, after the filter, so until then the focus is on the tab.
void TracePage::restoreFocus()
{
    QWidget* shown = m_parts->currentWidget();
    if (shown == m_timeline || !m_tabs->isAncestorOf(QApplication::focusWidget()))
        return;
    QWidget* again = m_focusBefore;
    if (!again && !m_focusName.isEmpty())
        // The widget may have been rebuilt meanwhile; its name finds its successor.
        again = shown->findChild<QWidget*>(m_focusName);
    if (again && again->isVisible() && shown->isAncestorOf(again)) {
        again->setFocus(Qt::ShortcutFocusReason);
        m_focusBefore.clear();
        m_focusName.clear();
    }
}

void TracePage::showWayBack()
{
    m_wayBack->setVisible(m_cameFrom >= 0 && m_parts->currentWidget() == m_timeline);
    if (m_cameFrom >= 0) {
        m_wayBack->setText(m_tabs->text(m_cameFrom));
        m_wayBack->setAccessibleName(tr("Back to %1").arg(m_tabs->text(m_cameFrom)));
        m_wayBack->setToolTip(tr("Back to %1, as you left it (%2)")
                                  .arg(m_tabs->text(m_cameFrom), keysText(windowKey(WindowAction::back))));
    }
}

void TracePage::stepPart(int by)
{
    const int count = m_parts->count();
    m_tabs->setCurrent((m_parts->currentIndex() + by + count) % count);
    m_tabs->focusCurrent();
}

QString TracePage::title() const
{
    const TraceSession& traces = context().traces;
    return traces.phase() == TraceSession::Phase::none ? tr("Trace") : traces.name();
}

QString TracePage::facts() const
{
    const TraceSession& traces = context().traces;
    return traces.phase() == TraceSession::Phase::ready && traces.timeline() ? traceFacts(*traces.timeline())
                                                                             : QString();
}

void TracePage::setSnapshot(std::shared_ptr<const model::StudySnapshot>)
{
    readStored();
}

bool TracePage::isReady() const
{
    return context().traces.isSettled();
}

void TracePage::choose(bool choosing)
{
    m_choosing = choosing;
    if (choosing)
        readStored();
    follow();
}

void TracePage::cancelOrClear()
{
    // Esc takes back the innermost state first: the list, then the opening, then what is chosen in the timeline.
    if (m_choosing) {
        choose(false);
        return;
    }
    TraceSession& traces = context().traces;
    if (traces.phase() == TraceSession::Phase::loading)
        traces.cancel();
    else if (m_parts->currentWidget() != m_timeline || !m_timeline->clearSomething())
        traces.setFilter(std::nullopt);
}

void TracePage::follow()
{
    const TraceSession& traces = context().traces;
    m_choosing = m_choosing && traces.phase() == TraceSession::Phase::ready;
    m_others->setEnabled(traces.phase() == TraceSession::Phase::ready);
    switch (traces.phase()) {
    case TraceSession::Phase::none:
        m_empty->setContent(
            tr("No trace open"),
            tr("This page shows what the hardware did, event by event: kernels, copies, operators, memory "
               "and counters on one time axis. Trace a trial, or open a recording: of the PyTorch profiler "
               "(.json, .json.gz) or exported by Nsight Systems (.sqlite). Dropping it on the window does the same."),
            tr("Open trace"));
        m_stack->setCurrentWidget(m_welcome);
        break;
    case TraceSession::Phase::failed:
        m_empty->setContent(tr("%1 cannot be opened").arg(traces.name()), theme::fromCore(traces.error()),
                            tr("Open another trace"));
        m_stack->setCurrentWidget(m_welcome);
        break;
    case TraceSession::Phase::loading:
        m_cameFrom = -1; // it belonged to the former trace
        m_loadingText->setText(traces.step().isEmpty() ? tr("Opening %1 …").arg(traces.name())
                                                       : tr("Recording %1: %2 …").arg(traces.name(), traces.step()));
        m_progress->setVisible(traces.step().isEmpty()); // the duration of a capture is unknown
        m_progress->setValue(static_cast<int>(traces.progress() * 1000));
        m_stack->setCurrentWidget(m_loading);
        break;
    case TraceSession::Phase::ready: {
        if (m_choosing) {
            m_empty->setContent(tr("Another trace"),
                                tr("Choose one of this workspace, or open a recording: of the PyTorch profiler "
                                   "(.json, .json.gz) or exported by Nsight Systems (.sqlite). Esc comes back to %1.")
                                    .arg(traces.name()),
                                tr("Open trace"));
            m_stack->setCurrentWidget(m_welcome);
            break;
        }
        QStringList remarks{lossText(traces.timeline()->trace())};
        if (traces.noCounters())
            remarks << tr("Without hardware counters: %1").arg(theme::fromCore(*traces.noCounters()));
        remarks.removeAll(QString());
        m_losses->setText(remarks.join(QLatin1Char('\n')));
        m_losses->setVisible(!remarks.isEmpty());
        m_stack->setCurrentWidget(m_content);
        if (const qsizetype part = m_partNames.indexOf(traces.wantedTab()); part >= 0)
            m_tabs->setCurrent(static_cast<int>(part));
        context().traces.wantTab({}); // the wish holds once
        break;
    }
    }
    Q_EMIT headerChanged();
}

void TracePage::showFilter()
{
    const auto& filter = context().traces.filter();
    m_chip->setVisible(filter.has_value());
    if (filter) {
        m_chip->setText(context().traces.isCurrent() ? tr("%1  ×").arg(filterText(*filter))
                                                     : tr("%1  …").arg(filterText(*filter)));
        m_chip->setAccessibleName(tr("Time filter: %1. Press to remove it.").arg(filterText(*filter)));
    }
}

void TracePage::readStored()
{
    const Session& session = context().session;
    // The list is read again only when the workspace changed.
    if (!session.workspaceExists() || !session.isLoaded() || session.version() == m_storedVersion)
        return;
    m_storedVersion = session.version();
    context().tasks.start(
        this, QStringLiteral("stored"),
        [gateway = context().traceGateway, file = session.file()](const TaskRunner::Scope&) {
            return gateway->traces(file);
        },
        [this](base::Result<std::vector<store::TraceSummary>> traces) {
            std::vector<tables::TextTableModel::Row> rows;
            const QDateTime now = QDateTime::currentDateTimeUtc();
            if (traces) {
                for (const store::TraceSummary& trace : *traces) {
                    const std::int64_t length = (trace.end - trace.begin).count;
                    tables::TextTableModel::Row row;
                    row.key = trace.id.value;
                    tables::TextTableModel::Cell id{QStringLiteral("tr%1").arg(trace.id.value)};
                    id.order = QVariant(static_cast<qlonglong>(trace.id.value));
                    row.cells = {id,
                                 {theme::toQt(trace.name)},
                                 {theme::toQt(trace.source), QVariant(), Tone::secondary},
                                 {theme::count(trace.events), QVariant(static_cast<qlonglong>(trace.events))},
                                 {trace_views::timeWord(length), QVariant(static_cast<qlonglong>(length))},
                                 {theme::bytes(trace.stored), QVariant(static_cast<qlonglong>(trace.stored.count))},
                                 {theme::relativeTime(theme::parseUtc(trace.createdUtc), now),
                                  theme::toQt(trace.createdUtc), Tone::secondary}};
                    rows.push_back(std::move(row));
                }
            }
            m_storedPanel->setVisible(!rows.empty());
            m_stored->setRows(std::move(rows));
            m_storedTable->fitColumns();
        });
}

} // namespace apertune::gui
