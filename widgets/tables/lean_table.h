// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/key_table.h"

#include <QTableView>

class QMenu;

namespace apertune::tables {

class ColumnHeader;

/// A table view with the lean delegate, an aligned header, whole-row selection, Ctrl+C (TSV as shown) and
/// Ctrl+Shift+C (CSV of raw values), and a context menu with the row's command line. GUI thread.
class LeanTable : public QTableView
{
    Q_OBJECT
public:
    explicit LeanTable(QWidget* parent = nullptr);

    /// What keys do in any table, beside what they do in every list.
    static const controls::KeyTable& keyTable();

    /// Sets column widths from header and up to `sample` rows; the last visible column takes the rest. Call after the
    /// model's content changed, not while scrolling.
    void fitColumns(int sample = 200);
    /// This column takes what the others leave of the width, at least `least` pixels and at most what its texts need.
    void setElastic(int column, int least);
    /// As high as all rows, up to `most`, without a scroll bar of its own: for pages that scroll. Fits the columns,
    /// too.
    void fitHeight(int most);
    ColumnHeader* columns() const { return m_header; }

    /// Adds entries to the context menu of a row, below those that copy.
    void setRowMenu(std::function<void(QMenu*, int row)> fill);

    QString selectionAsTsv() const;
    QString selectionAsCsv() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void distribute();
    std::vector<int> selectedRowNumbers() const;
    std::vector<int> visibleColumns() const;
    void refresh();

    std::function<void(QMenu*, int)> m_rowMenu;
    ColumnHeader* m_header = nullptr;
    int m_elastic = -1;
    int m_least = 0;
    std::vector<int> m_needed; ///< width of each logical column, 0 for hidden ones
};

} // namespace apertune::tables
