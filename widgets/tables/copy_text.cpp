// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tables/copy_text.h"

#include "core/base/csv.h"
#include "widgets/tables/roles.h"
#include "widgets/theme/format.h"

#include <QAbstractItemModel>
#include <QMetaType>
#include <QStringList>

namespace apertune::tables {
namespace {

/// Removes padding spaces, which are for the eye: a spreadsheet gets plain digits.
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

void addField(base::CsvLine& line, const QVariant& value)
{
    if (value.typeId() == QMetaType::Double)
        line.number(value.toDouble());
    else
        line.text(value.toString().toStdString());
}

/// The names of a column in the header line, one for each field.
QStringList rawTitles(const QAbstractItemModel& model, int column)
{
    const QVariant raw = model.headerData(column, Qt::Horizontal, kRawTitleRole);
    return raw.isValid() ? raw.toStringList() : QStringList(plain(model.headerData(column, Qt::Horizontal).toString()));
}

} // namespace

QString toTsv(const QAbstractItemModel& model, const std::vector<int>& rows, const std::vector<int>& columns)
{
    QStringList titles;
    for (const int column : columns) {
        const QString title = plain(model.headerData(column, Qt::Horizontal).toString());
        titles << (title.isEmpty() ? rawTitles(model, column).first() : title);
    }
    QString text = titles.join(QLatin1Char('\t')) + QLatin1Char('\n');
    for (const int row : rows) {
        QStringList fields;
        for (const int column : columns)
            fields << shown(model.index(row, column).data());
        text += fields.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    return text;
}

QString toCsv(const QAbstractItemModel& model, const std::vector<int>& rows, const std::vector<int>& columns)
{
    base::CsvLine header;
    for (const int column : columns)
        for (const QString& title : rawTitles(model, column))
            addField(header, title);
    std::string text = header.take();
    for (const int row : rows) {
        base::CsvLine line;
        for (const int column : columns) {
            const QModelIndex index = model.index(row, column);
            const QVariant raw = index.data(kRawRole);
            QVariantList values = raw.typeId() == QMetaType::QVariantList
                                      ? raw.toList()
                                      : QVariantList{raw.isValid() ? raw : shown(index.data())};
            values.resize(rawTitles(model, column).size());
            for (const QVariant& value : values)
                addField(line, value);
        }
        text += line.take();
    }
    return QString::fromStdString(text);
}

} // namespace apertune::tables
