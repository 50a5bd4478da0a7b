// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/model/measurement.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <ostream>
#include <string>
#include <vector>

class QAbstractItemModel;

/// GoogleTest prints texts by it.
inline void PrintTo(const QString& text, std::ostream* out)
{
    *out << text.toStdString();
}

namespace apertune::testing {

/// How the same fact looks in several forms: numbers of a JSON document, and the text that another form has for them.

inline QString qt(const std::string& text)
{
    return QString::fromStdString(text);
}

/// Some numbers of a document and the text that a form shows for them.
struct Fact
{
    QString member; ///< its place in the document, for messages
    QString text;
};

/// Makes a fact, and fails the test unless the numbers in `text` are `values`, in this order, correctly rounded to the
/// digits that are shown. So a formatter that is wrong everywhere is found, too. Signs do not count.
Fact makeFact(const QString& member, const std::vector<double>& values, const QString& text);

/// The numbers in a text as they are written. Digits that follow a letter are part of a name ("bf16", "t3", "p99").
QStringList numbersIn(const QString& text);

/// The text in one place of a form: a cell, a line, a card. Every number in it has to be accounted for.
class Place
{
public:
    Place(QString where, QString text) : m_where(std::move(where)), m_text(std::move(text)), m_rest(m_text) {}

    /// Expects that the text of the fact stands here.
    Place& holds(const Fact& fact);
    /// Expects a text whose numbers are no numbers of the document: a definition, a date.
    Place& words(const QString& text);
    /// Leaves out the batches in names of configurations: "O2 bf16 batch 4".
    Place& names();
    /// Expects that nothing but these facts has a number here.
    void nothingElse() const;
    /// Expects these facts as the whole text, but for signs and words without digits.
    void is(const std::vector<Fact>& facts);

private:
    bool strike(const QString& text);

    QString m_where;
    QString m_text;
    QString m_rest; ///< the text without the numbers that a fact accounts for
};

/// A table as a form shows it.
struct ShownTable
{
    QStringList titles;
    std::vector<QStringList> rows;

    /// The cell of a row; fails the test when the table has no such column.
    QString cell(std::size_t row, const QString& title) const;
    /// The row whose first cell holds this word; fails the test when there is none.
    std::size_t rowOf(const QString& word) const;
    /// Columns that the test has not looked at yet.
    QStringList unread() const;

    mutable QStringList read{};
};

/// The table in a program's output that begins with the line after `title`, or with the first line of `text`. It ends
/// at a blank line or at the end.
ShownTable terminalTable(const QString& text, const QString& title = {});
/// The lines of a program's output from `title` to the next blank line, without the title.
QString section(const QString& text, const QString& title);
std::vector<ShownTable> htmlTables(const QString& html);
/// The text between `before` and `after` wherever they stand in a document, without mark-up.
QStringList htmlTexts(const QString& html, const QString& before, const QString& after);
ShownTable windowTable(const QAbstractItemModel& model);

/// The number at `path` ("latency_ms/median"); nullopt where the document has null.
std::optional<double> numberAt(const base::Json& document, const char* path);
/// An interval of a document. `value` is the name of its middle. Without ends it has no confidence, and its ends are
/// its value.
model::Interval intervalAt(const base::Json& object, const char* value);

} // namespace apertune::testing
