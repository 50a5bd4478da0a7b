// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/trace/table_tab.h"

#include "widgets/controls/empty_state.h"
#include "widgets/controls/panel.h"
#include "widgets/controls/search_field.h"
#include "widgets/tables/column_header.h"
#include "widgets/tables/lean_table.h"
#include "widgets/tables/text_table_model.h"

#include <QHBoxLayout>
#include <QStackedLayout>

#include <algorithm>

namespace apertune::gui {

using controls::Label;
using controls::Panel;
using controls::Tone;

TableTab::TableTab(AppContext& context, const QString& name, Make make, QWidget* parent)
    : QWidget(parent), m_context(context), m_name(name), m_make(std::move(make))
{
    m_stack = new QStackedLayout(this);
    m_empty = new controls::EmptyState(QStringLiteral("trace"), this);
    m_filled = new QWidget(this);
    auto* layout = new QVBoxLayout(m_filled);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(8);
    auto* top = new QHBoxLayout;
    top->setSpacing(12);
    m_summary = new Label({}, theme::Type::body, Tone::text, m_filled);
    m_summary->setWordWrap(true);
    m_filter = new controls::SearchField(tr("Filter"), {}, m_filled);
    top->addWidget(m_summary, 1);
    top->addWidget(m_filter, 0, Qt::AlignTop);
    layout->addLayout(top);
    auto* panel = new Panel({}, m_filled);
    m_table = new tables::LeanTable(panel);
    m_table->setAccessibleName(name);
    m_table->setDense();
    m_table->sortByColumn(-1, Qt::DescendingOrder); // in the order of the report, until the user sorts
    panel->setBodyMargin(0);
    panel->body()->addWidget(m_table);
    layout->addWidget(panel, 1);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_filled);
    connect(m_table, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
        const qint64 key = m_model ? m_model->keyAt(index.row()) : 0;
        if (key > 0 && key <= static_cast<qint64>(m_content.targets.size()))
            if (const auto& range = m_content.targets[static_cast<std::size_t>(key - 1)])
                Q_EMIT rangeChosen(*range);
    });
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (m_model)
            m_model->setFilter(text);
    });
    connect(&context.traces, &TraceSession::reportChanged, this, &TableTab::refresh);
    connect(&context.traces, &TraceSession::changed, this, &TableTab::refresh);
    m_empty->setContent(m_name, tr("The trace is being analysed."));
}

void TableTab::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void TableTab::refresh()
{
    const TraceReportPtr report = m_context.traces.report();
    if (!isVisible() || report == m_shown)
        return;
    m_shown = report;
    if (!report) {
        m_empty->setContent(m_name, tr("The trace is being analysed."));
        m_stack->setCurrentWidget(m_empty);
        return;
    }
    m_content = m_make(*report);
    if (m_content.rows.empty()) {
        m_empty->setContent(m_content.emptyTitle.isEmpty() ? tr("%1: nothing recorded").arg(m_name)
                                                           : m_content.emptyTitle,
                            m_content.empty);
        m_stack->setCurrentWidget(m_empty);
        return;
    }
    m_summary->setText(m_content.summary);
    auto model = std::make_unique<tables::TextTableModel>(m_content.columns);
    model->setRows(m_content.rows);
    model->setFilter(m_filter->text());
    m_table->setSortingEnabled(false);
    if (m_table->columns()->sortIndicatorSection() >= static_cast<int>(m_content.columns.size()))
        m_table->sortByColumn(-1, Qt::DescendingOrder);
    m_table->setModel(model.get());
    m_model = std::move(model);
    m_table->setSortingEnabled(!m_content.isTree);
    const auto name = std::find_if(m_content.columns.begin(), m_content.columns.end(),
                                   [](const tables::TextTableModel::Column& column) { return column.isName; });
    if (name != m_content.columns.end())
        m_table->setElastic(static_cast<int>(name - m_content.columns.begin()), 110);
    m_table->setExpendable(m_content.expendable, 300);
    m_table->fitColumns();
    m_stack->setCurrentWidget(m_filled);
}

} // namespace apertune::gui
