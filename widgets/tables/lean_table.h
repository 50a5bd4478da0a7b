// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/key_table.h"

#include <QTableView>

#include <functional>
#include <set>
#include <vector>

class QMenu;

namespace apertune::controls {
class Panel;
}

namespace apertune::tables {

class ColumnHeader;
class LeanDelegate;

/// A table view with the lean delegate, an aligned header, whole-row selection, Ctrl+C (TSV as shown) and
/// Ctrl+Shift+C (CSV of raw values), and a context menu with the row's command line. GUI thread.
class LeanTable : public QTableView
{
    Q_OBJECT
public:
    explicit LeanTable(QWidget* parent = nullptr);

    /// The keys of every such table, in addition to those of every Qt list.
    static const controls::KeyTable& keyTable();

    /// Sets column widths from the header and up to `sample` rows. The elastic column gets the rest; without one, the
    /// last visible column. Call it after the model's content or the wanted columns changed, not while scrolling.
    void fitColumns(int sample = 200);
    /// Gives this column the width that the others leave, at least `least` pixels.
    void setElastic(int column, int least);
    /// Sets the columns to hide, the first of them first, when the elastic one would get less than `enough` pixels.
    /// They reappear when there is room. Copied text always contains them.
    void setExpendable(std::vector<int> columns, int enough);
    /// Shows or hides a column. All are wanted at first.
    void setWanted(int column, bool wanted);
    bool isWanted(int column) const { return !m_unwanted.contains(column); }
    /// Allows sorting by any column. The rows keep the model's order until a header is clicked.
    void setSortable();
    /// Uses smaller margins around texts, for tables with many columns.
    void setDense();
    /// Makes the table as high as all its rows, up to `most` pixels, without a scroll bar of its own, for pages that
    /// scroll. Also fits the columns.
    void fitHeight(int most);
    ColumnHeader* columns() const { return m_header; }

    /// Adds entries to the context menu of a row, below the copy entries.
    void setRowMenu(std::function<void(QMenu*, int row)> fill);

    QString selectionAsTsv() const;
    QString selectionAsCsv() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void distribute();
    void sortByCurrentColumn();
    std::vector<int> selectedRowNumbers() const;
    std::vector<int> wantedColumns() const;
    void refresh();

    std::function<void(QMenu*, int)> m_rowMenu;
    ColumnHeader* m_header = nullptr;
    LeanDelegate* m_delegate = nullptr;
    int m_elastic = -1;
    int m_least = 0;
    std::vector<int> m_expendable;
    int m_enough = 0;
    std::set<int> m_unwanted;
    std::vector<int> m_bars;   ///< columns with bars behind their text
    std::vector<int> m_needed; ///< width of each logical column, 0 for a column that is not wanted
};

/// Fills the body of a panel with a dense, sortable table of `model`, and returns it. The panel owns the table.
LeanTable* addTable(controls::Panel* panel, QAbstractItemModel* model, const QString& accessibleName);

} // namespace apertune::tables
