// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/trace/difference_tab.h"

#include "widgets/controls/command_line.h"
#include "widgets/controls/empty_state.h"
#include "widgets/controls/label.h"
#include "widgets/controls/panel.h"
#include "widgets/tables/lean_table.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSplitter>
#include <QStackedLayout>

#include <algorithm>

namespace apertune::gui {

using controls::Label;
using controls::Panel;
using controls::Tone;

namespace {

// Columns of DifferenceView::parts.
constexpr int kKind = 3;
constexpr int kOperator = 4;
constexpr int kWork = 5;

/// The batch of the traced trial; 0: not known.
double batchOf(const advice::Context& context)
{
    return context.config ? context.config->batch : 0;
}

std::string nameOf(const store::TraceSummary& trace)
{
    return "tr" + std::to_string(trace.id.value);
}

/// Whether a trace is likely to be of the model whose trace has that name. What stands behind a comma says that
/// hardware counters were recorded instead of the work.
bool isOfSameModel(const store::TraceSummary& trace, const std::string& name)
{
    const auto model = [](const std::string& text) { return text.substr(0, text.find_first_of(" ,")); };
    return model(trace.name) == model(name) && trace.name.find(',') == std::string::npos;
}

} // namespace

DifferenceTab::DifferenceTab(AppContext& context, QWidget* parent) : QWidget(parent), m_context(context)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(8);
    auto* top = new QHBoxLayout;
    top->setSpacing(12);
    auto* label = new Label(tr("&Compare with"), theme::Type::body, Tone::secondary, this);
    m_pick = new QComboBox(this);
    m_pick->setAccessibleName(tr("Trace to compare with (A)"));
    m_pick->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_pick->setMinimumContentsLength(24);
    label->setBuddy(m_pick);
    top->addWidget(label);
    top->addWidget(m_pick);
    top->addStretch(1);
    layout->addLayout(top);
    m_stack = new QStackedLayout;
    m_empty = new controls::EmptyState(QStringLiteral("compare"), this);
    m_stack->addWidget(m_empty);
    m_tables = makeTables();
    m_stack->addWidget(m_tables);
    layout->addLayout(m_stack, 1);
    connect(m_pick, &QComboBox::activated, this, &DifferenceTab::compare);
    connect(&context.traces, &TraceSession::reportChanged, this, &DifferenceTab::readTraces);
    showInstead(tr("Difference"), tr("The trace is being read."));
}

QWidget* DifferenceTab::makeTables()
{
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    m_headline = new Label({}, theme::Type::body, Tone::text, content);
    m_headline->setWordWrap(true);
    m_remarks = new Label({}, theme::Type::caption, Tone::secondary, content);
    m_remarks->setWordWrap(true);
    layout->addWidget(m_headline);
    layout->addWidget(m_remarks);
    auto* row = new QSplitter(Qt::Horizontal, content);
    row->setChildrenCollapsible(false);
    auto* steps = new Panel(tr("From A to B"), row);
    m_stepTable = new tables::LeanTable(steps);
    m_stepTable->setAccessibleName(tr("Steps from the time of A to the time of B"));
    steps->setBodyMargin(0);
    steps->body()->addWidget(m_stepTable);
    auto* parts = new Panel(tr("Parts of the difference"), row);
    m_partTable = new tables::LeanTable(parts);
    m_partTable->setAccessibleName(tr("Parts of the difference, the largest first"));
    m_partTable->setDense();
    m_stepTable->setDense();
    parts->setBodyMargin(0);
    parts->body()->addWidget(m_partTable);
    row->addWidget(steps);
    row->addWidget(parts);
    row->setStretchFactor(0, 2);
    row->setStretchFactor(1, 3);
    row->setSizes({480, 620});
    layout->addWidget(row, 1);
    m_command = new controls::CommandLine(tr("Command line of this comparison"), content);
    layout->addWidget(m_command);
    return content;
}

void DifferenceTab::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    readTraces();
}

void DifferenceTab::readTraces()
{
    const TraceReportPtr report = m_context.traces.report();
    if (!isVisible() || !report || report->trace == m_trace)
        return;
    m_trace = report->trace;
    m_context.tasks.start(
        this, QStringLiteral("traces"),
        [gateway = m_context.traceGateway, file = m_context.session.file()](const TaskRunner::Scope&) {
            return gateway->traces(file);
        },
        [this](base::Result<std::vector<store::TraceSummary>> traces) {
            if (traces || !m_context.session.workspaceExists())
                offer(traces ? *traces : std::vector<store::TraceSummary>());
            else
                showInstead(tr("The traces cannot be listed"), theme::fromCore(traces.error()));
        });
}

/// Fills the list and compares at once with the newest of the others, one of the same model if there is one.
void DifferenceTab::offer(const std::vector<store::TraceSummary>& traces)
{
    m_others.clear();
    m_own.reset();
    m_pick->clear();
    const TraceReportPtr report = m_context.traces.report();
    for (const store::TraceSummary& trace : traces) {
        if (report && trace.id.value == report->facts.context.traceId) {
            m_own = trace;
            continue;
        }
        if (!trace.complete)
            continue;
        m_others.push_back(trace);
        m_pick->addItem(theme::toQt(nameOf(trace) + "  " + trace.name));
    }
    const auto related = std::find_if(m_others.begin(), m_others.end(), [this](const store::TraceSummary& trace) {
        return isOfSameModel(trace, m_trace->name);
    });
    if (related != m_others.end())
        m_pick->setCurrentIndex(static_cast<int>(related - m_others.begin()));
    m_pick->setEnabled(!m_others.empty());
    if (m_others.empty()) {
        showInstead(tr("No other trace to compare with"),
                    tr("Record a trace of another configuration, or import a recording into this workspace. Then this "
                       "page shows where the difference comes from, to the last microsecond."));
        return;
    }
    compare();
}

void DifferenceTab::compare()
{
    const int index = m_pick->currentIndex();
    const TraceReportPtr report = m_context.traces.report();
    if (index < 0 || index >= static_cast<int>(m_others.size()) || !m_trace)
        return;
    showInstead(tr("Difference"), tr("The traces are being compared."));
    const store::TraceSummary other = m_others[static_cast<std::size_t>(index)];
    report::TraceName b{m_own ? nameOf(*m_own) : theme::toStd(m_context.traces.name()), m_trace->name,
                        m_own ? m_own->id.value : 0, m_trace};
    m_context.tasks.start(
        this, QStringLiteral("compare"),
        [gateway = m_context.traceGateway, file = m_context.session.file(), other, b = std::move(b),
         batch = report ? batchOf(report->facts.context)
                        : 0](const TaskRunner::Scope& scope) -> base::Result<std::shared_ptr<const DifferenceView>> {
            LoadTask task;
            task.stop = scope.stop();
            auto opened = gateway->storedTrace(file, other.id, task);
            if (!opened)
                return opened.error();
            const report::TraceName a{nameOf(other), other.name, other.id.value, opened->trace};
            return compareForView(a, batchOf(opened->context), b, batch);
        },
        [this](base::Result<std::shared_ptr<const DifferenceView>> view) {
            if (view)
                show(*view);
            else
                showInstead(tr("The traces cannot be compared"), theme::fromCore(view.error()));
        });
}

void DifferenceTab::show(const std::shared_ptr<const DifferenceView>& view)
{
    m_headline->setText(view->headline);
    m_remarks->setText(view->remarks.join(QLatin1Char('\n')));
    const auto fill = [](tables::LeanTable* table, std::unique_ptr<tables::TextTableModel>& model,
                         const std::vector<tables::TextTableModel::Column>& columns,
                         const std::vector<tables::TextTableModel::Row>& rows, int elastic) {
        auto filled = std::make_unique<tables::TextTableModel>(columns);
        filled->setRows(rows);
        table->setSortingEnabled(false);
        table->setModel(filled.get());
        model = std::move(filled);
        table->sortByColumn(-1, Qt::AscendingOrder);
        table->setSortingEnabled(true);
        table->setElastic(elastic, 110);
    };
    m_stack->setCurrentWidget(m_tables);
    fill(m_stepTable, m_steps, view->stepColumns, view->steps, 0);
    fill(m_partTable, m_parts, view->partColumns, view->parts, kWork);
    m_partTable->setExpendable({kOperator, kKind}, 300);
    for (tables::LeanTable* table : {m_stepTable, m_partTable}) {
        // Queued, so that the layout has given the tables their widths before.
        QMetaObject::invokeMethod(
            table, [table] { table->fitColumns(); }, Qt::QueuedConnection);
    }
    m_command->setVisible(!view->command.isEmpty());
    m_command->setCommand(view->command);
}

void DifferenceTab::showInstead(const QString& title, const QString& text)
{
    m_empty->setContent(title, text);
    m_stack->setCurrentWidget(m_empty);
}

} // namespace apertune::gui
