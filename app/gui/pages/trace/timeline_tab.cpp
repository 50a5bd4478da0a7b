// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/trace/timeline_tab.h"

#include "app/gui/presenters/command_lines.h"
#include "app/gui/presenters/name_table.h"
#include "app/gui/presenters/selection_view.h"
#include "app/gui/presenters/trace_report.h"
#include "app/gui/session/shortcuts.h"
#include "core/timeline/timeline_matches.h"
#include "widgets/controls/chip.h"
#include "widgets/controls/fact_list.h"
#include "widgets/controls/legend_row.h"
#include "widgets/controls/panel.h"
#include "widgets/controls/search_field.h"
#include "widgets/tables/lean_table.h"
#include "widgets/tables/text_table_model.h"
#include "widgets/theme/format.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/style.h"
#include "widgets/theme/theme.h"
#include "widgets/timeline/timeline_widget.h"
#include "widgets/trace_views/name_search.h"
#include "widgets/trace_views/trace_colors.h"
#include "widgets/trace_views/trace_labels.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>

#include <algorithm>
#include <array>

namespace apertune::gui {

using controls::Label;
using controls::Panel;
using controls::Tone;

namespace {

const QString kSearch = QStringLiteral("search");
const QString kArea = QStringLiteral("area");
constexpr int kAreaSettle = 60;  // ms to wait after the last step of a drag
constexpr int kFindTyping = 120; // ms to wait after the last letter
constexpr std::size_t kLegend = 7;

} // namespace

TimelineTab::TimelineTab(AppContext& context, QWidget* parent) : QWidget(parent), m_context(context)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(makeTools());
    auto* panel = new Panel({}, this);
    m_timeline = new timeline::TimelineWidget(panel);
    panel->setBodyMargin(0);
    panel->body()->setContentsMargins(0, 0, 0, 0);
    panel->body()->addWidget(m_timeline);
    panel->setAccessibleName(tr("Timeline"));
    m_split = new QSplitter(Qt::Vertical, this);
    m_split->addWidget(panel);
    m_docks = makeDocks();
    m_split->addWidget(m_docks);
    m_split->setCollapsible(0, false);
    m_split->setStretchFactor(0, 1);
    m_split->setStretchFactor(1, 0);
    layout->addWidget(m_split, 1);

    m_typing.setSingleShot(true);
    m_typing.setInterval(kFindTyping);
    connect(&m_typing, &QTimer::timeout, this, &TimelineTab::startSearch);
    m_areaSettle.setSingleShot(true);
    m_areaSettle.setInterval(kAreaSettle);
    connect(&m_areaSettle, &QTimer::timeout, this, &TimelineTab::computeArea);
    connect(m_timeline, &timeline::TimelineWidget::areaChanged, this, &TimelineTab::followArea);
    connect(m_timeline, &timeline::TimelineWidget::selectionChanged, this,
            [this] { m_context.traces.setFilter(m_timeline->selection()); });
    connect(m_timeline, &timeline::TimelineWidget::eventChosen, this, &TimelineTab::followEvent);
    connect(m_timeline, &timeline::TimelineWidget::menuRequested, this, [this](QPoint at) {
        if (const auto event = m_timeline->chosen()) {
            QMenu* menu = makeEventMenu(*event);
            menu->setAttribute(Qt::WA_DeleteOnClose);
            menu->popup(at);
        }
    });
    connect(m_timeline, &timeline::TimelineWidget::findRequested, this, &TimelineTab::focusFind);
    connect(m_timeline, &timeline::TimelineWidget::historyChanged, this, [this] {
        m_back->setEnabled(m_timeline->canGoBack());
        m_forward->setEnabled(m_timeline->canGoForward());
    });
    TraceSession& traces = context.traces;
    connect(&traces, &TraceSession::changed, this, &TimelineTab::followTrace);
    connect(&traces, &TraceSession::statisticsChanged, this, &TimelineTab::followArea);
    // The filter may be set elsewhere, by the chip or another part, and the timeline follows it.
    connect(&traces, &TraceSession::filterChanged, this,
            [this] { m_timeline->setSelection(m_context.traces.filter()); });
    connect(&traces, &TraceSession::rangeRequested, this, [this](trace::TimeRange range) {
        m_timeline->setSelection(range);
        m_timeline->fitSelection();
    });
    connect(&traces, &TraceSession::eventRequested, this,
            [this](timeline::EventRef event) { m_timeline->choose(event); });
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, &TimelineTab::showLegend);
    followTrace();
    followStatistics();
    followEvent();
}

QPushButton* TimelineTab::makeTool(const QString& iconName, const QString& name, const QString& toolTip,
                                   QWidget* parent)
{
    auto* button = new QPushButton(parent);
    theme::setButtonKind(button, theme::ButtonKind::quiet);
    button->setIcon(theme::icon(iconName));
    button->setAccessibleName(name);
    button->setToolTip(toolTip);
    button->setFixedSize(30, 28);
    return button;
}

void TimelineTab::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitLegend();
}

void TimelineTab::fitLegend()
{
    // The legend gets the width that the search field, its result and the buttons leave. A sentence about a search that
    // found nothing takes more of it.
    constexpr int kLeastLegend = 316;
    constexpr int kResult = 160;
    const bool searching = !m_find->text().isEmpty();
    const int others =
        (m_arrows->isHidden() ? 540 : 640) + (searching ? std::max(kResult, m_found->sizeHint().width()) : 0);
    m_legend->setLongestLine(std::max(kLeastLegend, width() - others));
    m_legend->setVisible(!searching || width() - others >= kLeastLegend);
}

QWidget* TimelineTab::makeTools()
{
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    m_find = new controls::SearchField(tr("Find kernels, operators, calls"), QStringLiteral("Ctrl+F"), bar);
    m_find->setToolTip(tr("Words of a name, \"a whole name\" in quotes, or a /regular expression/ between slashes"));
    m_previous =
        makeTool(QStringLiteral("back"), tr("Previous match"), tr("Previous match (Shift+Enter, Shift+N)"), bar);
    m_next = makeTool(QStringLiteral("forward"), tr("Next match"), tr("Next match (Enter, N)"), bar);
    m_found = new Label({}, theme::Type::caption, Tone::secondary, bar);
    m_legend = new controls::LegendRow(bar);
    m_arrows = new controls::Chip(tr("Launches"), bar);
    m_arrows->setChecked(true);
    m_arrows->setToolTip(tr("Lines from calls to the device work that they launched, where few enough are in view"));
    m_back = makeTool(QStringLiteral("swap"), tr("Back"), tr("To where you looked before (Alt+Left)"), bar);
    m_back->setIcon(theme::icon(QStringLiteral("back")));
    m_forward = makeTool(QStringLiteral("forward"), tr("Forward"), tr("To where you looked next (Alt+Right)"), bar);
    auto* fit =
        makeTool(QStringLiteral("fit"), tr("Fit"), tr("Fit the selection or the event (F); everything: Home"), bar);
    row->addWidget(m_find);
    row->addWidget(m_previous);
    row->addWidget(m_next);
    row->addWidget(m_found);
    row->addStretch(1);
    row->addWidget(m_legend);
    row->addSpacing(6);
    row->addWidget(m_arrows);
    row->addWidget(m_back);
    row->addWidget(m_forward);
    row->addWidget(fit);
    m_fold =
        makeTool(QStringLiteral("chevron-down"), tr("Range and event below"),
                 tr("Hide what is known of range and event, or show it again; the edge between can be dragged"), bar);
    m_fold->setCheckable(true);
    m_fold->setChecked(true);
    row->addWidget(m_fold);
    connect(m_fold, &QPushButton::toggled, this, &TimelineTab::showDocks);
    m_previous->hide();
    m_next->hide();
    connect(m_find, &QLineEdit::textChanged, this, [this] {
        fitLegend();
        m_typing.start();
    });
    connect(m_find, &QLineEdit::returnPressed, this, [this] {
        m_timeline->stepMatch(true);
        showMatches();
    });
    connect(makeShortcut(WindowAction::previousMatch, m_find, Qt::WidgetShortcut), &QShortcut::activated, this, [this] {
        m_timeline->stepMatch(false);
        showMatches();
    });
    connect(m_previous, &QPushButton::clicked, this, [this] { m_timeline->stepMatch(false); });
    connect(m_next, &QPushButton::clicked, this, [this] { m_timeline->stepMatch(true); });
    connect(makeShortcut(WindowAction::find, this, Qt::WidgetWithChildrenShortcut), &QShortcut::activated, this,
            &TimelineTab::focusFind);
    connect(m_arrows, &QAbstractButton::toggled, this, [this](bool on) { m_timeline->setArrows(on); });
    connect(m_back, &QPushButton::clicked, this, [this] { m_timeline->goBack(); });
    connect(m_forward, &QPushButton::clicked, this, [this] { m_timeline->goForward(); });
    connect(fit, &QPushButton::clicked, this, [this] { m_timeline->fitSelection(); });
    return bar;
}

QWidget* TimelineTab::makeDocks()
{
    auto* docks = new QWidget(this);
    auto* row = new QHBoxLayout(docks);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    const QFontMetrics metrics(theme::font(theme::Type::body));

    auto* range = new Panel(tr("Range"), docks);
    m_rangePanel = range;
    m_allTracks = new QPushButton(tr("All tracks"), range);
    m_allTracks->setToolTip(tr("Statistics of the range on all tracks again (T)"));
    theme::setButtonKind(m_allTracks, theme::ButtonKind::quiet);
    range->addHeaderWidget(m_allTracks);
    connect(m_allTracks, &QPushButton::clicked, m_timeline, &timeline::TimelineWidget::selectAllTracks);
    m_range = new controls::FactList(range);
    range->body()->addWidget(m_range);
    range->body()->addStretch(1);
    // This panel is as wide as its longest fact. The other two share the rest.
    range->setFixedWidth(metrics.horizontalAdvance(tr("Copied from GPU")) +
                         metrics.horizontalAdvance(tr("1000 KiB, 1000 GB/s")) + 48);
    row->addWidget(range);

    auto* event = new Panel(tr("Event"), docks);
    m_eventPanel = event;
    m_eventName = new Label({}, theme::Type::mono, Tone::text, event);
    event->body()->addWidget(m_eventName);
    auto* facts = new QHBoxLayout;
    facts->setSpacing(24);
    m_eventLeft = new controls::FactList(event);
    m_eventRight = new controls::FactList(event);
    facts->addWidget(m_eventLeft, 1);
    facts->addWidget(m_eventRight, 1);
    event->body()->addLayout(facts);
    event->body()->addStretch(1);
    row->addWidget(event, 6);

    auto* most = new Panel({}, docks);
    m_namesPanel = most;
    m_hint = new Label(tr("click an event to see what is known of it"), theme::Type::caption, Tone::secondary, most);
    most->addHeaderWidget(m_hint);
    m_names = new tables::TextTableModel(shortNameColumns(), this);
    m_nameTable = new tables::LeanTable(most);
    m_nameTable->setModel(m_names);
    m_nameTable->setAccessibleName(tr("Names by total time"));
    m_nameTable->sortByColumn(-1, Qt::DescendingOrder); // in the order of the statistics: device work first
    m_nameTable->setSortingEnabled(true);
    m_nameTable->setDense();
    m_nameTable->setElastic(0, 120);
    m_nameTable->setExpendable({5, 4}, 220); // the columns shortest and mean
    most->setBodyMargin(0);
    most->body()->addWidget(m_nameTable, 1);
    row->addWidget(most, 6);
    connect(m_nameTable, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
        const qint64 key = m_names->keyAt(index.row());
        if (m_shownStatistics && key > 0 && key <= static_cast<qint64>(m_shownStatistics->names.size()))
            m_timeline->choose(m_shownStatistics->names[static_cast<std::size_t>(key - 1)].outlier);
    });
    m_countersPanel = new Panel(tr("Counters"), docks);
    m_counters = new tables::TextTableModel(counterColumns(), this);
    m_counterTable = new tables::LeanTable(m_countersPanel);
    m_counterTable->setModel(m_counters);
    m_counterTable->setAccessibleName(tr("Counters in the range"));
    m_counterTable->setDense();
    m_counterTable->setElastic(0, 120);
    m_counterTable->sortByColumn(-1, Qt::DescendingOrder); // in the order of the tracks
    m_counterTable->setSortingEnabled(true);
    m_countersPanel->setBodyMargin(0);
    m_countersPanel->body()->addWidget(m_counterTable, 1);
    row->addWidget(m_countersPanel, 6);
    return docks;
}

void TimelineTab::showDocks(bool shown)
{
    m_docks->setVisible(shown);
    m_fold->setIcon(theme::icon(shown ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
}

std::optional<timeline::EventRef> TimelineTab::longestOfName(timeline::EventRef event) const
{
    const auto& statistics = m_context.traces.statistics();
    if (!statistics)
        return std::nullopt;
    const trace::EventKind kind = m_shown->rows()[event.row].kind;
    const trace::StringId name{m_shown->columns(event).name[event.event]};
    for (const timeline::NameStatistics& entry : statistics->names)
        if (entry.kind == kind && entry.name == name)
            return entry.outlier;
    return std::nullopt;
}

QMenu* TimelineTab::makeEventMenu(timeline::EventRef event)
{
    using timeline::TimelineAction;
    const timeline::TimelineRow& row = m_shown->rows()[event.row];
    const std::string name(m_shown->nameOf(event));
    const std::string query = eventQuery(*m_shown, event, m_context.traces.traceId());
    const std::filesystem::path& workspace = m_context.traces.workspace();
    // The menu is made for one event, which the user may leave before it is closed.
    auto* menu = new QMenu(this);
    const auto add = [menu, this](const QString& iconName, const QString& text, auto action) {
        connect(menu->addAction(theme::icon(iconName), text), &QAction::triggered, this, action);
    };
    const auto addCopy = [&add](const QString& iconName, const QString& text, const QString& content) {
        add(iconName, text, [content] { QApplication::clipboard()->setText(content); });
    };
    addCopy(QStringLiteral("copy"), tr("Copy name"), theme::toQt(name));
    addCopy(QStringLiteral("copy"), tr("Copy query (SQL)"), theme::toQt(query));
    if (!workspace.empty())
        addCopy(QStringLiteral("terminal"), tr("Copy the command that asks it"), queryCommand(query, workspace));
    menu->addSeparator();
    add(QStringLiteral("fit"), tr("Zoom to it"), [this] { m_timeline->fitEvent(); });
    add(QStringLiteral("clock"), tr("Select its time"), [this] { m_timeline->act(TimelineAction::selectEvent); });
    if (!m_timeline->partners().empty())
        add(QStringLiteral("swap"),
            trace::isDeviceWork(row.kind) ? tr("Go to its launch") : tr("Go to what it launched"),
            [this] { m_timeline->act(TimelineAction::partner); });
    menu->addSeparator();
    if (const auto longest = longestOfName(event); longest && longest != event)
        add(QStringLiteral("slower"), tr("Go to the longest of this name"),
            [this, longest] { m_timeline->choose(longest); });
    const QString pattern = theme::toQt(timeline::wholeName(name));
    add(QStringLiteral("search"), tr("Find all of this name"), [this, pattern] {
        m_find->setText(pattern);
        m_typing.stop();
        startSearch();
    });
    add(QStringLiteral("model"), tr("Show in the table of kernels and calls"),
        [this, event] { Q_EMIT nameWanted(event); });
    add(QStringLiteral("trial"), tr("Show all of this name in the list of events"),
        [this, pattern] { Q_EMIT eventsWanted(pattern); });
    return menu;
}

void TimelineTab::setIterations(std::vector<timeline::Iteration> iterations)
{
    m_timeline->setIterations(std::move(iterations));
}

void TimelineTab::focusFind()
{
    m_find->setFocus();
    m_find->selectAll();
}

bool TimelineTab::clearSomething()
{
    // One press takes back one thing, the latest kind of it first.
    if (!m_find->text().isEmpty()) {
        m_find->clear();
        return true;
    }
    if (m_timeline->chosen()) {
        m_timeline->choose(std::nullopt);
        return true;
    }
    if (m_timeline->selection()) {
        m_timeline->setSelection(std::nullopt);
        return true;
    }
    return false;
}

void TimelineTab::followTrace()
{
    const timeline::TimelinePtr& timeline = m_context.traces.timeline();
    // The session reports progress, too; the timeline is set once for each trace.
    if (timeline == m_shown)
        return;
    m_shown = timeline;
    m_find->clear();
    m_matches.reset();
    m_timeline->setTimeline(timeline);
    const auto onDevice = [](const timeline::TimelineRow& row) { return trace::isDeviceWork(row.kind); };
    // On a CPU there are no launches that could be drawn.
    m_arrows->setVisible(timeline && std::any_of(timeline->rows().begin(), timeline->rows().end(), onDevice));
    fitLegend();
    showMatches();
}

void TimelineTab::followStatistics()
{
    const timeline::TimelinePtr& timeline = m_context.traces.timeline();
    const std::vector<std::uint32_t>& rows = m_timeline->area();
    m_shownStatistics = rows.empty() ? m_context.traces.statistics() : m_area;
    const bool ready = m_shownStatistics && timeline;
    m_allTracks->setVisible(ready && !rows.empty());
    m_rangePanel->setTitle(
        rows.empty()
            ? tr("Range")
            : tr("Range on %1").arg(theme::counted(static_cast<qint64>(rows.size()), tr("track"), tr("tracks"))));
    if (rows.empty())
        m_namesPanel->setTitle(tr("Most time in the range"));
    else if (rows.size() == 1 && timeline)
        m_namesPanel->setTitle(tr("On %1").arg(trace_views::rowLabel(*timeline, rows.front())));
    else if (timeline)
        m_namesPanel->setTitle(tr("On %1 of %2 tracks").arg(rows.size()).arg(timeline->rows().size()));
    showCounters(ready && !rows.empty());
    if (!ready) {
        m_range->setFacts({});
        m_names->setRows({});
        return;
    }
    m_range->setFacts(rows.empty() ? selectionFacts(*m_shownStatistics, m_context.traces.filter().has_value())
                                   : areaFacts(*m_shownStatistics));
    m_names->setRows(shortNameRows(*timeline, *m_shownStatistics));
    m_nameTable->fitColumns();
    showLegend();
}

/// Shows the counters of the chosen tracks. If these are curves alone, the table takes the place of the names.
void TimelineTab::showCounters(bool shown)
{
    const bool some = shown && !m_shownStatistics->counters.empty();
    m_countersPanel->setVisible(some);
    // Beside counters, an empty table of names would only take their place.
    m_namesPanel->setVisible(!some || !m_shownStatistics->names.empty());
    if (!some) {
        m_counters->setRows({});
        return;
    }
    std::vector<tables::TextTableModel::Row> counters = counterRows(*m_context.traces.timeline(), *m_shownStatistics);
    m_counterTable->setWanted(kCounterGrowth, std::any_of(counters.begin(), counters.end(), [](const auto& row) {
                                  return row.cells[kCounterGrowth].raw.isValid();
                              }));
    m_counters->setRows(std::move(counters));
    m_counterTable->fitColumns();
}

/// Follows a change of tracks or range. Statistics of all tracks are there already; those of some tracks are computed.
void TimelineTab::followArea()
{
    if (!m_timeline->area().empty()) {
        m_areaSettle.start();
        return;
    }
    m_areaSettle.stop();
    m_context.tasks.cancel(this, kArea);
    m_area.reset();
    followStatistics();
}

void TimelineTab::computeArea()
{
    const std::optional<trace::TimeRange> range = m_timeline->selection();
    if (!range || !m_shown || m_timeline->area().empty())
        return;
    // Statistics of some rows are computed beside those of the whole range, which the other parts need.
    m_context.tasks.start(
        this, kArea,
        [timeline = m_shown, wanted = *range, rows = m_timeline->area()](const TaskRunner::Scope& scope) {
            return timeline::rangeStatistics(*timeline, wanted, scope.stop(), rows);
        },
        [this](std::shared_ptr<const timeline::RangeStatistics> statistics) {
            m_area = std::move(statistics);
            followStatistics();
        });
}

void TimelineTab::followEvent()
{
    const std::optional<timeline::EventRef> event = m_timeline->chosen();
    m_eventPanel->setVisible(event && m_shown); // without an event the table gets its place
    m_hint->setVisible(!event);
    if (!event || !m_shown)
        return;
    const std::string_view name = m_shown->nameOf(*event);
    // A name can fill the memory of a label, and nobody reads more of it.
    const QString whole = theme::toQt(name.substr(0, 2000));
    const trace::EventKind kind = m_shown->rows()[event->row].kind;
    m_eventName->setName(trace::isDeviceWork(kind) ? trace_views::displayName(kind, name) : whole, whole);
    std::vector<controls::FactList::Fact> facts = trace_views::eventFacts(*m_shown, *event, m_timeline->partners());
    // At least four facts stand on the left, so that few facts do not split into two short columns.
    const std::size_t half = std::max<std::size_t>(4, (facts.size() + 1) / 2);
    std::vector<controls::FactList::Fact> rest;
    if (facts.size() > half) {
        rest.assign(facts.begin() + static_cast<std::ptrdiff_t>(half), facts.end());
        facts.resize(half);
    }
    m_eventLeft->setFacts(std::move(facts));
    m_eventRight->setFacts(std::move(rest));
    showMatches();
}

void TimelineTab::startSearch()
{
    const QString text = m_find->text().trimmed();
    if (text.isEmpty() || !m_shown) {
        m_context.tasks.cancel(this, kSearch);
        m_matches.reset();
        m_timeline->setMatches(nullptr);
        showMatches();
        return;
    }
    m_context.tasks.start(
        this, kSearch,
        [timeline = m_shown, pattern = theme::toStd(text)](const TaskRunner::Scope& scope) {
            return trace_views::findNames(*timeline, pattern, scope.stop());
        },
        [this](timeline::MatchesPtr matches) {
            m_matches = std::move(matches);
            m_timeline->setMatches(m_matches);
            showMatches();
        });
}

void TimelineTab::showMatches()
{
    const bool some = m_matches && m_matches->count > 0;
    m_previous->setVisible(some);
    m_next->setVisible(some);
    m_found->setTone(m_matches && !some ? Tone::warn : Tone::secondary);
    m_found->setText(matchText());
    fitLegend();
}

/// What the search found, as a sentence; empty without a search.
QString TimelineTab::matchText() const
{
    if (!m_matches)
        return {};
    const auto count = static_cast<qint64>(m_matches->count);
    if (count == 0) {
        const QString problem = trace_views::patternProblem(m_find->text().trimmed());
        return problem.isEmpty() ? tr("No event has this in its name.")
                                 : tr("This is no regular expression: %1.").arg(problem);
    }
    const std::optional<timeline::EventRef> event = m_timeline->chosen();
    if (!event || !m_matches->name[m_shown->columns(*event).name[event->event]])
        return theme::counted(count, tr("match"), tr("matches"));
    // The number of the match comes from its time, because matches are stepped through in the order of time.
    const auto at = static_cast<qint64>(m_matches->before(*m_shown, m_shown->rangeOf(*event).start)) + 1;
    return tr("%1 of %2").arg(theme::count(at), theme::count(count));
}

/// Shows the classes that took most time as a legend of the colours.
void TimelineTab::showLegend()
{
    const auto& statistics = m_context.traces.statistics();
    if (!statistics)
        return;
    std::array<std::int64_t, analysis::kWorkClasses> time{};
    // Of the calls of the host, waits alone count; the others lie inside of operators.
    for (const timeline::NameStatistics& name : statistics->names)
        if (trace::isDeviceWork(name.kind) || name.kind == trace::EventKind::operatorCall ||
            name.workClass == analysis::WorkClass::wait)
            time[static_cast<std::size_t>(name.workClass)] += name.total;
    std::vector<std::size_t> order;
    // Class 0 is "other" and needs no entry.
    for (std::size_t i = 1; i < time.size(); ++i)
        if (time[i] > 0)
            order.push_back(i);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return time[a] > time[b]; });
    if (order.size() > kLegend)
        order.resize(kLegend);
    // Chosen by time, but shown in a fixed order, so that colours do not change places.
    std::sort(order.begin(), order.end());
    std::vector<controls::LegendRow::Entry> entries;
    for (const std::size_t i : order) {
        const auto workClass = static_cast<analysis::WorkClass>(i);
        entries.push_back(
            {trace_views::classWord(workClass), {theme::Shape::square, trace_views::classColor(workClass)}});
    }
    m_legend->setEntries(std::move(entries));
}

} // namespace apertune::gui
