// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tables/text_table_model.h"

#include "widgets/tables/roles.h"
#include "widgets/theme/format.h"

#include <algorithm>

namespace apertune::tables {
namespace {

/// The sort key of a cell; invalid: it has no value.
QVariant orderOf(const TextTableModel::Cell& cell, const TextTableModel::Column& column)
{
    if (cell.order.isValid())
        return cell.order;
    if (cell.raw.typeId() == QMetaType::QVariantList)
        return cell.raw.toList().value(0);
    if (cell.raw.isValid() || column.numeric)
        return cell.raw;
    return cell.text == theme::kAbsent ? QVariant() : QVariant(cell.text);
}

} // namespace

TextTableModel::TextTableModel(std::vector<Column> columns, QObject* parent)
    : QAbstractTableModel(parent), m_columns(std::move(columns))
{
}

void TextTableModel::setRows(std::vector<Row> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    rebuild();
    endResetModel();
}

void TextTableModel::setColumn(int column, Column as)
{
    m_columns[static_cast<std::size_t>(column)] = std::move(as);
    Q_EMIT headerDataChanged(Qt::Horizontal, column, column);
}

void TextTableModel::setFilter(const QString& text)
{
    beginResetModel();
    m_filter = text;
    rebuild();
    endResetModel();
}

void TextTableModel::rebuild()
{
    m_order.clear();
    const QStringList words = m_filter.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        // Each word may be in another column.
        const bool all = std::all_of(words.begin(), words.end(), [&](const QString& word) {
            return std::any_of(m_rows[i].cells.begin(), m_rows[i].cells.end(),
                               [&](const Cell& cell) { return cell.text.contains(word, Qt::CaseInsensitive); });
        });
        if (all)
            m_order.push_back(i);
    }
    if (m_sortColumn < 0 || m_sortColumn >= columnCount())
        return;
    const auto column = static_cast<std::size_t>(m_sortColumn);
    const bool ascending = m_sortOrder == Qt::AscendingOrder;
    std::stable_sort(m_order.begin(), m_order.end(), [&](std::size_t a, std::size_t b) {
        const QVariant left = orderOf(m_rows[a].cells[column], m_columns[column]);
        const QVariant right = orderOf(m_rows[b].cells[column], m_columns[column]);
        // Rows without a value are last in both directions.
        if (!left.isValid() || !right.isValid())
            return left.isValid() && !right.isValid();
        // Comparing a text with a number as texts gives a fixed order of both.
        const bool texts = left.typeId() == QMetaType::QString || right.typeId() == QMetaType::QString;
        const double order = texts ? QString::compare(left.toString(), right.toString(), Qt::CaseInsensitive)
                                   : left.toDouble() - right.toDouble();
        return ascending ? order < 0 : order > 0;
    });
}

void TextTableModel::sort(int column, Qt::SortOrder order)
{
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    // Selections are persistent indexes. They follow their rows to the new places.
    const QModelIndexList before = persistentIndexList();
    std::vector<std::size_t> kept;
    for (const QModelIndex& index : before)
        kept.push_back(m_order[static_cast<std::size_t>(index.row())]);
    m_sortColumn = column;
    m_sortOrder = order;
    rebuild();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        const auto at = std::find(m_order.begin(), m_order.end(), kept[static_cast<std::size_t>(i)]);
        after << index(static_cast<int>(at - m_order.begin()), before.at(i).column());
    }
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

qint64 TextTableModel::keyAt(int row) const
{
    return row >= 0 && row < rowCount() ? m_rows[m_order[static_cast<std::size_t>(row)]].key : 0;
}

int TextTableModel::rowOfKey(qint64 key) const
{
    for (std::size_t row = 0; row < m_order.size(); ++row)
        if (m_rows[m_order[row]].key == key)
            return static_cast<int>(row);
    return -1;
}

int TextTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int TextTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant TextTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Row& row = m_rows[m_order[static_cast<std::size_t>(index.row())]];
    const Cell& cell = row.cells[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case Qt::TextAlignmentRole:
        return static_cast<int>(
            (m_columns[static_cast<std::size_t>(index.column())].numeric ? Qt::AlignRight : Qt::AlignLeft) |
            Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return row.toolTip.isEmpty() ? cell.text : row.toolTip;
    case kRawRole:
        return cell.raw;
    case kToneRole:
        return static_cast<int>(cell.tone);
    case kIconRole:
        return cell.iconName.isEmpty() ? QVariant() : QVariant(cell.iconName);
    case kShareRole:
        return cell.share < 0 ? QVariant() : QVariant(cell.share);
    case kNameRole:
        return m_columns[static_cast<std::size_t>(index.column())].isName;
    case kSwatchRole:
        return cell.swatch.isValid() ? QVariant::fromValue(cell.swatch) : QVariant();
    case kCommandRole:
        return row.command;
    default:
        return {};
    }
}

QVariant TextTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const Column& column = m_columns[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole:
        return column.title;
    case Qt::TextAlignmentRole:
        return static_cast<int>((column.numeric ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return column.toolTip;
    case kRawTitleRole:
        return column.rawTitles.isEmpty() ? QVariant() : QVariant(column.rawTitles);
    default:
        return {};
    }
}

} // namespace apertune::tables
