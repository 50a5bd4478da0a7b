// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/study/compare_page.h"

#include "app/gui/presenters/tradeoffs_view.h"
#include "widgets/controls/chip.h"
#include "widgets/controls/command_line.h"
#include "widgets/controls/empty_state.h"
#include "widgets/controls/legend_row.h"
#include "widgets/controls/search_field.h"
#include "widgets/plots/chart_view.h"
#include "widgets/plots/plot_actions.h"
#include "widgets/tables/lean_table.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

#include <QAction>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QSplitter>
#include <QStackedLayout>

#include <algorithm>
#include <tuple>

namespace apertune::gui {
namespace {

using controls::Label;
using controls::Panel;
using controls::Tone;
using stats::Verdict;

constexpr Verdict kVerdicts[] = {Verdict::faster, Verdict::slower, Verdict::same, Verdict::cannotTell};

struct Loaded
{
    base::Result<std::shared_ptr<const CompareView>> view;
};

} // namespace

PageSpec comparePage()
{
    return {PageId::compare, QT_TRANSLATE_NOOP("apertune::gui", "Compare"), "compare", Qt::CTRL | Qt::Key_8,
            makePage<ComparePage>};
}

ComparePage::ComparePage(AppContext& context, QWidget* parent) : Page(context, PageId::compare, parent)
{
    m_stack = new QStackedLayout(this);
    m_empty = new controls::EmptyState(QStringLiteral("compare"), this);
    m_empty->setContent(
        tr("Nothing to compare yet"),
        tr("This page shows whether a change made a model faster: it matches the configurations of two studies "
           "and gives each pair a verdict by its interval. Run a sweep, change one thing (a driver, a "
           "library, the model), run the same sweep again, and both appear here side by side. Two "
           "configurations of a single study can be compared as well."),
        tr("Design a sweep"));
    m_stack->addWidget(m_empty);
    m_stack->addWidget(makeContent());
    connect(m_empty, &controls::EmptyState::activated, this, [this] { this->context().navigate(PageId::sweep); });
    m_swap = addHeaderAction(tr("Swap A and B"), false, QStringLiteral("swap"));
    connect(m_swap, &QAction::triggered, this, &ComparePage::swapSides);
    // A hidden page reads nothing; it refreshes when it is shown.
    connect(&context.session, &Session::comparisonChanged, this, [this] {
        if (isVisible())
            refresh();
    });
    connect(&context.session, &Session::fileChanged, this, [this] { m_others.clear(); });
}

QWidget* ComparePage::makeContent()
{
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(16, 0, 16, 12);
    layout->setSpacing(12);
    auto* sides = new QHBoxLayout;
    sides->setSpacing(12);
    m_pickA = new ComparisonSidePicker(tr("A · baseline"), QStringLiteral("A"), content);
    m_pickB = new ComparisonSidePicker(tr("B · candidate"), QStringLiteral("B"), content);
    // Both pickers are alike but for the side that they set.
    for (ComparisonSidePicker* picker : {m_pickA, m_pickB}) {
        const bool isBaseline = picker == m_pickA;
        sides->addWidget(picker, 1);
        connect(picker, &ComparisonSidePicker::chosen, this,
                [this, isBaseline](const ComparisonSide& side) { choose(isBaseline, side); });
        connect(picker, &ComparisonSidePicker::otherWorkspaceWanted, this,
                [this, isBaseline] { chooseWorkspace(isBaseline); });
    }
    layout->addLayout(sides);
    m_problem = new Label({}, theme::Type::body, Tone::bad, content);
    m_problem->setWordWrap(true);
    m_problem->hide();
    layout->addWidget(m_problem);
    auto* whole = new QSplitter(Qt::Vertical, content);
    whole->addWidget(makeConfigurations(whole));
    auto* lower = new QSplitter(Qt::Horizontal, whole);
    m_difference = new DifferenceSection(context(), lower);
    lower->addWidget(m_difference);
    lower->addWidget(makeDifferences(lower));
    lower->setChildrenCollapsible(false);
    lower->setStretchFactor(0, 3);
    lower->setStretchFactor(1, 2);
    lower->setSizes({680, 460});
    whole->addWidget(lower);
    whole->setChildrenCollapsible(false);
    whole->setStretchFactor(0, 1);
    whole->setStretchFactor(1, 1);
    whole->setSizes({280, 290});
    layout->addWidget(whole, 1);
    m_command = new controls::CommandLine(tr("Command line of this comparison"), content);
    layout->addWidget(m_command);
    return content;
}

QWidget* ComparePage::makeConfigurations(QWidget* parent)
{
    auto* row = new QSplitter(Qt::Horizontal, parent);
    m_configurationPanel = new Panel(tr("Configurations on both sides"), row);
    for (const Verdict verdict : kVerdicts) {
        auto* chip = new controls::Chip(verdictWord(verdict), m_configurationPanel);
        chip->setToolTip(tr("Show only the configurations with this verdict"));
        connect(chip, &QAbstractButton::toggled, this, &ComparePage::showRows);
        m_chips[verdict] = chip;
        m_configurationPanel->addHeaderWidget(chip);
    }
    m_filter = new controls::SearchField(tr("Filter configurations"), {}, m_configurationPanel);
    m_configurationPanel->addHeaderWidget(m_filter);
    connect(m_filter, &QLineEdit::textChanged, this, &ComparePage::showRows);
    m_configurations = new tables::TextTableModel(comparisonColumns(tr("ms/pass")), this);
    m_configurationTable =
        tables::addTable(m_configurationPanel, m_configurations, tr("Configurations measured on both sides"));
    // The first column gives way, so that the verdict stays visible.
    m_configurationTable->setElastic(0, 120);      // so that the verdict, in the last column, stays visible
    m_configurationTable->setExpendable({4}, 120); // the plot and the tool tip have the interval, too
    m_noConfiguration = new Label({}, theme::Type::body, Tone::secondary, m_configurationPanel);
    m_noConfiguration->setWordWrap(true);
    m_noConfiguration->setContentsMargins(12, 0, 12, 12);
    m_noConfiguration->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_noConfiguration->hide();
    m_configurationPanel->body()->addWidget(m_noConfiguration, 1);
    auto* plotPanel = new Panel(tr("Speed-up"), row);
    m_forest = new plots::ForestPlot(plotPanel);
    plotPanel->addHeaderWidget(m_forest->legend());
    plotPanel->body()->setContentsMargins(4, 4, 4, 6);
    plotPanel->body()->addWidget(m_forest);
    plots::PlotActions::addTo(plotPanel, m_forest->chart(), m_forest->legend());
    // The command of a picture is that of the whole comparison.
    m_forest->chart()->setCommandSource([this](qint64) { return m_view ? m_view->command : QString(); });
    row->addWidget(m_configurationPanel);
    row->addWidget(plotPanel);
    row->setChildrenCollapsible(false);
    row->setStretchFactor(0, 3);
    row->setStretchFactor(1, 2);
    row->setSizes({770, 370});
    connect(m_configurationTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) { selectConfiguration(m_configurations->keyAt(current.row())); });
    // The plot shows the rows in the order of the table.
    connect(m_configurations, &QAbstractItemModel::layoutChanged, this, &ComparePage::showForest);
    connect(m_forest, &plots::ForestPlot::rowClicked, this, &ComparePage::selectConfiguration);
    return row;
}

QWidget* ComparePage::makeDifferences(QWidget* parent)
{
    auto* row = new QSplitter(Qt::Vertical, parent);
    m_differencePanel = new Panel(tr("Differences"), row);
    m_differences =
        new tables::TextTableModel({{tr("Setting")}, {QStringLiteral("A")}, {QStringLiteral("B")}, {tr("Kind")}}, this);
    m_differenceTable = new tables::LeanTable(m_differencePanel);
    m_differenceTable->setModel(m_differences);
    m_differenceTable->setAccessibleName(tr("Settings that differ between A and B"));
    m_noDifference =
        new Label(tr("Nothing: same model, machine, software and settings. What the configurations show is the "
                     "effect of the configuration, or chance."),
                  theme::Type::body, Tone::secondary, m_differencePanel);
    m_noDifference->setWordWrap(true);
    m_noDifference->setContentsMargins(12, 0, 12, 12);
    m_noDifference->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_differencePanel->setBodyMargin(0);
    m_differencePanel->body()->addWidget(m_differenceTable);
    m_differencePanel->body()->addWidget(m_noDifference);
    m_onePanel = new Panel(tr("Configurations on one side only"), row);
    m_oneSided = new tables::TextTableModel({{tr("Configuration")}, {tr("Measured")}}, this);
    m_oneTable = new tables::LeanTable(m_onePanel);
    m_oneTable->setModel(m_oneSided);
    m_oneTable->setAccessibleName(tr("Configurations that were measured on one side only"));
    m_onePanel->setBodyMargin(0);
    m_onePanel->body()->addWidget(m_oneTable);
    row->addWidget(m_differencePanel);
    row->addWidget(m_onePanel);
    row->setChildrenCollapsible(false);
    return row;
}

QString ComparePage::title() const
{
    return tr("Compare");
}

QString ComparePage::facts() const
{
    if (!m_view)
        return {};
    const QString matched = tr("%1 against %2 · %3 matched")
                                .arg(m_view->b.name, m_view->a.name,
                                     theme::counted(m_view->matched(), tr("configuration", "one matched"),
                                                    tr("configurations", "several matched")));
    if (m_view->noiseFloor <= 0)
        return matched;
    // From a factor of two on, a percentage would be hard to read.
    return matched +
           (m_view->noiseFloor < 1
                ? tr(" · differences below %1 % cannot be seen").arg(theme::number(m_view->noiseFloor * 100, 2))
                : tr(" · differences below a factor of %1 cannot be seen")
                      .arg(theme::number(1 + m_view->noiseFloor, 2)));
}

bool ComparePage::isReady() const
{
    return !m_loading && m_difference->isReady();
}

void ComparePage::setSnapshot(std::shared_ptr<const model::StudySnapshot>)
{
    refresh();
}

void ComparePage::refresh()
{
    const Session& session = context().session;
    ComparisonSide a = session.baseline();
    ComparisonSide b = session.candidate();
    // Without a choice of the user, the two newest studies that fit are compared.
    if (a.file.empty() || b.file.empty()) {
        const auto sides = defaultComparison(session.file(), session.studies(), session.snapshot());
        if (!sides) {
            m_view.reset();
            m_stack->setCurrentIndex(0);
            m_swap->setEnabled(false);
            return;
        }
        std::tie(a, b) = *sides;
    }
    m_a = a;
    m_b = b;
    m_stack->setCurrentIndex(1);
    m_swap->setEnabled(true);
    std::vector<WorkspaceStudies> workspaces{{session.file(), session.studies()}};
    workspaces.insert(workspaces.end(), m_others.begin(), m_others.end());
    m_pickA->setStudies(workspaces);
    m_pickB->setStudies(workspaces);
    m_loading = true;
    context().tasks.start(
        this, QStringLiteral("compare"),
        [gateway = context().studyGateway, a, b](const TaskRunner::Scope&) -> Loaded {
            auto studyA = gateway->study(a.file, a.study);
            // Both sides are read even when one fails, so that the error names the right one.
            auto studyB = gateway->study(b.file, b.study);
            if (!studyA || !studyB)
                return {studyA ? studyB.error() : studyA.error()};
            return {makeCompareView(a, *studyA, b, *studyB)};
        },
        [this](Loaded loaded) {
            m_loading = false;
            if (loaded.view)
                present(*loaded.view);
            else
                showFailure(loaded.view.error());
            Q_EMIT headerChanged();
        });
}

void ComparePage::showFailure(const base::Error& error)
{
    // The old comparison must not stand beside a failure of the new one.
    m_view.reset();
    m_problem->setTone(Tone::bad);
    m_problem->setText(theme::fromCore(error));
    m_problem->show();
    m_pickA->setSide(m_a, nullptr, {});
    m_pickB->setSide(m_b, nullptr, {});
    m_differences->setRows({});
    m_oneSided->setRows({});
    showRows();
}

void ComparePage::present(const std::shared_ptr<const CompareView>& view)
{
    m_view = view;
    const bool warns = !view->warning.isEmpty();
    // A warning is more important than the remark on the machine.
    m_problem->setVisible(warns || !view->machine.isEmpty());
    m_problem->setTone(warns ? Tone::warn : Tone::secondary);
    m_problem->setText(warns ? view->warning : view->machine);
    m_pickA->setSide(view->a.side, view->a.snapshot, view->a.facts);
    m_pickB->setSide(view->b.side, view->b.snapshot, view->b.facts);
    for (const auto& [verdict, chip] : m_chips) {
        const auto count = view->counts.find(verdict);
        const int n = count == view->counts.end() ? 0 : count->second;
        chip->setText(tr("%1 %2").arg(n).arg(verdictWord(verdict)));
        chip->setAccessibleName(chip->text());
        chip->updateGeometry();
        // A single verdict needs no filter.
        chip->setVisible(n > 0 && view->counts.size() > 1);
        if (n == 0)
            chip->setChecked(false);
    }
    const bool differ = !view->differences.empty();
    m_differencePanel->setTitle(differ ? tr("Differences (%1)").arg(view->differences.size()) : tr("Differences"));
    m_differences->setRows(view->differences);
    m_differenceTable->setVisible(differ);
    m_noDifference->setVisible(!differ);
    m_onePanel->setTitle(tr("Configurations on one side only (%1)").arg(view->oneSided.size()));
    m_onePanel->setVisible(!view->oneSided.empty());
    m_oneSided->setRows(view->oneSided);
    m_command->setVisible(!view->command.isEmpty());
    m_command->setCommand(view->command);
    showRows();
    for (tables::LeanTable* table : {m_configurationTable, m_differenceTable, m_oneTable}) {
        // Queued, so that the layout has given the tables their widths before.
        QMetaObject::invokeMethod(
            table, [table] { table->fitColumns(); }, Qt::QueuedConnection);
    }
}

void ComparePage::showRows()
{
    std::set<Verdict> wanted;
    for (const auto& [verdict, chip] : m_chips)
        if (chip->isChecked())
            wanted.insert(verdict);
    std::vector<tables::TextTableModel::Row> rows;
    if (m_view) {
        for (std::size_t i = 0; i < m_view->configurations.size(); ++i)
            if (wanted.empty() || wanted.count(m_view->forest[i].verdict) > 0)
                rows.push_back(m_view->configurations[i]);
    }
    const qint64 selected = m_selected;
    m_configurations->setFilter(m_filter->text());
    if (m_view) {
        const auto columns = comparisonColumns(m_view->timeUnit);
        for (const int column : {1, 2})
            m_configurations->setColumn(column, columns[static_cast<std::size_t>(column)]);
    }
    m_configurations->setRows(std::move(rows));
    const bool nothing = m_view && m_configurations->rowCount() == 0;
    m_configurationTable->setVisible(!nothing);
    m_noConfiguration->setVisible(nothing);
    if (nothing)
        m_noConfiguration->setText(
            m_view->configurations.empty()
                ? tr("No configuration was measured on both sides: a configuration matches where engine, level, "
                     "precision, batch and "
                     "switches are the same. Choose another study for A or B, or sweep configurations on one side that "
                     "the "
                     "other one has; the list below names them.")
                : tr("No configuration has this in its name or this verdict. Clear the filter to see all %1.")
                      .arg(static_cast<qint64>(m_view->configurations.size())));
    showForest();
    selectConfiguration(selected);
}

void ComparePage::showForest()
{
    std::vector<plots::ForestRow> forest; // in the order of the table
    for (int row = 0; row < m_configurations->rowCount(); ++row)
        forest.push_back(m_view->forest[static_cast<std::size_t>(m_configurations->keyAt(row) - 1)]);
    m_forest->setRows(std::move(forest));
}

void ComparePage::selectConfiguration(qint64 key)
{
    m_selected = key > 0 ? key : 0;
    m_forest->setSelected(m_selected > 0 ? m_selected : plots::ChartView::kNone);
    const int row = m_selected > 0 ? m_configurations->rowOfKey(m_selected) : -1;
    if (row < 0)
        m_configurationTable->clearSelection();
    else if (m_configurationTable->currentIndex().row() != row ||
             !m_configurationTable->selectionModel()->hasSelection())
        m_configurationTable->selectRow(row);
    showDifference();
}

/// Shows the traces of the selected configuration or, without a selection, of the first one.
void ComparePage::showDifference()
{
    if (!m_view || m_view->configurations.empty()) {
        m_difference->setPair(std::nullopt);
        return;
    }
    const auto selected = static_cast<std::size_t>(m_selected > 0 ? m_selected - 1 : 0);
    const auto& [a, b] = m_view->trials[selected < m_view->trials.size() ? selected : 0];
    const auto traced = [](const CompareView::Side& side, model::TrialId trial) {
        const model::Trial& of = *side.snapshot->find(trial);
        return TracedTrial{side.side.file, trial, static_cast<double>(of.config.batch),
                           configurationName(*side.snapshot, of)};
    };
    m_difference->setPair(std::pair(traced(m_view->a, a), traced(m_view->b, b)));
}

void ComparePage::choose(bool isBaseline, const ComparisonSide& side)
{
    ComparisonSide other = isBaseline ? m_b : m_a;
    if (!side.trial)
        other.trial = {}; // a whole study is compared with a whole study
    context().session.setComparison(isBaseline ? side : other, isBaseline ? other : side);
}

void ComparePage::swapSides()
{
    context().session.setComparison(m_b, m_a);
}

void ComparePage::chooseWorkspace(bool isBaseline)
{
    auto* dialog =
        new QFileDialog(this, tr("Compare with a study of another workspace"), {}, tr("Workspaces (*.apertune)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, isBaseline](const QString& file) { addWorkspace(file, isBaseline); });
    dialog->open();
}

void ComparePage::addWorkspace(const QString& file, bool isBaseline)
{
    const std::filesystem::path path(theme::toStd(file));
    context().tasks.start(
        this, QStringLiteral("workspace"),
        [gateway = context().studyGateway, path](const TaskRunner::Scope&) { return gateway->studies(path); },
        [this, path, isBaseline](base::Result<std::vector<store::StudySummary>> studies) {
            if (!studies) {
                context().notify({Tone::bad, theme::fromCore(studies.error())});
                return;
            }
            const auto measured =
                std::find_if(studies->begin(), studies->end(), [](const auto& study) { return study.ok > 0; });
            if (measured == studies->end()) {
                context().notify(
                    {Tone::warn, tr("No study of %1 has a measured configuration. Choose another workspace.")
                                     .arg(theme::toQt(path.filename().string()))});
                return;
            }
            const ComparisonSide side{path, measured->id, {}};
            std::erase_if(m_others, [&path](const WorkspaceStudies& known) { return known.file == path; });
            if (path != context().session.file())
                m_others.push_back({path, std::move(*studies)});
            choose(isBaseline, side);
        });
}

void ComparePage::cancelOrClear()
{
    if (!m_filter->text().isEmpty()) {
        m_filter->clear();
        return;
    }
    selectConfiguration(0);
}

void ComparePage::setFilter(const QString& text)
{
    m_filter->setText(text);
}

} // namespace apertune::gui
