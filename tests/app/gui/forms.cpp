// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/gui/forms.h"

#include <QAbstractItemModel>
#include <QRegularExpression>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace apertune::testing {

namespace {

/// Numbers with blanks or thin blanks between thousands, and powers of ten.
const QRegularExpression kNumber(
    QStringLiteral(
        "(?<![\\p{L}\\d_.:])(?<!top-)(?:\\d{1,3}(?:[\\x{00A0}\\x{2009}]\\d{3})+|\\d+)(?:\\.\\d+)?(?:e[+-]\\d+)?"),
    QRegularExpression::UseUnicodePropertiesOption);

/// Whether a number as written is the value, rounded to the digits that are shown.
bool isRounded(QString written, double value)
{
    written.remove(QChar(0x00A0)).remove(QChar(0x2009));
    const qsizetype power = written.indexOf(QLatin1Char('e'));
    const QString mantissa = written.left(power < 0 ? written.size() : power);
    const qsizetype point = mantissa.indexOf(QLatin1Char('.'));
    const double decimals = point < 0 ? 0 : static_cast<double>(mantissa.size() - point - 1);
    const double exponent = power < 0 ? 0 : written.mid(power + 1).toDouble();
    const double unit = std::pow(10.0, exponent - decimals);
    return std::abs(written.toDouble() - std::abs(value)) <= unit * (0.5 + 1e-6) + std::abs(value) * 1e-12;
}

QString plain(QString html)
{
    html.replace(QRegularExpression(QStringLiteral("<[^>]*>")), QStringLiteral(" "));
    for (const auto& [entity, text] :
         {std::pair("&nbsp;", " "), {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}})
        html.replace(QLatin1String(entity), QLatin1String(text));
    return html.trimmed();
}

QStringList captured(const QString& text, const QString& pattern)
{
    const QRegularExpression expression(pattern, QRegularExpression::DotMatchesEverythingOption);
    QStringList found;
    for (auto matches = expression.globalMatch(text); matches.hasNext();)
        found << matches.next().captured(1);
    return found;
}

} // namespace

QStringList numbersIn(const QString& text)
{
    QStringList numbers;
    for (auto matches = kNumber.globalMatch(text); matches.hasNext();)
        numbers << matches.next().captured();
    return numbers;
}

Fact makeFact(const QString& member, const std::vector<double>& values, const QString& text)
{
    const QStringList numbers = numbersIn(text);
    EXPECT_EQ(static_cast<std::size_t>(numbers.size()), values.size())
        << member.toStdString() << ": " << text.toStdString();
    for (qsizetype i = 0; i < std::min<qsizetype>(numbers.size(), static_cast<qsizetype>(values.size())); ++i)
        EXPECT_TRUE(isRounded(numbers[i], values[static_cast<std::size_t>(i)]))
            << member.toStdString() << " is " << values[static_cast<std::size_t>(i)] << ", shown as "
            << text.toStdString();
    return {member, text};
}

bool Place::strike(const QString& text)
{
    if (text.isEmpty())
        return true;
    // A number is no part of another one, nor of a name.
    const QRegularExpression whole(QStringLiteral("%1%2(?!\\d|\\.\\d)")
                                       .arg(text[0].isDigit() ? QStringLiteral("(?<![\\p{L}\\d_.:])") : QString(),
                                            QRegularExpression::escape(text)),
                                   QRegularExpression::UseUnicodePropertiesOption);
    const QRegularExpressionMatch match = whole.match(m_rest);
    if (!match.hasMatch())
        return false;
    m_rest.replace(match.capturedStart(), match.capturedLength(), QStringLiteral(" | "));
    return true;
}

Place& Place::holds(const Fact& fact)
{
    EXPECT_TRUE(strike(fact.text)) << m_where.toStdString() << " lacks \"" << fact.text.toStdString() << "\" ("
                                   << fact.member.toStdString() << "); it says: " << m_text.toStdString();
    return *this;
}

Place& Place::words(const QString& text)
{
    EXPECT_TRUE(strike(text)) << m_where.toStdString() << " lacks the words \"" << text.toStdString()
                              << "\"; it says: " << m_text.toStdString();
    return *this;
}

Place& Place::names()
{
    m_rest.replace(QRegularExpression(QStringLiteral("\\bbatch \\d+")), QStringLiteral("batch"));
    return *this;
}

void Place::nothingElse() const
{
    const QStringList numbers = numbersIn(m_rest);
    EXPECT_TRUE(numbers.isEmpty()) << m_where.toStdString() << " has "
                                   << numbers.join(QStringLiteral(", ")).toStdString()
                                   << ", of which the document says nothing; it says: " << m_text.toStdString();
}

void Place::is(const std::vector<Fact>& facts)
{
    for (const Fact& fact : facts)
        holds(fact);
    nothingElse();
}

QString ShownTable::cell(std::size_t row, const QString& title) const
{
    const qsizetype column = titles.indexOf(title);
    EXPECT_GE(column, 0) << "no column " << title.toStdString() << " in "
                         << titles.join(QStringLiteral(", ")).toStdString();
    if (!read.contains(title))
        read << title;
    return row < rows.size() ? rows[row].value(column) : QString();
}

std::size_t ShownTable::rowOf(const QString& word) const
{
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (rows[row].value(0).split(QLatin1Char(' ')).contains(word))
            return row;
    ADD_FAILURE() << "no row " << word.toStdString();
    return rows.size();
}

QStringList ShownTable::unread() const
{
    QStringList left;
    for (const QString& title : titles)
        if (!read.contains(title))
            left << title;
    return left;
}

QString section(const QString& text, const QString& title)
{
    const QString all = QLatin1Char('\n') + text;
    const qsizetype at = title.isEmpty() ? 0 : all.indexOf(QLatin1Char('\n') + title + QLatin1Char('\n'));
    EXPECT_GE(at, 0) << "no section " << title.toStdString() << " in\n" << text.toStdString();
    const qsizetype begin = title.isEmpty() ? 1 : at + title.size() + 2;
    const qsizetype end = all.indexOf(QStringLiteral("\n\n"), begin);
    return all.mid(begin, end < 0 ? -1 : end - begin);
}

ShownTable terminalTable(const QString& text, const QString& title)
{
    QStringList lines = section(text, title).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    qsizetype width = 0;
    for (const QString& line : lines)
        width = std::max(width, line.size());
    for (QString& line : lines)
        line = line.leftJustified(width);
    // Two blanks or more in all lines divide columns.
    std::vector<std::pair<qsizetype, qsizetype>> columns;
    qsizetype blanks = 2;
    for (qsizetype at = 0; at < width; ++at) {
        const bool blank =
            std::all_of(lines.begin(), lines.end(), [at](const QString& line) { return line[at] == QLatin1Char(' '); });
        if (!blank && blanks >= 2)
            columns.emplace_back(at, at + 1);
        else if (!blank)
            columns.back().second = at + 1;
        blanks = blank ? blanks + 1 : 0;
    }
    ShownTable table;
    for (const QString& line : lines) {
        QStringList cells;
        for (const auto& [begin, end] : columns)
            cells << line.mid(begin, end - begin).trimmed();
        if (table.titles.isEmpty())
            table.titles = cells;
        else
            table.rows.push_back(cells);
    }
    return table;
}

std::vector<ShownTable> htmlTables(const QString& html)
{
    std::vector<ShownTable> tables;
    for (const QString& text : captured(html, QStringLiteral("<table[^>]*>(.*?)</table>"))) {
        ShownTable table;
        for (const QString& line : captured(text, QStringLiteral("<tr[^>]*>(.*?)</tr>"))) {
            QStringList cells;
            for (const QString& cell : captured(line, QStringLiteral("<t[dh][^>]*>(.*?)</t[dh]>")))
                cells << plain(cell);
            if (table.titles.isEmpty())
                table.titles = cells;
            else
                table.rows.push_back(cells);
        }
        tables.push_back(std::move(table));
    }
    return tables;
}

QStringList htmlTexts(const QString& html, const QString& before, const QString& after)
{
    QStringList texts;
    for (const QString& text : captured(html, QRegularExpression::escape(before) + QStringLiteral("(.*?)") +
                                                  QRegularExpression::escape(after)))
        texts << plain(text);
    return texts;
}

ShownTable windowTable(const QAbstractItemModel& model)
{
    ShownTable table;
    for (int column = 0; column < model.columnCount(); ++column)
        table.titles << model.headerData(column, Qt::Horizontal).toString();
    for (int row = 0; row < model.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column) {
            QString text = model.index(row, column).data().toString();
            cells << text.remove(QChar(0x2007)).remove(QChar(0x2008)); // they only align the decimal points
        }
        table.rows.push_back(cells);
    }
    return table;
}

std::optional<double> numberAt(const base::Json& document, const char* path)
{
    const base::Json::json_pointer pointer("/" + std::string(path));
    if (!document.contains(pointer) || !document[pointer].is_number())
        return std::nullopt;
    return document[pointer].get<double>();
}

model::Interval intervalAt(const base::Json& object, const char* value)
{
    model::Interval interval;
    interval.value = object[value].get<double>();
    const bool known = object["lo"].is_number() && object["hi"].is_number();
    interval.lo = known ? object["lo"].get<double>() : interval.value;
    interval.hi = known ? object["hi"].get<double>() : interval.value;
    interval.confidence = known ? object.value("confidence", 0.95) : 0;
    return interval;
}

} // namespace apertune::testing
