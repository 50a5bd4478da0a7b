// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/label.h"

#include <QAbstractTableModel>
#include <QColor>
#include <QStringList>
#include <QVariant>

#include <vector>

namespace apertune::tables {

/// A table of finished texts: switches, studies, layers, matched cells. Sorts by value, else by text, and rows without
/// a value come last in either order; rows keep their `key` through sorting. GUI thread.
class TextTableModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    struct Column
    {
        QString title;
        bool numeric = false;
        QString toolTip{};
        bool isName = false; ///< too long, its cells give way in the middle
        /// What CSV calls the column where the title lacks the unit of its raw values; one for each value of a list.
        QStringList rawTitles{};
    };
    struct Cell
    {
        QString text;
        QVariant raw{}; ///< what to write to CSV, see copy_text.h, and to sort by; a number without a value has none
        controls::Tone tone = controls::Tone::text;
        QString iconName{};
        double share = -1; ///< 0…1: a bar behind the text; below 0: none
        QColor swatch{};   ///< a square of it before the text, as a legend has
        QVariant order{};  ///< what to sort by where that is not the raw value
    };
    struct Row
    {
        std::vector<Cell> cells;
        qint64 key = 0; ///< the caller's own
        QString toolTip{};
        QString command{};
    };

    explicit TextTableModel(std::vector<Column> columns, QObject* parent = nullptr);

    /// Sorting stays as it was.
    void setRows(std::vector<Row> rows);
    /// For a column whose unit depends on the rows.
    void setColumn(int column, Column as);
    /// Rows that hold every word of `text`.
    void setFilter(const QString& text);
    qint64 keyAt(int row) const;    ///< 0 for a row that is not there
    int rowOfKey(qint64 key) const; ///< -1 when none has it

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void rebuild();

    std::vector<Column> m_columns;
    std::vector<Row> m_rows;
    std::vector<std::size_t> m_order;
    QString m_filter;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

} // namespace apertune::tables
