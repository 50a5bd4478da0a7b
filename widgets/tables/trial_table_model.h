// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/configuration_names.h"
#include "core/model/study.h"
#include "widgets/tables/trial_columns.h"

#include <QAbstractTableModel>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace apertune::tables {

/// The trials of one snapshot as a table. Sorting and filtering use an index vector of the model, because a proxy model
/// does not scale. Rows without a value in the sorted column come last in either order. GUI thread.
class TrialTableModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    explicit TrialTableModel(QObject* parent = nullptr);

    /// Data that the model cannot derive from the snapshot: the trials on the Pareto front, the baselines of the
    /// workspace, and the command line of a trial.
    struct Extras
    {
        std::vector<model::TrialId> front{};
        std::map<model::TrialId, QString> baselines{}; ///< see CellContext::baseline
        std::function<QString(const model::Trial&)> command{};
    };

    /// Replaces the snapshot. A newer one of the same study keeps sorting and filter. Null empties the table.
    void setSnapshot(std::shared_ptr<const model::StudySnapshot> snapshot, Extras extras);

    /// Shows only rows that contain every word of `text`, in any column and any case.
    void setFilter(const QString& text);
    /// Shows or hides trials that were never run (impossible, over budget).
    void setShowSkipped(bool show);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order) override;

    const model::Trial* trialAt(int row) const;
    std::optional<int> rowOf(model::TrialId trial) const;
    int total() const;

    /// Returns whether a column differs between rows. Views hide a column that is the same everywhere: one device, one
    /// engine, no threads, no switches.
    bool isInformative(int section) const;

private:
    void rebuild();
    bool matches(const model::Trial& trial) const;
    CellContext contextOf(const model::Trial& trial) const;
    bool isBest(const model::Trial& trial) const;
    double markOrder(const model::Trial& trial) const;
    QVariant markOf(const model::Trial& trial, int role) const;
    QString alignedNumber(const model::Trial& trial, int section) const;

    std::shared_ptr<const model::StudySnapshot> m_snapshot;
    model::CommonSwitches m_common;    ///< switches that all trials of m_snapshot share
    model::ConfigurationNames m_names; ///< names of the configurations of m_snapshot
    Extras m_extras;
    std::set<std::int64_t> m_front;
    std::vector<std::size_t> m_order; ///< row -> index into the snapshot's trials
    std::vector<int> m_fraction;      ///< number of decimals of the longest cell, by column
    QString m_filter;
    bool m_showSkipped = true;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

} // namespace apertune::tables
