// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/live_page.h"

#include "app/gui/presenters/live_view.h"
#include "app/gui/presenters/tradeoffs_view.h"
#include "core/report/recommendation.h"
#include "widgets/controls/chip.h"
#include "widgets/controls/empty_state.h"
#include "widgets/controls/legend_row.h"
#include "widgets/controls/panel.h"
#include "widgets/plots/chart_view.h"
#include "widgets/plots/heat_map.h"
#include "widgets/plots/plot_actions.h"
#include "widgets/plots/tradeoff_plot.h"
#include "widgets/tables/column_header.h"
#include "widgets/tables/text_table_model.h"
#include "widgets/tables/trial_table_view.h"
#include "widgets/theme/format.h"
#include "widgets/theme/style.h"

#include <QAction>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedLayout>

#include <algorithm>

namespace apertune::gui {

using controls::Label;
using controls::Panel;
using controls::Tone;

PageSpec livePage()
{
    return {PageId::live, QT_TRANSLATE_NOOP("apertune::gui", "Live"), "live", Qt::CTRL | Qt::Key_4, makePage<LivePage>};
}

LivePage::LivePage(AppContext& context, QWidget* parent) : Page(context, PageId::live, parent)
{
    m_stack = new QStackedLayout(this);
    m_empty = new controls::EmptyState(QStringLiteral("live"), this);
    m_empty->setContent(
        tr("Nothing is running"),
        tr("While a sweep runs, this page shows how far it is, the configuration in hand, and every trial as it "
           "finishes. A sweep started from the command line in this workspace shows here too."),
        tr("Design a sweep"));
    m_stack->addWidget(m_empty);
    m_stack->addWidget(makeContent());
    connect(m_empty, &controls::EmptyState::activated, this, [this] { this->context().navigate(PageId::sweep); });

    m_stopAfter = addHeaderAction(tr("Stop after current configuration"), false);
    m_stopNow = addHeaderAction(tr("Stop now"), false);
    m_stopNow->setToolTip(tr("The configuration in hand is measured again when the sweep is resumed"));
    connect(m_stopAfter, &QAction::triggered, this,
            [this] { this->context().jobs.requestStop(JobState::Stop::afterCurrent); });
    connect(m_stopNow, &QAction::triggered, this, [this] { this->context().jobs.requestStop(JobState::Stop::now); });
    connect(&context.jobs, &Jobs::stateChanged, this, &LivePage::refreshProgress);
    connect(&context.jobs, &Jobs::eventAdded, this, &LivePage::refreshEvents);
    refreshProgress();
    refreshEvents();
}

QWidget* LivePage::makeContent()
{
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(16, 0, 16, 12);
    layout->setSpacing(12);

    auto* progress = new Panel({}, content);
    progress->setAccessibleName(tr("Progress"));
    auto* texts = new QHBoxLayout;
    m_headline = new Label({}, theme::Type::heading, Tone::text, progress);
    m_detail = new Label({}, theme::Type::body, Tone::secondary, progress);
    m_detail->setElided(true);
    m_detail->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    texts->addWidget(m_headline);
    texts->addWidget(m_detail, 1);
    m_bar = new QProgressBar(progress);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(8);
    m_bar->setAccessibleName(tr("Finished configurations"));
    progress->body()->addLayout(texts);
    progress->body()->addWidget(m_bar);
    m_next = makeNext(progress);
    progress->body()->addWidget(m_next);
    layout->addWidget(progress);

    auto* plotsRow = new QHBoxLayout;
    plotsRow->setSpacing(12);
    auto* best = new Panel(tr("Best so far"), content);
    m_best = new plots::ProgressPlot(best);
    best->body()->setContentsMargins(4, 4, 4, 6);
    best->body()->addWidget(m_best);
    plots::PlotActions::addTo(best, m_best->chart());
    auto* scatter = new Panel(tr("Trade-offs"), content);
    m_plot = new plots::TradeoffPlot(scatter);
    scatter->addHeaderWidget(m_plot->legend());
    scatter->body()->setContentsMargins(4, 4, 4, 6);
    scatter->body()->addWidget(m_plot);
    plots::PlotActions::addTo(scatter, m_plot->chart(), m_plot->legend());
    auto* grid = new Panel(tr("Configurations"), content);
    m_heat = new plots::HeatMap(grid);
    grid->body()->addWidget(m_heat);
    plots::PlotActions::addTo(grid, m_heat);
    plotsRow->addWidget(best, 3);
    plotsRow->addWidget(scatter, 4);
    plotsRow->addWidget(grid, 3);
    layout->addLayout(plotsRow, 3);

    auto* lower = new QHBoxLayout;
    lower->setSpacing(12);
    auto* trials = new Panel(tr("Trials"), content);
    m_table = new tables::TrialTableView(trials);
    m_table->sortByColumn(tables::columnOf(tables::TrialColumn::Kind::trial), Qt::AscendingOrder);
    // Space is short beside the log; the Trade-offs page has all columns.
    m_table->setLeftOut(tables::inessentialColumns());
    trials->setBodyMargin(0);
    trials->body()->addWidget(m_table);
    auto* log = new Panel(tr("Log"), content);
    m_failuresOnly = new controls::Chip(tr("failures only"), log);
    log->addHeaderWidget(m_failuresOnly);
    connect(m_failuresOnly, &QAbstractButton::toggled, this, &LivePage::refreshEvents);
    m_events = new tables::TextTableModel({{tr("Time")}, {tr("Event")}}, this);
    m_eventTable = new tables::LeanTable(log);
    m_eventTable->setModel(m_events);
    m_eventTable->setAccessibleName(tr("Events"));
    m_eventTable->columns()->hide();
    log->setBodyMargin(0);
    log->body()->addWidget(m_eventTable);
    lower->addWidget(trials, 2);
    lower->addWidget(log, 1);
    layout->addLayout(lower, 3);

    const auto select = [this](model::TrialId trial) { context().session.selectTrial(trial); };
    const auto open = [this](model::TrialId trial) {
        context().session.selectTrial(trial);
        context().navigate(PageId::trial);
    };
    connect(m_plot, &plots::TradeoffPlot::trialClicked, this, select);
    connect(m_plot, &plots::TradeoffPlot::trialActivated, this, open);
    connect(m_heat, &plots::HeatMap::trialClicked, this, select);
    connect(m_heat, &plots::HeatMap::trialActivated, this, open);
    connect(m_table, &tables::TrialTableView::trialClicked, this, select);
    connect(m_table, &tables::TrialTableView::trialActivated, this, open);
    connect(m_best, &plots::ProgressPlot::trialClicked, this, [select](qint64 id) { select(model::TrialId{id}); });
    connect(&context().session, &Session::trialSelected, this, [this](model::TrialId trial) {
        m_plot->setSelected(trial);
        m_heat->setSelected(trial);
        m_table->setSelected(trial);
    });
    return content;
}

QWidget* LivePage::makeNext(QWidget* parent)
{
    auto* next = new QWidget(parent);
    auto* row = new QHBoxLayout(next);
    row->setContentsMargins(0, 2, 0, 0);
    row->setSpacing(8);
    m_result = new Label({}, theme::Type::bodyStrong, Tone::text, next);
    m_result->setElided(true);
    row->addWidget(m_result, 1);
    const auto add = [&](const QString& text, const QString& toolTip, auto run) {
        auto* button = new QPushButton(text, next);
        button->setToolTip(toolTip);
        row->addWidget(button);
        connect(button, &QPushButton::clicked, this, run);
        return button;
    };
    m_again = add(tr("Measure again when quiet"),
                  tr("Wait until other programs leave the processors alone, for 10 minutes at most; then measure the "
                     "best trials in turns with their baseline"),
                  [this] { context().jobs.confirmWhenQuiet(*m_snapshot); });
    m_trace =
        add(tr("Trace the best"),
            tr("Runs the best trial once more while everything is recorded, and says why it takes its time"), [this] {
                const model::Trial& best = *m_snapshot->leadingTrial();
                context().session.selectTrial(best.id);
                context().traces.capture(context().session.file(), best.id, configurationName(*m_snapshot, best));
                context().navigate(PageId::trace);
            });
    add(tr("Show trade-offs"), tr("All configurations, by speed, latency, memory and quality"),
        [this] { context().navigate(PageId::tradeoffs); });
    m_export = add(tr("Export the best"), tr("Write the recommended trial as a folder that runs"), [this] {
        context().session.selectTrial(m_snapshot->recommended->trial);
        context().navigate(PageId::exportTrial);
    });
    theme::setButtonKind(m_export, theme::ButtonKind::primary);
    next->hide();
    return next;
}

/// Offers what to do with the result, once there is one.
void LivePage::showNext(bool active)
{
    // The next steps belong to a sweep that ended with a result.
    const bool ended = !active && m_snapshot && m_snapshot->study.state == model::StudyState::finished &&
                       std::any_of(m_snapshot->trials.begin(), m_snapshot->trials.end(),
                                   [](const model::Trial& trial) { return trial.state == model::TrialState::ok; });
    m_next->setVisible(ended);
    if (!ended)
        return;
    const bool hasBest = m_snapshot->leadingTrial() != nullptr;
    m_again->setVisible(report::canBeSurer(*m_snapshot));
    m_trace->setVisible(hasBest);
    m_export->setVisible(hasBest && report::answerOf(*m_snapshot) == report::Answer::better);
    m_result->setText(hasBest
                          ? tr("%1: %2 %3, %4").arg(m_figure.caption, m_figure.value, m_figure.unit, m_figure.detail)
                          : tr("%1: %2").arg(m_figure.caption, m_figure.detail));
}

QString LivePage::title() const
{
    const JobState& job = context().jobs.state();
    if (job.kind == JobState::Kind::importing)
        return tr("Importing %1").arg(job.title);
    return current() && hasAnything() ? theme::toQt(m_snapshot->study.name) : tr("Live");
}

QString LivePage::facts() const
{
    return current() && hasAnything() ? studyFacts(*m_snapshot) : QString();
}

bool LivePage::isReady() const
{
    return m_snapshot == context().session.snapshot();
}

bool LivePage::hasAnything() const
{
    return context().jobs.state().busy() || !context().jobs.events().empty() ||
           (m_snapshot && m_snapshot->study.state != model::StudyState::finished);
}

void LivePage::setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot)
{
    m_snapshot = std::move(snapshot);
    showTrials();
    refreshProgress();
    refreshEvents();
}

const model::StudySnapshot* LivePage::current() const
{
    const JobState& job = context().jobs.state();
    // Until the new study is in the workspace, the snapshot is that of an earlier one.
    const bool hasNoStudyYet = (job.kind == JobState::Kind::importing || job.kind == JobState::Kind::sweeping) &&
                               job.study == model::StudyId{};
    return hasNoStudyYet ? nullptr : m_snapshot.get();
}

void LivePage::showTrials()
{
    m_shown = current();
    if (m_shown) {
        const TradeoffsView view = makeTradeoffsView(m_snapshot, context().session.file());
        m_figure = view.figures[0];
        m_plot->setData(view.plot);
        m_heat->setData(view.heat);
        m_heat->setAccessibleName(view.heatTitle);
        m_table->setSnapshot(m_snapshot, view.extras);
        m_best->chart()->setCommandSource([command = view.plot.command](qint64 id) {
            return id == plots::ChartView::kNone ? QString() : command(model::TrialId{id});
        });
        m_best->setSteps(bestSoFar(*m_snapshot), runnableConfigurations(*m_snapshot),
                         theme::throughputUnit(m_snapshot->study.model));
        const model::TrialId selected = context().session.selectedTrial();
        m_plot->setSelected(selected);
        m_heat->setSelected(selected);
        m_table->setSelected(selected);
    } else {
        m_plot->setData({});
        m_heat->setData({});
        m_table->setSnapshot(nullptr, {});
        m_best->setSteps({}, 0, {});
    }
}

void LivePage::refreshProgress()
{
    if (current() != m_shown)
        showTrials();
    const LiveProgress progress = makeLiveProgress(context().jobs.state(), current());
    m_stack->setCurrentIndex(hasAnything() ? 1 : 0);
    if (progress.active) {
        m_headline->setText(progress.headline);
        m_detail->setText(progress.detail);
        m_bar->setRange(0, std::max(1, progress.total));
        m_bar->setValue(progress.done);
    } else if (m_snapshot) {
        const LiveSummary summary = makeLiveSummary(*m_snapshot);
        m_headline->setText(summary.headline);
        m_detail->setText(summary.detail);
        m_bar->setRange(0, std::max(1, summary.total));
        m_bar->setValue(summary.done);
    }
    const JobState& job = context().jobs.state();
    showNext(progress.active);
    m_stopAfter->setVisible(job.kind == JobState::Kind::sweeping);
    m_stopAfter->setEnabled(job.stop == JobState::Stop::no);
    m_stopNow->setVisible(job.busy());
    m_stopNow->setEnabled(job.stop != JobState::Stop::now);
    Q_EMIT headerChanged();
}

void LivePage::refreshEvents()
{
    std::vector<tables::TextTableModel::Row> rows;
    std::vector<JobEvent> events(context().jobs.events().begin(), context().jobs.events().end());
    if (events.empty() && m_snapshot)
        events = eventsOf(*m_snapshot);
    for (const JobEvent& event : events) {
        if (m_failuresOnly->isChecked() && !event.isFailure)
            continue;
        tables::TextTableModel::Row row;
        row.cells = {{event.at.toString(QStringLiteral("HH:mm:ss")), {}, Tone::tertiary}, {event.text, {}, event.tone}};
        row.toolTip = event.text;
        if (event.isFailure)
            row.cells[1].iconName = QStringLiteral("error");
        rows.push_back(std::move(row));
    }
    m_events->setRows(std::move(rows));
    m_eventTable->fitColumns();
    m_eventTable->scrollToBottom();
    m_stack->setCurrentIndex(hasAnything() ? 1 : 0);
}

} // namespace apertune::gui
