// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/claims_page.h"

#include "app/gui/presenters/command_lines.h"
#include "app/gui/presenters/live_view.h"
#include "app/gui/presenters/translate.h"
#include "widgets/controls/command_line.h"
#include "widgets/controls/empty_state.h"
#include "widgets/controls/panel.h"
#include "widgets/controls/scroll_page.h"
#include "widgets/controls/search_field.h"
#include "widgets/tables/lean_table.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>

namespace apertune::gui {

using controls::Label;
using controls::Panel;
using controls::Tone;

PageSpec claimsPage()
{
    return {PageId::claims, QT_TRANSLATE_NOOP("apertune::gui", "Claims"), "claims", Qt::CTRL | Qt::Key_G,
            makePage<ClaimsPage>};
}

ClaimsPage::ClaimsPage(AppContext& context, QWidget* parent) : Page(context, PageId::claims, parent)
{
    m_stack = new QStackedLayout(this);
    m_empty = new controls::EmptyState(QStringLiteral("claims"), this);
    m_empty->setContent(tr("Claims of optimization guides"),
                        tr("This page puts what published guides claim beside what this machine measured. It is "
                           "looking at the machine and the workspace."));
    m_stack->addWidget(m_empty);
    m_stack->addWidget(makeContent());
    m_stack->addWidget(makePlan());
    m_back = addHeaderAction(tr("Back to the claims"), false, QStringLiteral("back"));
    m_back->setVisible(false);
    m_measure = addHeaderAction(tr("Measure what is missing…"), true);
    connect(m_back, &QAction::triggered, this, &ClaimsPage::leavePlan);
    // The same action plans on the first page and measures on the second.
    connect(m_measure, &QAction::triggered, this, [this] { m_stack->currentIndex() == plan ? measure() : showPlan(); });
    connect(m_empty, &controls::EmptyState::activated, this, &ClaimsPage::load);
    // The claims depend on the devices, which are probed after the window opened.
    connect(&context.session, &Session::machineChanged, this, &ClaimsPage::load);
    connect(&context.session, &Session::workspaceChanged, this,
            [this] { setSnapshot(this->context().session.snapshot()); });
    connect(&context.jobs, &Jobs::stateChanged, this, &ClaimsPage::refreshJob);
    // A finished job may have measured what was missing.
    connect(&context.jobs, &Jobs::finished, this, &ClaimsPage::load);
    refreshJob();
}

QWidget* ClaimsPage::makeContent()
{
    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(16, 0, 16, 12);
    layout->setSpacing(12);
    layout->addWidget(makeProgress(page));
    auto* whole = new QSplitter(Qt::Vertical, page);
    whole->addWidget(makeClaims(whole));
    whole->addWidget(makeDetail(whole));
    whole->setChildrenCollapsible(false);
    whole->setStretchFactor(0, 3);
    whole->setStretchFactor(1, 2);
    whole->setSizes({340, 240});
    layout->addWidget(whole, 1);
    m_command = new controls::CommandLine(tr("Command line of the selected claim"), page);
    layout->addWidget(m_command);
    return page;
}

QWidget* ClaimsPage::makeClaims(QWidget* parent)
{
    auto* panel = new Panel(tr("Claims of guides"), parent);
    m_state = new QComboBox(panel);
    m_state->setAccessibleName(tr("State of the claims"));
    m_state->addItem(tr("All states"), -1);
    for (const claims::ClaimState state : claims::kAllClaimStates)
        m_state->addItem(claimStateWord(state), static_cast<int>(state));
    m_topic = new QComboBox(panel);
    m_topic->setAccessibleName(tr("Topic of the claims"));
    m_topic->addItem(tr("All topics"), QString());
    for (const std::string& topic : claims::claimTopics())
        m_topic->addItem(fromCore(topic), theme::toQt(topic));
    m_search = new controls::SearchField(tr("Filter claims"), {}, panel);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_state, m_topic, m_search})
        panel->addHeaderWidget(widget);
    m_claims = new tables::TextTableModel(claimColumns(), this);
    m_claimTable = tables::addTable(panel, m_claims, tr("Claims of guides"));
    // The sentence is the column that grows; source and topic give way first.
    m_claimTable->setElastic(static_cast<int>(ClaimColumn::says), 260);
    m_claimTable->setExpendable({static_cast<int>(ClaimColumn::source), static_cast<int>(ClaimColumn::topic)}, 380);
    m_none = new Label(tr("No claim has this state and topic and these words. Choose all states and topics, and clear "
                          "the words."),
                       theme::Type::body, Tone::secondary, panel);
    m_none->setWordWrap(true);
    m_none->setContentsMargins(12, 0, 12, 12);
    m_none->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_none->hide();
    panel->body()->addWidget(m_none, 1);
    connect(m_state, &QComboBox::currentIndexChanged, this, &ClaimsPage::showRows);
    connect(m_topic, &QComboBox::currentIndexChanged, this, &ClaimsPage::showRows);
    connect(m_search, &QLineEdit::textChanged, this, &ClaimsPage::showRows);
    connect(m_claimTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ClaimsPage::showClaim);
    return panel;
}

QWidget* ClaimsPage::makeDetail(QWidget* parent)
{
    auto* row = new QSplitter(Qt::Horizontal, parent);
    auto* claim = new Panel(tr("The selected claim"), row);
    auto* scroll = new controls::ScrollPage(claim);
    scroll->setAccessibleName(tr("The selected claim"));
    scroll->body()->setContentsMargins(0, 0, 0, 0);
    m_facts = new controls::FactList(scroll);
    scroll->body()->addWidget(m_facts);
    scroll->body()->addStretch(1);
    claim->body()->addWidget(scroll);
    m_pairPanel = new Panel(tr("Measurements behind it"), row);
    m_pairs = new tables::TextTableModel(claimPairColumns(), this);
    m_pairTable = tables::addTable(m_pairPanel, m_pairs, tr("Measurements behind the selected claim"));
    m_pairTable->setElastic(static_cast<int>(ClaimPairColumn::from), 90);
    row->setChildrenCollapsible(false);
    row->setStretchFactor(0, 1);
    row->setStretchFactor(1, 1);
    // A key of 0 is a row without a trial, such as a ratio of copy rates.
    connect(m_pairTable, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
        if (const qint64 key = m_pairs->keyAt(index.row()); key > 0)
            openTrial(model::TrialId{key});
    });
    return row;
}

QWidget* ClaimsPage::makeProgress(QWidget* parent)
{
    m_progress = new QWidget(parent);
    auto* row = new QHBoxLayout(m_progress);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    m_phase = new Label({}, theme::Type::body, Tone::text, m_progress);
    m_phase->setElided(true);
    m_bar = new QProgressBar(m_progress);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress of measuring claims"));
    m_stop = new QPushButton(tr("Stop"), m_progress);
    m_stop->setToolTip(tr("Stop measuring; what was measured stays"));
    row->addWidget(m_phase, 2);
    row->addWidget(m_bar, 1);
    row->addWidget(m_stop);
    connect(m_stop, &QPushButton::clicked, this, [this] { context().jobs.requestStop(JobState::Stop::now); });
    return m_progress;
}

QWidget* ClaimsPage::makePlan()
{
    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(16, 0, 16, 12);
    layout->setSpacing(12);
    auto* time = new Panel(tr("How long it takes"), page);
    m_time = new Label({}, theme::Type::body, Tone::text, time);
    m_time->setWordWrap(true);
    time->body()->addWidget(m_time);
    auto* row = new QHBoxLayout;
    m_seconds = new QSpinBox(time);
    m_seconds->setRange(5, 3600);
    m_seconds->setSuffix(tr(" s"));
    m_seconds->setValue(static_cast<int>(kClaimStudyTime.seconds()));
    // The spin box has no text of its own that a screen reader could read.
    m_seconds->setAccessibleName(tr("Measuring time of each study"));
    m_seconds->setToolTip(tr("A longer time gives narrower intervals"));
    auto* label = new Label(tr("Measuring time of each study"), theme::Type::body, Tone::secondary, time);
    label->setBuddy(m_seconds);
    row->addWidget(label);
    row->addWidget(m_seconds);
    row->addStretch(1);
    time->body()->addLayout(row);
    auto* planned = new Panel(tr("Measurements, in their order"), page);
    m_planned = new tables::TextTableModel(claimPlanColumns(), this);
    m_planTable = tables::addTable(planned, m_planned, tr("Plan of what is missing"));
    m_planTable->setElastic(static_cast<int>(ClaimPlanColumn::claims), 160);
    m_planCommand = new controls::CommandLine(tr("Command line of this plan"), page);
    layout->addWidget(time);
    layout->addWidget(planned, 1);
    layout->addWidget(m_planCommand);
    connect(m_seconds, &QSpinBox::valueChanged, this, &ClaimsPage::showTime);
    return page;
}

QString ClaimsPage::title() const
{
    return tr("Claims");
}

QString ClaimsPage::facts() const
{
    return m_view ? claimCountsText(*m_view) : QString();
}

bool ClaimsPage::isReady() const
{
    return !m_loading && context().session.machine();
}

void ClaimsPage::setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot)
{
    const Session& session = context().session;
    const bool isCurrent = m_view && m_file == session.file() && m_version == session.version();
    // All studies are read, so not after each trial: the end of a job and of a study bring another call.
    const bool isGrowing =
        context().jobs.state().busy() || (snapshot && snapshot->study.state == model::StudyState::running);
    if (!isCurrent && !(m_view && m_file == session.file() && isGrowing))
        load();
}

void ClaimsPage::load()
{
    const Session& session = context().session;
    if (!session.machine())
        return; // machineChanged() comes
    m_loading = true;
    m_file = session.file();
    m_version = session.version();
    // Reading checks all studies of the workspace, which may take a moment.
    context().tasks.start(
        this, QStringLiteral("claims"),
        [gateway = context().studyGateway, file = m_file, devices = session.machine()->devices](
            const TaskRunner::Scope&) -> base::Result<std::shared_ptr<const ClaimsView>> {
            auto checks = gateway->claimChecks(file, devices);
            if (!checks)
                return checks.error();
            return std::shared_ptr<const ClaimsView>(
                std::make_shared<ClaimsView>(ClaimsView{std::move(*checks), devices}));
        },
        [this](const base::Result<std::shared_ptr<const ClaimsView>>& loaded) { present(loaded); });
}

void ClaimsPage::present(const base::Result<std::shared_ptr<const ClaimsView>>& loaded)
{
    m_loading = false;
    // The last claims would look like those of the workspace that cannot be read.
    if (!loaded) {
        m_view.reset();
        m_version.reset();
        m_empty->setContent(tr("The workspace cannot be read"), theme::fromCore(loaded.error()), tr("Try again"));
        leavePlan();
        Q_EMIT headerChanged();
        return;
    }
    m_view = *loaded;
    if (m_stack->currentIndex() == nothing)
        m_stack->setCurrentIndex(content);
    showRows();
    Q_EMIT headerChanged();
}

ClaimFilter ClaimsPage::filter() const
{
    const int state = m_state->currentData().toInt();
    return {state < 0 ? std::nullopt : std::optional(static_cast<claims::ClaimState>(state)),
            theme::toStd(m_topic->currentData().toString())};
}

void ClaimsPage::showRows()
{
    if (!m_view)
        return;
    // The selection is kept by the claim, because filters change its row.
    const qint64 selected = m_claims->keyAt(m_claimTable->currentIndex().row());
    m_claims->setFilter(m_search->text());
    m_claims->setRows(claimRows(*m_view, filter()));
    m_claimTable->fitColumns();
    const bool isEmpty = m_claims->rowCount() == 0;
    m_claimTable->setVisible(!isEmpty);
    m_none->setVisible(isEmpty);
    m_claimTable->selectRow(std::max(0, m_claims->rowOfKey(selected)));
    showClaim();
    // The plan follows the filter, so that a user can measure one topic.
    m_plan = plannedClaims(*m_view, filter());
    if (m_stack->currentIndex() == plan)
        showPlan();
    refreshJob();
}

void ClaimsPage::showClaim()
{
    const qint64 key = m_view ? m_claims->keyAt(m_claimTable->currentIndex().row()) : 0;
    if (key == 0) {
        m_facts->setFacts({});
        m_pairPanel->hide();
        m_command->setCommand({});
        return;
    }
    // Keys begin at 1, as 0 stands for no row.
    const claims::ClaimCheck& check = m_view->checks[static_cast<std::size_t>(key - 1)];
    m_facts->setFacts(claimFacts(check));
    m_pairs->setRows(claimPairRows(check));
    m_pairTable->fitColumns();
    m_pairPanel->setVisible(m_pairs->rowCount() > 0);
    m_command->setCommand(claimCommand(check, m_file));
}

void ClaimsPage::openTrial(model::TrialId trial)
{
    const qint64 key = m_claims->keyAt(m_claimTable->currentIndex().row());
    const model::StudyId study = studyOfPair(m_view->checks[static_cast<std::size_t>(key - 1)], trial);
    Session& session = context().session;
    if (session.snapshot() && session.snapshot()->study.id == study) {
        session.selectTrial(trial);
    } else {
        session.selectStudy(study);
        // A trial can be selected once its study was read.
        connect(
            &session, &Session::snapshotChanged, this, [this, trial] { this->context().session.selectTrial(trial); },
            Qt::SingleShotConnection);
    }
    context().navigate(PageId::trial);
}

void ClaimsPage::showPlan()
{
    m_planned->setRows(claimPlanRows(m_plan));
    m_planTable->fitColumns();
    m_stack->setCurrentIndex(plan);
    m_back->setVisible(true);
    m_measure->setText(tr("Measure now"));
    showTime();
    m_planTable->setFocus();
}

void ClaimsPage::showTime()
{
    m_time->setText(claimPlanText(m_plan, budget()));
    const ClaimFilter chosen = filter();
    m_planCommand->setCommand(
        claimsCommand({.topic = chosen.topic,
                       .state = chosen.state ? std::string(toString(*chosen.state)) : std::string(),
                       .measure = true,
                       .budget = budget()},
                      m_file));
}

void ClaimsPage::leavePlan()
{
    m_stack->setCurrentIndex(m_view ? content : nothing);
    m_back->setVisible(false);
    m_measure->setText(tr("Measure what is missing…"));
    if (m_view)
        m_claimTable->setFocus();
}

base::Nanoseconds ClaimsPage::budget() const
{
    return claimBudget(m_plan, base::fromSeconds(m_seconds->value()));
}

void ClaimsPage::measure()
{
    if (!context().jobs.measureClaims(m_plan, budget()))
        context().notify({Tone::warn, tr("Another job is running. Measure the claims when it has finished.")});
    leavePlan();
}

void ClaimsPage::refreshJob()
{
    const JobState& job = context().jobs.state();
    const bool isOurs = job.kind == JobState::Kind::measuringClaims;
    m_progress->setVisible(isOurs);
    // One job at a time: two would disturb each other's measurements.
    m_measure->setEnabled(m_view && !m_plan.empty() && !job.busy());
    m_measure->setToolTip(job.busy() ? tr("Another job is running.")
                          : m_plan.empty()
                              ? tr("Nothing that this machine can measure is missing.")
                              : tr("Shows what would be measured, and how long that may take (Ctrl+Enter)"));
    if (!isOurs)
        return;
    const QString text = claimsJobText(job);
    m_phase->setText(job.phase.isEmpty() ? text : tr("%1 · %2").arg(text, job.phase));
    m_bar->setRange(0, job.total);
    m_bar->setValue(job.done);
    m_stop->setEnabled(job.stop == JobState::Stop::no);
    m_stop->setText(job.stop == JobState::Stop::no ? tr("Stop") : tr("Stopping …"));
}

void ClaimsPage::cancelOrClear()
{
    if (m_stack->currentIndex() == plan)
        leavePlan();
    else if (!m_search->text().isEmpty())
        m_search->clear();
}

void ClaimsPage::setFilter(const QString& text)
{
    m_search->setText(text);
}

} // namespace apertune::gui
