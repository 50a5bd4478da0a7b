// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/label.h"

#include <QAbstractTableModel>
#include <QColor>
#include <QStringList>
#include <QVariant>

#include <vector>

namespace apertune::tables {

/// A table of finished texts: switches, studies, layers, matched configurations. It sorts by value, else by text. Rows
/// without a value come last in either order. Rows keep their `key` through sorting. GUI thread.
class TextTableModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    struct Column
    {
        QString title;
        bool numeric = false;
        QString toolTip{};
        bool isName = false; ///< long cells are elided in the middle
        /// Names of the column in CSV, when the title lacks the unit of its raw values; one for each value of a list.
        QStringList rawTitles{};
    };
    struct Cell
    {
        QString text;
        QVariant raw{}; ///< the value for CSV (see copy_text.h) and for sorting; invalid: no value
        controls::Tone tone = controls::Tone::text;
        QString iconName{};
        double share = -1; ///< 0…1: a bar behind the text fills this share; below 0: no bar
        QColor swatch{};   ///< a square of this colour is drawn before the text, as in a legend
        QVariant order{};  ///< the sort key, when it is not the raw value
    };
    struct Row
    {
        std::vector<Cell> cells;
        qint64 key = 0; ///< number that the caller chooses
        QString toolTip{};
        QString command{};
    };

    explicit TextTableModel(std::vector<Column> columns, QObject* parent = nullptr);

    /// Replaces the rows. The sort order stays.
    void setRows(std::vector<Row> rows);
    /// Replaces a column whose unit depends on the rows.
    void setColumn(int column, Column as);
    /// Shows only rows that contain every word of `text`.
    void setFilter(const QString& text);
    qint64 keyAt(int row) const;    ///< 0 for a row that does not exist
    int rowOfKey(qint64 key) const; ///< -1 when no row has it

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
