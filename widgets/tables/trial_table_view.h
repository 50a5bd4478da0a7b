// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/tables/lean_table.h"
#include "widgets/tables/trial_table_model.h"

namespace apertune::tables {

/// A LeanTable over a TrialTableModel of its own: hides columns that say nothing, keeps the selection over new
/// snapshots, speaks in trial ids.
class TrialTableView final : public LeanTable
{
    Q_OBJECT
public:
    explicit TrialTableView(QWidget* parent = nullptr);

    TrialTableModel& trials() { return *m_trials; }
    void setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot, TrialTableModel::Extras extras);
    void setFilter(const QString& text);
    /// Columns that this view leaves out even where they say something. Takes effect with the next snapshot.
    void setLeftOut(std::vector<int> columns) { m_leftOut = std::move(columns); }
    /// Selects and shows a row without announcing it.
    void setSelected(model::TrialId trial);

Q_SIGNALS:
    void trialClicked(apertune::model::TrialId trial);
    void trialActivated(apertune::model::TrialId trial);

private:
    void restoreSelection();

    TrialTableModel* m_trials = nullptr;
    std::vector<int> m_leftOut;
    model::TrialId m_selected{};
    bool m_quiet = false;
};

} // namespace apertune::tables
