// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/trace/flame_tab.h"

#include "app/gui/session/shortcuts.h"
#include "widgets/controls/chip.h"
#include "widgets/controls/empty_state.h"
#include "widgets/controls/flow_layout.h"
#include "widgets/controls/panel.h"
#include "widgets/controls/search_field.h"
#include "widgets/plots/plot_actions.h"
#include "widgets/theme/format.h"
#include "widgets/theme/style.h"
#include "widgets/trace_views/flame_graph.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QStackedLayout>

namespace apertune::gui {

using analysis::FlameTree;
using analysis::FlameWeight;
using controls::Label;
using controls::Panel;
using controls::Tone;
using trace_views::FlamePtr;

namespace {

const QString kFlame = QStringLiteral("flame");

} // namespace

FlameTab::FlameTab(AppContext& context, QWidget* parent) : QWidget(parent), m_context(context)
{
    m_stack = new QStackedLayout(this);
    m_empty = new controls::EmptyState(QStringLiteral("trace"), this);
    m_content = makeContent();
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_content);
    connect(m_find, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_graph->setSearch(text);
        showFound();
    });
    connect(makeShortcut(WindowAction::find, this, Qt::WidgetWithChildrenShortcut), &QShortcut::activated, m_find,
            qOverload<>(&QWidget::setFocus));
    connect(m_graph, &trace_views::FlameGraph::zoomed, this, &FlameTab::showPath);
    connect(m_graph, &trace_views::FlameGraph::currentChanged, this, &FlameTab::showFacts);
    connect(m_show, &QPushButton::clicked, this, [this] {
        const FlamePtr& tree = m_graph->tree();
        const timeline::TimelinePtr& timeline = m_context.traces.timeline();
        if (!tree || !timeline || m_graph->currentNode() <= 0)
            return;
        const auto& event = tree->nodes[static_cast<std::size_t>(m_graph->currentNode())].longestEvent;
        if (const auto row = timeline->rowOfSeries(event.series))
            Q_EMIT eventChosen({*row, event.index});
    });
    connect(&context.traces, &TraceSession::reportChanged, this, &FlameTab::refresh);
    connect(&context.traces, &TraceSession::changed, this, &FlameTab::refresh);
    m_empty->setContent(tr("Flame graph"), tr("The trace is being analysed."));
}

QWidget* FlameTab::makeContent()
{
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    auto* tools = new QHBoxLayout;
    tools->setSpacing(8);
    m_find = new controls::SearchField(tr("Find operators, kernels"), QStringLiteral("Ctrl+F"), content);
    m_found = new Label({}, theme::Type::caption, Tone::secondary, content);
    auto* group = new QButtonGroup(this);
    const auto chip = [&](const QString& text, const QString& toolTip, FlameWeight weight) {
        auto* made = new controls::Chip(text, content);
        made->setAutoExclusive(true);
        made->setToolTip(toolTip);
        group->addButton(made);
        connect(made, &QAbstractButton::toggled, this, [this, weight](bool on) {
            if (on)
                setWeight(weight);
        });
        return made;
    };
    m_host = chip(tr("Host time"), tr("Width is time on the host: operators and the calls that they make."),
                  FlameWeight::hostTime);
    m_device = chip(tr("Device time"), tr("Width is time on the device: the kernels that each operator caused."),
                    FlameWeight::deviceTime);
    tools->addWidget(m_find);
    tools->addWidget(m_found);
    tools->addStretch(1);
    tools->addWidget(m_host);
    tools->addWidget(m_device);
    layout->addLayout(tools);

    auto* panel = new Panel(tr("Operators by stack, callers on top"), content);
    m_path = new QWidget(panel);
    new controls::FlowLayout(m_path, 2);
    m_graph = new trace_views::FlameGraph;
    auto* scroll = new QScrollArea(panel);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus); // the graph in it takes the keys
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_graph);
    for (QWidget* ground : {static_cast<QWidget*>(scroll), scroll->viewport(), static_cast<QWidget*>(m_graph)})
        ground->setAutoFillBackground(false); // the background is that of the panel
    plots::PlotActions::addTo(panel, m_graph);
    panel->body()->addWidget(m_path);
    panel->body()->addWidget(scroll, 1);
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    m_name = new Label({}, theme::Type::mono, Tone::text, panel);
    m_facts = new Label({}, theme::Type::body, Tone::secondary, panel);
    m_show = new QPushButton(tr("Show the longest in the timeline"), panel);
    row->addWidget(m_name, 1);
    row->addWidget(m_facts);
    row->addWidget(m_show);
    panel->body()->addLayout(row);
    layout->addWidget(panel, 1);
    return content;
}

void FlameTab::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void FlameTab::setWeight(FlameWeight weight)
{
    if (weight == m_weight)
        return;
    m_weight = weight;
    // The report is the same, but its tree of the other weight is not made yet.
    m_shown.reset();
    refresh();
}

void FlameTab::refresh()
{
    const TraceReportPtr report = m_context.traces.report();
    // A tree takes a pass over all operators, so a hidden tab does not make one.
    if (!isVisible() || (report && report == m_shown))
        return;
    if (!report) {
        m_shown.reset();
        m_context.tasks.cancel(this, kFlame);
        m_empty->setContent(tr("Flame graph"), tr("The trace is being analysed."));
        m_stack->setCurrentWidget(m_empty);
        return;
    }
    if (m_seen != m_context.traces.timeline()) { // a new trace decides which weight is shown first
        m_seen = m_context.traces.timeline();
        m_weight = report->facts.onDevice ? FlameWeight::deviceTime : FlameWeight::hostTime;
        m_device->setVisible(report->facts.onDevice);
        m_host->setVisible(report->facts.onDevice);
        m_find->clear();
    }
    (m_weight == FlameWeight::deviceTime ? m_device : m_host)->setChecked(true);
    m_shown = report;
    m_context.tasks.start(
        this, kFlame,
        [report, weight = m_weight](const TaskRunner::Scope& scope) -> FlamePtr {
            const advice::Facts& facts = report->facts;
            return std::make_shared<const FlameTree>(
                analysis::flameTree(facts.index, facts.forest, facts.window, weight, scope.stop()));
        },
        [this, report](FlamePtr tree) {
            const bool some = !tree->empty();
            m_graph->setTree(std::move(tree), report->trace);
            if (!some)
                m_empty->setContent(tr("Flame graph: nothing to show"),
                                    m_context.traces.filter()
                                        ? tr("No operator and no call runs in the range. Choose a longer one, or clear "
                                             "the time filter.")
                                        : tr("No operators were recorded. Record with the host's activities switched "
                                             "on, or trace a trial here."));
            m_stack->setCurrentWidget(some ? m_content : m_empty);
            showFound();
        });
}

/// Shows the callers of the zoomed node as buttons, each of which zooms out to it.
void FlameTab::showPath()
{
    while (QLayoutItem* item = m_path->layout()->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    const FlamePtr& tree = m_graph->tree();
    if (!tree)
        return;
    std::vector<std::int32_t> path = analysis::flamePath(*tree, m_graph->focusNode());
    m_path->setVisible(!path.empty());
    path.insert(path.begin(), 0);
    for (std::size_t i = 0; i < path.size(); ++i) {
        const std::int32_t node = path[i];
        if (i > 0)
            m_path->layout()->addWidget(new Label(QStringLiteral("›"), theme::Type::body, Tone::tertiary, m_path));
        QString name = m_graph->nameOf(node);
        if (name.size() > 32)
            name = name.left(30) + QChar(0x2026);
        auto* step = new QPushButton(name, m_path);
        theme::setButtonKind(step, theme::ButtonKind::quiet);
        step->setEnabled(i + 1 < path.size());
        step->setAccessibleName(tr("Zoom out to %1").arg(m_graph->nameOf(node)));
        connect(step, &QPushButton::clicked, this, [this, node] { m_graph->zoomTo(node); });
        m_path->layout()->addWidget(step);
        step->show();
    }
    m_path->updateGeometry();
}

void FlameTab::showFacts()
{
    const bool some = m_graph->tree() != nullptr;
    const QString name = some ? m_graph->nameOf(m_graph->currentNode()) : QString();
    m_name->setName(name, name);
    m_facts->setText(some ? m_graph->factsOf(m_graph->currentNode()) : QString());
    m_show->setEnabled(some && m_graph->currentNode() > 0);
}

void FlameTab::showFound()
{
    if (m_find->text().trimmed().isEmpty() || !m_graph->tree()) {
        m_found->clear();
        return;
    }
    m_found->setTone(m_graph->matches() > 0 ? Tone::secondary : Tone::warn);
    m_found->setText(m_graph->matches() > 0 ? tr("%1, %2 of the time")
                                                  .arg(theme::counted(m_graph->matches(), tr("match"), tr("matches")),
                                                       theme::percent(m_graph->matchedShare(), 3))
                                            : tr("Nothing has this in its name."));
}

} // namespace apertune::gui
