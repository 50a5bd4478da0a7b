// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/trace/names_tab.h"

#include "app/gui/presenters/name_table.h"
#include "widgets/controls/chip.h"
#include "widgets/controls/fact_list.h"
#include "widgets/controls/panel.h"
#include "widgets/controls/search_field.h"
#include "widgets/plots/axis_labels.h"
#include "widgets/plots/chart_view.h"
#include "widgets/plots/histogram.h"
#include "widgets/tables/lean_table.h"
#include "widgets/tables/text_table_model.h"
#include "widgets/theme/format.h"
#include "widgets/theme/theme.h"
#include "widgets/trace_views/trace_colors.h"
#include "widgets/trace_views/trace_labels.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QPushButton>

#include <algorithm>
#include <cmath>

namespace apertune::gui {

using controls::FactList;
using controls::Label;
using controls::Panel;
using controls::Tone;

namespace {

const QString kDurations = QStringLiteral("durations");

/// The nearest-rank percentile of a sorted sample.
double rank(const std::vector<double>& sorted, double share)
{
    const auto n = static_cast<double>(sorted.size());
    const auto i = static_cast<std::size_t>(std::clamp(std::ceil(share * n) - 1, 0.0, n - 1));
    return sorted[i];
}

} // namespace

NamesTab::NamesTab(AppContext& context, QWidget* parent) : QWidget(parent), m_context(context)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    auto* tools = new QHBoxLayout;
    tools->setSpacing(8);
    m_filter = new controls::SearchField(tr("Filter names"), {}, this);
    tools->addWidget(m_filter);
    auto* group = new QButtonGroup(this);
    for (const auto& [text, where] : {std::pair(tr("All"), Where::all), std::pair(tr("On devices"), Where::device),
                                      std::pair(tr("On the host"), Where::host)}) {
        auto* chip = new controls::Chip(text, this);
        chip->setAutoExclusive(true);
        chip->setChecked(where == m_where);
        group->addButton(chip);
        tools->addWidget(chip);
        m_chips.push_back(chip);
        connect(chip, &QAbstractButton::toggled, this, [this, w = where](bool on) {
            if (on) {
                m_where = w;
                refresh();
            }
        });
    }
    tools->addStretch(1);
    layout->addLayout(tools);
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    auto* panel = new Panel({}, this);
    m_names = new tables::TextTableModel(nameColumns(), this);
    m_table = new tables::LeanTable(panel);
    m_table->setModel(m_names);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(static_cast<int>(NameColumn::total), Qt::DescendingOrder);
    m_table->setDense();
    m_table->setElastic(static_cast<int>(NameColumn::name), 150);
    // The colour before the name shows the class. The facts beside the table show the other columns.
    m_table->setExpendable({static_cast<int>(NameColumn::workClass), static_cast<int>(NameColumn::p99),
                            static_cast<int>(NameColumn::longest), static_cast<int>(NameColumn::where),
                            static_cast<int>(NameColumn::block), static_cast<int>(NameColumn::grid)},
                           300);
    m_table->setAccessibleName(tr("Kernels, operators and calls"));
    for (int column = 0; column < kNameColumns; ++column)
        m_table->setWanted(column, !isOfLaunches(static_cast<NameColumn>(column)));
    panel->setBodyMargin(0);
    panel->body()->addWidget(m_table);
    row->addWidget(panel, 13);
    row->addWidget(makeDetail(), 4);
    layout->addLayout(row, 1);

    connect(m_filter, &QLineEdit::textChanged, m_names, &tables::TextTableModel::setFilter);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &NamesTab::showChosen);
    connect(m_table, &QAbstractItemView::activated, this, [this] {
        if (const timeline::NameStatistics* name = chosen())
            Q_EMIT eventChosen(name->outlier);
    });
    connect(&context.traces, &TraceSession::statisticsChanged, this, &NamesTab::refresh);
    connect(&context.traces, &TraceSession::reportChanged, this, &NamesTab::refresh);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this,
            &NamesTab::refresh); // the colours of classes change with it
    refresh();
}

void NamesTab::choose(trace::EventKind kind, trace::StringId name)
{
    m_filter->clear();
    m_choice = {kind, name};
    if (m_where != Where::all && trace::isDeviceWork(kind) != (m_where == Where::device))
        m_chips.front()->setChecked(true); // all of them; shows the rows again
    else
        refresh();
}

QWidget* NamesTab::makeDetail()
{
    auto* panel = new Panel(tr("Durations"), this);
    panel->setMinimumWidth(252);
    m_title = new Label({}, theme::Type::mono, Tone::text, panel);
    m_chart = new plots::ChartView(panel);
    m_chart->setAccessibleName(tr("Distribution of the durations"));
    m_facts = new FactList(panel);
    m_show = new QPushButton(tr("Show the longest"), panel);
    m_show->setToolTip(tr("In the timeline"));
    panel->body()->addWidget(m_title);
    panel->body()->addWidget(m_chart, 1);
    panel->body()->addWidget(m_facts);
    panel->body()->addWidget(m_show);
    connect(m_show, &QPushButton::clicked, this, [this] {
        if (const timeline::NameStatistics* name = chosen())
            Q_EMIT eventChosen(name->outlier);
    });
    return panel;
}

const timeline::NameStatistics* NamesTab::chosen() const
{
    const auto& statistics = m_context.traces.statistics();
    const qint64 key = m_names->keyAt(m_table->currentIndex().row());
    if (!statistics || key <= 0 || key > static_cast<qint64>(statistics->names.size()))
        return nullptr;
    return &statistics->names[static_cast<std::size_t>(key - 1)];
}

void NamesTab::refresh()
{
    const auto& statistics = m_context.traces.statistics();
    const timeline::TimelinePtr& timeline = m_context.traces.timeline();
    if (statistics && timeline && m_seen != timeline) {
        m_choice.reset();
        m_seen = timeline;
        // A trace with a device shows device work first. Without one there is no choice to make.
        m_chips[statistics->deviceWork > 0 ? 1 : 0]->setChecked(true);
        for (controls::Chip* chip : m_chips)
            chip->setVisible(statistics->deviceWork > 0);
    }
    std::vector<tables::TextTableModel::Row> rows;
    if (statistics && timeline) {
        const TraceReportPtr report = m_context.traces.report();
        const bool same = report && m_context.traces.isCurrent(); // false: the report is that of another range
        rows = nameRows(*timeline, *statistics, same ? report->kernels : std::vector<analysis::KernelRow>{});
        std::erase_if(rows, [&](const tables::TextTableModel::Row& row) {
            const bool device = trace::isDeviceWork(statistics->names[static_cast<std::size_t>(row.key - 1)].kind);
            return m_where != Where::all && device != (m_where == Where::device);
        });
    }
    // The chosen row stays chosen, in another range and when the report arrives.
    int row = rows.empty() ? -1 : 0;
    qint64 key = 0;
    for (std::size_t i = 0; m_choice && statistics && i < statistics->names.size(); ++i)
        if (statistics->names[i].kind == m_choice->first && statistics->names[i].name == m_choice->second)
            key = static_cast<qint64>(i) + 1;
    showColumns(rows);
    m_names->setRows(std::move(rows));
    m_table->fitColumns();
    if (const int same = key > 0 ? m_names->rowOfKey(key) : -1; same >= 0)
        row = same;
    if (row >= 0)
        m_table->setCurrentIndex(m_names->index(row, 0));
    else
        showChosen();
}

/// Hides columns without content: those of launches on the host, and the place where there are only devices.
void NamesTab::showColumns(const std::vector<tables::TextTableModel::Row>& rows)
{
    for (int column = 0; column < kNameColumns; ++column) {
        const auto which = static_cast<NameColumn>(column);
        bool shown = true;
        if (isOfLaunches(which) && m_where != Where::host && !m_context.traces.isCurrent())
            continue; // the report of this range is not there yet
        if (isOfLaunches(which) || which == NameColumn::p99)
            shown = std::any_of(rows.begin(), rows.end(), [column](const tables::TextTableModel::Row& row) {
                return row.cells[static_cast<std::size_t>(column)].raw.isValid();
            });
        else if (which == NameColumn::where || which == NameColumn::mean)
            shown = m_where != Where::device;
        m_table->setWanted(column, shown);
    }
}

void NamesTab::showChosen()
{
    const timeline::NameStatistics* name = chosen();
    m_show->setEnabled(name != nullptr);
    if (name)
        m_choice = {name->kind, name->name};
    if (!name) {
        m_context.tasks.cancel(this, kDurations);
        m_title->setName(tr("Choose a row."), {});
        m_facts->setFacts({});
        m_chart->setContent({});
        return;
    }
    const auto& statistics = m_context.traces.statistics();
    m_context.tasks.start(
        this, kDurations,
        [timeline = m_context.traces.timeline(), kind = name->kind, id = name->name, range = statistics->range](
            const TaskRunner::Scope& scope) { return timeline::durationsOf(*timeline, kind, id, range, scope.stop()); },
        [this, copy = *name](std::vector<double> durations) { showDurations(copy, std::move(durations)); });
}

void NamesTab::showDurations(const timeline::NameStatistics& name, std::vector<double> durations)
{
    const QModelIndex shown = m_table->currentIndex().siblingAtColumn(static_cast<int>(NameColumn::name));
    m_title->setName(shown.data().toString(), shown.data(Qt::ToolTipRole).toString());
    if (durations.empty())
        return;
    std::sort(durations.begin(), durations.end());
    const double scale = durations.back() >= 2e6 ? 1e6 : 1e3;
    const QString unit = scale > 1e3 ? tr("ms") : tr("µs");
    std::vector<double> scaled(durations);
    for (double& value : scaled)
        value /= scale;
    const plots::Histogram histogram = plots::makeHistogram(scaled);
    const double end = histogram.lo + histogram.width * static_cast<double>(histogram.counts.size());
    plots::ChartContent content;
    content.x =
        plots::linearAxis(tr("Duration (%1)").arg(unit),
                          plots::linearRange(histogram.lo, std::max(end, scaled.front()), false, 0.04), 4, false);
    plots::ChartSeries bars;
    bars.kind = plots::ChartSeries::Kind::bars;
    bars.color = trace_views::classColor(name.workClass);
    bars.lineWidth = histogram.width * 0.92;
    double most = 0;
    for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
        bars.x.push_back(histogram.lo + histogram.width * (static_cast<double>(i) + 0.5));
        bars.y.push_back(static_cast<double>(histogram.counts[i]));
        most = std::max(most, bars.y.back());
    }
    content.y = plots::linearAxis(tr("Events"), plots::linearRange(0, std::max(most, 1.0), true, 0.14), 4);
    content.series.push_back(std::move(bars));
    if (scaled.size() > 4)
        content.rules.push_back({Qt::Vertical, rank(scaled, 0.5), theme::current().text, false, tr("median")});
    m_chart->setContent(std::move(content));

    const auto time = [](double ns) { return trace_views::timeWord(static_cast<std::int64_t>(ns)); };
    std::vector<FactList::Fact> facts{{tr("Events"), theme::count(name.count)},
                                      {tr("Total"), trace_views::timeWord(name.total)},
                                      {tr("Shortest"), trace_views::timeWord(name.shortest)},
                                      {tr("Median"), time(rank(durations, 0.5))}};
    // Percentiles are shown only if the sample is large enough: 29 values for p90, 299 for p99.
    if (durations.size() >= 29)
        facts.push_back({tr("p90"), time(rank(durations, 0.9))});
    if (durations.size() >= 299)
        facts.push_back({tr("p99"), time(rank(durations, 0.99))});
    facts.push_back({tr("Longest"), trace_views::timeWord(name.longest)});
    if (name.bytes > 0)
        facts.push_back({tr("Bytes"), theme::bytes({name.bytes})});
    for (const auto& [column, title] :
         {std::pair(NameColumn::grid, tr("Grid")), std::pair(NameColumn::block, tr("Block"))})
        if (const QString launch = shown.siblingAtColumn(static_cast<int>(column)).data().toString();
            launch.size() > 1) // the text is neither empty nor a dash
            facts.push_back({title, launch});
    if (histogram.beyond > 0)
        facts.push_back({tr("Not drawn"), tr("%1 longer ones").arg(histogram.beyond)});
    m_facts->setFacts(std::move(facts));
}

} // namespace apertune::gui
