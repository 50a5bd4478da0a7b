// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tables/trial_table_view.h"

#include "widgets/tables/column_header.h"

#include <algorithm>

namespace apertune::tables {

TrialTableView::TrialTableView(QWidget* parent) : LeanTable(parent), m_trials(new TrialTableModel(this))
{
    setModel(m_trials);
    setSortingEnabled(true);
    setAccessibleName(tr("Trials"));
    sortByColumn(columnOf("throughput"), Qt::DescendingOrder);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
        const model::Trial* trial = m_trials->trialAt(current.row());
        if (trial && !m_quiet && trial->id != m_selected) {
            m_selected = trial->id;
            Q_EMIT trialClicked(trial->id);
        }
    });
    connect(this, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
        if (const model::Trial* trial = m_trials->trialAt(index.row()))
            Q_EMIT trialActivated(trial->id);
    });
}

void TrialTableView::setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot, TrialTableModel::Extras extras)
{
    // The reset of the model changes the current row, which is not a click of the user.
    m_quiet = true;
    m_trials->setSnapshot(std::move(snapshot), std::move(extras));
    for (int column = 0; column < m_trials->columnCount(); ++column) {
        const bool leftOut = std::find(m_leftOut.begin(), m_leftOut.end(), column) != m_leftOut.end();
        setWanted(column, !leftOut && m_trials->isInformative(column));
    }
    fitColumns();
    restoreSelection();
    m_quiet = false;
}

void TrialTableView::setFilter(const QString& text)
{
    m_quiet = true;
    m_trials->setFilter(text);
    restoreSelection();
    m_quiet = false;
}

void TrialTableView::setSelected(model::TrialId trial)
{
    if (trial == m_selected)
        return;
    m_selected = trial;
    m_quiet = true;
    restoreSelection();
    m_quiet = false;
}

void TrialTableView::restoreSelection()
{
    const std::optional<int> row = m_selected ? m_trials->rowOf(m_selected) : std::nullopt;
    if (!row) {
        clearSelection();
        return;
    }
    const QModelIndex index = m_trials->index(*row, 0);
    selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    scrollTo(index);
}

} // namespace apertune::tables
