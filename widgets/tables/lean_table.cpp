// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tables/lean_table.h"

#include "widgets/controls/figure.h"
#include "widgets/controls/panel.h"
#include "widgets/tables/column_header.h"
#include "widgets/tables/copy_text.h"
#include "widgets/tables/lean_delegate.h"
#include "widgets/tables/roles.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>

namespace apertune::tables {
namespace {

enum TableAction : int { kOpen, kSort, kCopyShown, kCopyRaw, kClear };

} // namespace

LeanTable::LeanTable(QWidget* parent) : QTableView(parent)
{
    m_header = new ColumnHeader(this);
    setHorizontalHeader(m_header);
    m_delegate = new LeanDelegate(this);
    setItemDelegate(m_delegate);
    verticalHeader()->hide();
    // Rows have one height, which spares the view from asking for each of many thousands.
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    // Scrolling by rows would jump where a table has few of them.
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setMouseTracking(true);
    // Otherwise the Tab key would visit every cell before it leaves the table.
    setTabKeyNavigation(false);
    setWordWrap(false);
    setCornerButtonEnabled(false);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, &LeanTable::refresh);
    refresh();
}

void LeanTable::refresh()
{
    setFont(theme::font(theme::Type::body));
    verticalHeader()->setDefaultSectionSize(std::max(26, QFontMetrics(font()).height() + 10));
    if (model())
        fitColumns();
}

void LeanTable::fitColumns(int sample)
{
    // The first rows are a sample: measuring each text of a long table would take seconds.
    const int rows = std::min(model()->rowCount(), sample);
    m_needed.assign(static_cast<std::size_t>(model()->columnCount()), 0);
    m_bars.clear();
    for (const int column : wantedColumns()) {
        int width = m_header->widthOf(column);
        bool bars = false;
        for (int row = 0; row < rows; ++row) {
            const QModelIndex index = model()->index(row, column);
            width = std::max(width, m_delegate->widthOf(index));
            bars = bars || index.data(kShareRole).isValid();
        }
        if (bars)
            m_bars.push_back(column);
        // One long name must not push the other columns out of the view.
        m_needed[static_cast<std::size_t>(column)] = std::min(width, 420);
    }
    m_header->setStretchLastSection(m_elastic < 0 || !isWanted(m_elastic));
    distribute();
}

void LeanTable::setElastic(int column, int least)
{
    m_elastic = column;
    m_least = least;
}

void LeanTable::setExpendable(std::vector<int> columns, int enough)
{
    m_expendable = std::move(columns);
    m_enough = enough;
}

void LeanTable::setWanted(int column, bool wanted)
{
    if (wanted)
        m_unwanted.erase(column);
    else
        m_unwanted.insert(column);
    setColumnHidden(column, !wanted);
}

void LeanTable::setSortable()
{
    setSortingEnabled(true);
    m_header->setSortIndicator(-1, Qt::AscendingOrder);
}

void LeanTable::setDense()
{
    m_delegate->setMargin(kDenseCellMargin);
    m_header->setMargin(kDenseCellMargin);
}

void LeanTable::fitHeight(int most)
{
    fitColumns();
    setFixedHeight(m_header->sizeHint().height() + 4 +
                   std::min(most, model()->rowCount()) * verticalHeader()->defaultSectionSize());
}

void LeanTable::distribute()
{
    std::vector<int> shown = wantedColumns();
    if (shown.empty() || m_needed.size() != static_cast<std::size_t>(m_header->count()))
        return;
    const auto needs = [this](int column) { return m_needed[static_cast<std::size_t>(column)]; };
    int room = viewport()->width();
    // What the columns leave of the width; negative where they do not fit.
    for (const int column : shown)
        room -= needs(column);
    const bool elastic = m_elastic >= 0 && isWanted(m_elastic);
    // Expendable columns leave while the elastic one has too little room to be read.
    for (const int column : m_expendable) {
        const bool leaves =
            elastic && isWanted(column) && room + needs(m_elastic) < std::min(m_enough, needs(m_elastic));
        setColumnHidden(column, leaves || !isWanted(column));
        if (leaves) {
            room += needs(column);
            std::erase(shown, column);
        }
    }
    // On a wide table all columns share some of the spare width before one of them takes the rest. Where the last
    // column takes it, they share half of it, so that the last one does not stand far from its row.
    const int others = std::max(1, static_cast<int>(shown.size()) - 1);
    const int extra = std::clamp(room / (elastic ? 3 : 2) / others, 0, 28);
    // A column with bars gets more, because a bar needs some length to be read.
    const int bar =
        elastic ? std::clamp((room - extra * others) / (3 * std::max(1, static_cast<int>(m_bars.size()))), 0, 110) : 0;
    const int taker = elastic ? m_elastic : shown.back();
    int given = 0;
    for (const int column : shown) {
        if (column != taker) {
            const bool isBar = std::find(m_bars.begin(), m_bars.end(), column) != m_bars.end();
            m_header->resizeSection(column, needs(column) + extra + (isBar ? bar : 0));
            given += isBar ? bar : 0;
        }
    }
    if (elastic)
        // The elastic column takes the rest, down to its least width; below that the table scrolls.
        m_header->resizeSection(taker, std::max(m_least, needs(taker) + room - extra * others - given));
}

void LeanTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    distribute();
}

std::vector<int> LeanTable::selectedRowNumbers() const
{
    std::vector<int> rows;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        rows.push_back(index.row());
    std::sort(rows.begin(), rows.end());
    return rows;
}

std::vector<int> LeanTable::wantedColumns() const
{
    std::vector<int> columns;
    for (int visual = 0; visual < m_header->count(); ++visual) {
        const int column = m_header->logicalIndex(visual);
        if (isWanted(column))
            columns.push_back(column);
    }
    return columns;
}

void LeanTable::setRowMenu(std::function<void(QMenu*, int)> fill)
{
    m_rowMenu = std::move(fill);
}

QString LeanTable::selectionAsTsv() const
{
    return toTsv(*model(), selectedRowNumbers(), wantedColumns());
}

QString LeanTable::selectionAsCsv() const
{
    return toCsv(*model(), selectedRowNumbers(), wantedColumns());
}

void LeanTable::keyPressEvent(QKeyEvent* event)
{
    const std::optional<int> action = controls::actionOf(keyTable(), *event);
    if (action == kCopyShown)
        QApplication::clipboard()->setText(selectionAsTsv());
    else if (action == kCopyRaw)
        QApplication::clipboard()->setText(selectionAsCsv());
    else if (action == kSort)
        sortByCurrentColumn();
    else if (action == kClear && selectionModel() && selectionModel()->hasSelection())
        clearSelection();
    else
        QTableView::keyPressEvent(event);
}

/// Sorts as a click on the column's header does.
void LeanTable::sortByCurrentColumn()
{
    const int column = currentIndex().column();
    if (!isSortingEnabled() || column < 0)
        return;
    const bool again = m_header->sortIndicatorSection() == column;
    sortByColumn(column, again && m_header->sortIndicatorOrder() == Qt::AscendingOrder ? Qt::DescendingOrder
                                                                                       : Qt::AscendingOrder);
}

const controls::KeyTable& LeanTable::keyTable()
{
    static const controls::KeyTable kKeys{
        {kOpen, {Qt::Key_Return}, tr("Open the row, or show it in the timeline")}, // the key of every list in Qt
        {kSort, {Qt::CTRL | Qt::SHIFT | Qt::Key_S}, tr("Sort by the column of the cursor")},
        {kCopyShown, {Qt::CTRL | Qt::Key_C}, tr("Copy the rows as they are shown")},
        {kCopyRaw, {Qt::CTRL | Qt::SHIFT | Qt::Key_C}, tr("Copy the rows as CSV, with raw values")},
        {kClear, {Qt::Key_Escape}, tr("Clear the selection")},
    };
    return kKeys;
}

void LeanTable::contextMenuEvent(QContextMenuEvent* event)
{
    // Outside of rows there is nothing to copy.
    const QModelIndex index = indexAt(event->pos());
    if (index.isValid()) {
        QMenu* menu =
            controls::makeCopyMenu(this, index.data().toString().trimmed(), index.data(kCommandRole).toString());
        if (m_rowMenu) {
            menu->addSeparator();
            m_rowMenu(menu, index.row());
        }
        menu->popup(event->globalPos());
    }
}

LeanTable* addTable(controls::Panel* panel, QAbstractItemModel* model, const QString& accessibleName)
{
    auto* table = new LeanTable(panel);
    table->setModel(model);
    table->setDense();
    table->setSortable();
    table->setAccessibleName(accessibleName);
    panel->setBodyMargin(0);
    panel->body()->addWidget(table);
    return table;
}

} // namespace apertune::tables
