// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/tradeoffs_page.h"

#include "app/gui/pages/study/findings_section.h"
#include "app/gui/presenters/tradeoffs_view.h"
#include "core/model/imported.h"
#include "core/report/recommendation.h"
#include "widgets/controls/card_layout.h"
#include "widgets/controls/chip.h"
#include "widgets/controls/empty_state.h"
#include "widgets/controls/kpi_card.h"
#include "widgets/controls/legend_row.h"
#include "widgets/controls/panel.h"
#include "widgets/controls/search_field.h"
#include "widgets/plots/chart_view.h"
#include "widgets/plots/plot_actions.h"
#include "widgets/tables/trial_table_view.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

#include <QAction>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QMenu>
#include <QSplitter>
#include <QStackedLayout>

#include <algorithm>

namespace apertune::gui {

namespace {

const QString kFindings = QStringLiteral("findings");

} // namespace

PageSpec tradeoffsPage()
{
    return {PageId::tradeoffs, QT_TRANSLATE_NOOP("apertune::gui", "Trade-offs"), "tradeoffs", Qt::CTRL | Qt::Key_5,
            makePage<TradeoffsPage>};
}

TradeoffsPage::TradeoffsPage(AppContext& context, QWidget* parent) : Page(context, PageId::tradeoffs, parent)
{
    m_stack = new QStackedLayout(this);
    m_empty = new controls::EmptyState(QStringLiteral("tradeoffs"), this);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(makeContent());
    connect(m_empty, &controls::EmptyState::activated, this, [this] { this->context().navigate(PageId::sweep); });

    m_again = addHeaderAction(tr("Measure again when quiet"), false);
    m_again->setToolTip(tr("Wait until other programs leave the processors alone, for 10 minutes at most; then measure "
                           "the best trials in turns with their baseline"));
    connect(m_again, &QAction::triggered, this, [this] {
        if (this->context().jobs.confirmWhenQuiet(*m_snapshot))
            this->context().navigate(PageId::live);
    });
    m_compare = addHeaderAction(tr("Compare"), false);
    m_compare->setToolTip(tr("Compare the selected trial with the O0 fp32 baseline"));
    m_export = addHeaderAction(tr("Export configuration"), true);
    connect(m_export, &QAction::triggered, this, [this] { this->context().navigate(PageId::exportTrial); });
    connect(m_compare, &QAction::triggered, this, [this] {
        Session& session = this->context().session;
        const model::Trial* trial = session.trial();
        const model::Recommendation* leading = m_snapshot ? m_snapshot->leading() : nullptr;
        const model::TrialId baseline = leading ? leading->against : model::TrialId{};
        if (trial && baseline && baseline != trial->id) {
            session.setComparison({session.file(), m_snapshot->study.id, baseline},
                                  {session.file(), m_snapshot->study.id, trial->id});
        }
        this->context().navigate(PageId::compare);
    });
    connect(&context.jobs, &Jobs::stateChanged, this, &TradeoffsPage::refreshAgain);
    connect(&context.session, &Session::trialSelected, this, &TradeoffsPage::showSelection);
    setSnapshot(nullptr);
}

QWidget* TradeoffsPage::makeContent()
{
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(16, 0, 16, 12);
    layout->setSpacing(12);
    auto* cards = new controls::CardLayout(12);
    for (controls::KpiCard*& card : m_cards) {
        card = new controls::KpiCard(content);
        card->setAction(tr("show its samples on the Trial page"));
        connect(card, &controls::KpiCard::activated, this, [this] {
            if (const model::Recommendation* leading = m_snapshot ? m_snapshot->leading() : nullptr)
                showTrial(leading->trial);
        });
        cards->addWidget(card);
    }
    layout->addLayout(cards);
    m_shortlist = new controls::Label({}, theme::Type::body, controls::Tone::text, content);
    m_shortlist->setWordWrap(true);
    m_shortlist->setAccessibleName(tr("Shortlist, not confirmed"));
    layout->addWidget(m_shortlist);

    m_plotPanel = new controls::Panel(tr("Throughput against latency"), content);
    m_plot = new plots::TradeoffPlot(m_plotPanel);
    m_plotPanel->addHeaderWidget(m_plot->legend());
    plots::PlotActions::addTo(m_plotPanel, m_plot->chart(), m_plot->legend());
    m_plotPanel->body()->setContentsMargins(4, 4, 4, 6);
    m_plotPanel->body()->addWidget(m_plot);
    m_heatPanel = new controls::Panel(tr("Throughput by level and batch"), content);
    m_heat = new plots::HeatMap(m_heatPanel);
    m_heatPanel->body()->addWidget(m_heat);
    plots::PlotActions::addTo(m_heatPanel, m_heat);

    auto* upper = new QSplitter(Qt::Horizontal, content);
    upper->addWidget(m_plotPanel);
    upper->addWidget(m_heatPanel);
    upper->setStretchFactor(0, 3);
    upper->setStretchFactor(1, 2);
    upper->setChildrenCollapsible(false);
    upper->setSizes({600, 400});
    auto* whole = new QSplitter(Qt::Vertical, content);
    whole->addWidget(upper);
    whole->addWidget(makeLower(whole));
    whole->setStretchFactor(0, 3);
    whole->setStretchFactor(1, 2);
    whole->setChildrenCollapsible(false);
    whole->setSizes({360, 260});
    layout->addWidget(whole, 1);

    const auto select = [this](model::TrialId trial) { context().session.selectTrial(trial); };
    connect(m_plot, &plots::TradeoffPlot::trialClicked, this, select);
    connect(m_heat, &plots::HeatMap::trialClicked, this, select);
    connect(m_table, &tables::TrialTableView::trialClicked, this, select);
    connect(m_plot, &plots::TradeoffPlot::trialActivated, this, &TradeoffsPage::showTrial);
    connect(m_heat, &plots::HeatMap::trialActivated, this, &TradeoffsPage::showTrial);
    connect(m_table, &tables::TrialTableView::trialActivated, this, &TradeoffsPage::showTrial);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_table->setFilter(text);
        refreshCount();
    });
    connect(m_skipped, &QAbstractButton::toggled, this, [this](bool on) {
        m_table->trials().setShowSkipped(on);
        refreshCount();
    });
    return content;
}

/// The table of trials, and the findings behind it.
QWidget* TradeoffsPage::makeLower(QWidget* parent)
{
    auto* panel = new controls::Panel({}, parent);
    panel->setAccessibleName(tr("Trials and findings"));
    m_trialsChip = new controls::Chip(tr("Trials"), panel);
    m_findingsChip = new controls::Chip(tr("Findings"), panel);
    m_findingsChip->setToolTip(tr("What rules find in this study: what does not pay, and why"));
    m_count = new controls::Label({}, theme::Type::caption, controls::Tone::secondary, panel);
    m_skipped = new controls::Chip(tr("Show skipped"), panel);
    m_skipped->setAccessibleName(tr("Show skipped trials"));
    m_skipped->setToolTip(tr("Also list configurations that were never run, with the reason"));
    // Configurations that never ran are results, too, so they are hidden only on request.
    m_skipped->setChecked(true);
    m_filter = new controls::SearchField(tr("Filter trials"), {}, panel);
    m_table = new tables::TrialTableView(panel);
    m_findings = new FindingsSection(panel);
    auto* choices = new QButtonGroup(this); // "Show skipped" is apart from these two
    for (controls::Chip* chip : {m_trialsChip, m_findingsChip}) {
        chip->setAutoExclusive(true);
        choices->addButton(chip);
        panel->addHeaderWidget(chip);
        connect(chip, &QAbstractButton::toggled, this, &TradeoffsPage::showLower);
    }
    m_trialsChip->setChecked(true);
    for (QWidget* widget :
         {static_cast<QWidget*>(m_count), static_cast<QWidget*>(m_skipped), static_cast<QWidget*>(m_filter)})
        panel->addHeaderWidget(widget);
    panel->setBodyMargin(0);
    panel->body()->addWidget(m_table, 1);
    panel->body()->addWidget(m_findings, 1);
    m_table->setRowMenu([this](QMenu* menu, int row) { addBaselineMenu(menu, row); });
    connect(m_findings, &FindingsSection::trialChosen, this, &TradeoffsPage::showTrial);
    showLower();
    return panel;
}

void TradeoffsPage::showLower()
{
    const bool findings = m_findingsChip->isChecked();
    m_findings->setVisible(findings);
    for (QWidget* widget : {static_cast<QWidget*>(m_table), static_cast<QWidget*>(m_count),
                            static_cast<QWidget*>(m_skipped), static_cast<QWidget*>(m_filter)})
        widget->setVisible(!findings);
}

/// Adds what can be done with baselines to the menu of a trial.
void TradeoffsPage::addBaselineMenu(QMenu* menu, int row)
{
    const model::Trial* trial = m_table->trials().trialAt(row);
    if (!trial || trial->state != model::TrialState::ok)
        return;
    const model::TrialId id = trial->id;
    menu->addSeparator();
    if (context().session.baselineOf(id))
        menu->addAction(tr("Remove the baseline mark"), this, [this, id] { changeBaseline(id, false); });
    else
        menu->addAction(tr("Mark as a baseline"), this, [this, id] { changeBaseline(id, true); });
    menu->addAction(tr("Name the baseline…"), this, [this, id] { showTrial(id); });
    for (const StarredTrial& starred : context().session.baselines()) {
        if (starred.baseline.trial == id)
            continue;
        const QString name = starred.baseline.name.empty() ? QStringLiteral("t%1").arg(starred.baseline.trial.value)
                                                           : theme::toQt(starred.baseline.name);
        menu->addAction(tr("Compare with %1").arg(name), this, [this, id, starred] {
            Session& session = context().session;
            session.setComparison({session.file(), starred.study, starred.baseline.trial},
                                  {session.file(), m_snapshot->study.id, id});
            context().navigate(PageId::compare);
        });
    }
}

void TradeoffsPage::changeBaseline(model::TrialId trial, bool starred)
{
    context().tasks.start(
        this, QStringLiteral("baseline"),
        [gateway = context().studyGateway, file = context().session.file(),
         change = BaselineChange{trial, starred, {}, false}](const TaskRunner::Scope&) {
            return gateway->changeBaseline(file, change);
        },
        [this](const base::Status& changed) {
            if (changed)
                context().session.requestReading();
            else
                context().notify({controls::Tone::warn, theme::fromCore(changed.error())});
        });
}

void TradeoffsPage::presentFindings(std::shared_ptr<const StudyFindingsView> view)
{
    // During a sweep, each trial makes a new snapshot; the cards stay, with the focus, as long as they say the same.
    const bool same = m_found && view && m_found->cards == view->cards && m_found->command == view->command;
    m_found = std::move(view);
    if (same)
        return;
    m_findingsChip->setText(m_found && !m_found->cards.empty() ? tr("Findings %1").arg(m_found->cards.size())
                                                               : tr("Findings"));
    m_findings->setView(m_found);
}

QString TradeoffsPage::title() const
{
    return m_snapshot ? theme::toQt(m_snapshot->study.name) : tr("Trade-offs");
}

QString TradeoffsPage::facts() const
{
    return m_snapshot ? studyFacts(*m_snapshot) : QString();
}

bool TradeoffsPage::isReady() const
{
    return m_snapshot == context().session.snapshot() && (!m_snapshot || m_found);
}

void TradeoffsPage::setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot)
{
    m_snapshot = std::move(snapshot);
    m_stack->setCurrentIndex(m_snapshot ? 1 : 0);
    m_compare->setEnabled(m_snapshot != nullptr);
    refreshAgain();
    m_export->setVisible(m_snapshot && !model::isImported(m_snapshot->study));
    m_export->setEnabled(m_snapshot && std::any_of(m_snapshot->trials.begin(), m_snapshot->trials.end(),
                                                   [](const auto& t) { return t.state == model::TrialState::ok; }));
    const report::Answer answer = m_snapshot ? report::answerOf(*m_snapshot) : report::Answer::nothing;
    m_export->setProperty(kPrimaryAction, answer == report::Answer::better);
    m_export->setToolTip(answer == report::Answer::better ? tr("Write the selected trial as a folder that runs")
                         : answer == report::Answer::shortlist
                             ? tr("Write the selected trial as a folder that runs; nothing is confirmed yet")
                             : tr("Write the selected trial as a folder that runs; nothing better than the "
                                  "model as loaded is known yet"));
    if (!m_snapshot) {
        m_empty->setContent(tr("No study yet"),
                            tr("This page compares every measured configuration of a model: which one is fastest, by "
                               "how much, and how surely. Design a sweep and its trials appear here as they finish."),
                            tr("Design a sweep"));
        m_table->setSnapshot(nullptr, {});
        context().tasks.cancel(this, kFindings);
        presentFindings(nullptr);
        return;
    }
    context().tasks.start(
        this, kFindings,
        [known = m_snapshot, file = context().session.file()](const TaskRunner::Scope&) {
            return makeStudyFindingsView(known, file);
        },
        [this](std::shared_ptr<const StudyFindingsView> view) { presentFindings(std::move(view)); });
    TradeoffsView view = makeTradeoffsView(m_snapshot, context().session.file());
    for (const StarredTrial& starred : context().session.baselines())
        view.extras.baselines[starred.baseline.trial] =
            starred.baseline.name.empty() ? QStringLiteral("★") : theme::toQt(starred.baseline.name);
    for (std::size_t i = 0; i < m_cards.size(); ++i)
        m_cards[i]->setFigure(view.figures[i]);
    m_shortlist->setText(view.shortlist);
    m_shortlist->setVisible(!view.shortlist.isEmpty());
    m_plot->setData(view.plot);
    m_heat->setData(view.heat);
    m_heat->setAccessibleName(view.heatTitle);
    m_heatPanel->setTitle(view.heatTitle);
    m_plotPanel->setTitle(view.plotTitle);
    m_table->setSnapshot(m_snapshot, view.extras);
    refreshCount();
    showSelection(context().session.selectedTrial());
}

void TradeoffsPage::refreshCount()
{
    const int shown = m_table->trials().rowCount();
    const int all = m_table->trials().total();
    m_count->setText(shown == all ? theme::counted(all, tr("trial"), tr("trials"))
                                  : tr("%1 of %2 trials").arg(shown).arg(all));
}

void TradeoffsPage::refreshAgain()
{
    m_again->setVisible(m_snapshot && m_snapshot->study.state == model::StudyState::finished &&
                        report::canBeSurer(*m_snapshot));
    m_again->setEnabled(!context().jobs.state().busy());
}

void TradeoffsPage::showSelection(model::TrialId trial)
{
    if (m_snapshot) {
        m_plot->setSelected(trial);
        m_heat->setSelected(trial);
        m_table->setSelected(trial);
    }
}

void TradeoffsPage::showTrial(model::TrialId trial)
{
    context().session.selectTrial(trial);
    context().navigate(PageId::trial);
}

void TradeoffsPage::cancelOrClear()
{
    if (!m_filter->text().isEmpty()) {
        m_filter->clear();
        return;
    }
    context().session.selectTrial({});
}

void TradeoffsPage::setFilter(const QString& text)
{
    m_filter->setText(text);
}

} // namespace apertune::gui
