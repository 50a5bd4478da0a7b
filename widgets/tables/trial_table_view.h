// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/tables/lean_table.h"
#include "widgets/tables/trial_table_model.h"

namespace apertune::tables {

/// A LeanTable with a TrialTableModel. It hides columns that are not informative, keeps the selection when a new
/// snapshot arrives, and uses trial ids in its signals.
class TrialTableView final : public LeanTable
{
    Q_OBJECT
public:
    explicit TrialTableView(QWidget* parent = nullptr);

    TrialTableModel& trials() { return *m_trials; }
    void setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot, TrialTableModel::Extras extras);
    void setFilter(const QString& text);
    /// Sets the columns to hide even when they are informative. It takes effect with the next snapshot.
    void setLeftOut(std::vector<int> columns) { m_leftOut = std::move(columns); }
    /// Selects a row and scrolls to it, without a signal.
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
