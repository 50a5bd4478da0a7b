// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tables/copy_text.h"

#include "core/base/escape.h"
#include "widgets/tables/roles.h"
#include "widgets/theme/format.h"

#include <QAbstractItemModel>
#include <QMetaType>
#include <QStringList>

#include <cmath>

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

QString shown(const QVariant& value)
{
    const QString text = plain(value.toString());
    return text == theme::kAbsent ? QString() : text;
}

QString csvField(const QVariant& value)
{
    if (value.typeId() == QMetaType::Double) {
        return std::isfinite(value.toDouble()) ? QString::number(value.toDouble(), 'g', 17) : QString();
    }
    return QString::fromStdString(base::csvField(value.toString().toStdString()));
}

/// A line a row below one of titles; both functions give the fields of a column.
template <typename Titles, typename Fields>
QString table(const std::vector<int>& rows, const std::vector<int>& columns, QChar separator, Titles titles,
              Fields fields)
{
    QString text;
    const auto line = [&](auto of) {
        QStringList all;
        for (const int column : columns) {
            all << of(column);
        }
        text += all.join(separator) + QLatin1Char('\n');
    };
    line(titles);
    for (const int row : rows) {
        line([&](int column) { return fields(row, column); });
    }
    return text;
}

/// One name a field of the column.
QStringList rawTitles(const QAbstractItemModel& model, int column)
{
    const QVariant raw = model.headerData(column, Qt::Horizontal, kRawTitleRole);
    return raw.isValid() ? raw.toStringList() : QStringList(plain(model.headerData(column, Qt::Horizontal).toString()));
}

} // namespace

QString toTsv(const QAbstractItemModel& model, const std::vector<int>& rows, const std::vector<int>& columns)
{
    const auto title = [&](int column) {
        const QString text = plain(model.headerData(column, Qt::Horizontal).toString());
        return text.isEmpty() ? rawTitles(model, column).first() : text;
    };
    return table(rows, columns, QLatin1Char('\t'), title,
                 [&](int row, int column) { return shown(model.index(row, column).data()); });
}

QString toCsv(const QAbstractItemModel& model, const std::vector<int>& rows, const std::vector<int>& columns)
{
    const auto titles = [&](int column) {
        QStringList fields;
        for (const QString& title : rawTitles(model, column)) {
            fields << csvField(title);
        }
        return fields;
    };
    const auto fields = [&](int row, int column) {
        const QModelIndex index = model.index(row, column);
        const QVariant raw = index.data(kRawRole);
        const QVariantList values = raw.typeId() == QMetaType::QVariantList
                                        ? raw.toList()
                                        : QVariantList{raw.isValid() ? raw : shown(index.data())};
        QStringList list;
        for (const QVariant& value : values) {
            list << csvField(value);
        }
        list.resize(rawTitles(model, column).size());
        return list;
    };
    return table(rows, columns, QLatin1Char(','), titles, fields);
}

} // namespace apertune::tables
