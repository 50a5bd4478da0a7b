// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tables/copy_text.h"

#include "widgets/tables/roles.h"

#include <QAbstractItemModel>
#include <QMetaType>

namespace apertune::tables {
namespace {

/// Padding spaces are for the eye; a spreadsheet gets plain digits.
QString plain(QString text)
{
    text.remove(QChar(0x2007)).remove(QChar(0x2008)).remove(QChar(0x2009));
    text.replace(QChar(0x2212), QLatin1Char('-'));
    text.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
    return text.trimmed();
}

QString csvField(const QVariant& value)
{
    if (!value.isValid()) {
        return {};
    }
    if (value.typeId() == QMetaType::Double) {
        return QString::number(value.toDouble(), 'g', 17);
    }
    QString text = value.toString();
    if (text.contains(QLatin1Char(',')) || text.contains(QLatin1Char('"')) || text.contains(QLatin1Char('\n'))) {
        text.replace(QLatin1Char('"'), QStringLiteral("\"\""));
        text = QLatin1Char('"') + text + QLatin1Char('"');
    }
    return text;
}

template <typename Field>
QString table(const QAbstractItemModel& model, const std::vector<int>& rows, const std::vector<int>& columns,
              QChar separator, Field field)
{
    QString text;
    const auto line = [&](auto cell) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            text += (i > 0 ? QString(separator) : QString()) + cell(columns[i]);
        }
        text += QLatin1Char('\n');
    };
    line([&](int column) { return plain(model.headerData(column, Qt::Horizontal).toString()); });
    for (const int row : rows) {
        line([&](int column) { return field(model.index(row, column)); });
    }
    return text;
}

} // namespace

QString toTsv(const QAbstractItemModel& model, const std::vector<int>& rows, const std::vector<int>& columns)
{
    return table(model, rows, columns, QLatin1Char('\t'),
                 [](const QModelIndex& index) { return plain(index.data().toString()); });
}

QString toCsv(const QAbstractItemModel& model, const std::vector<int>& rows, const std::vector<int>& columns)
{
    return table(model, rows, columns, QLatin1Char(','), [](const QModelIndex& index) {
        const QVariant raw = index.data(kRawRole);
        return csvField(raw.isValid() ? raw : QVariant(plain(index.data().toString())));
    });
}

} // namespace apertune::tables
