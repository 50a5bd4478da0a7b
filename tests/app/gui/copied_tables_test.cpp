// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/gui/trace_bench.h"
#include "widgets/plots/plot_source.h"
#include "widgets/tables/copy_text.h"
#include "widgets/tables/lean_table.h"
#include "widgets/tables/roles.h"

#include <QAbstractItemModel>

#include <gtest/gtest.h>

#include <set>

namespace apertune::gui {
namespace {

using testing::Fixture;
using testing::TraceFixture;

/// The fields of a line of CSV.
QStringList fieldsOf(const QString& line)
{
    QStringList fields{QString()};
    bool quoted = false;
    for (const QChar c : line)
        if (c == QLatin1Char('"'))
            quoted = !quoted;
        else if (c == QLatin1Char(',') && !quoted)
            fields << QString();
        else
            fields.back() += c;
    return fields;
}

bool isNumber(const QString& field)
{
    bool ok = false;
    field.toDouble(&ok);
    return ok;
}

/// What holds of every table: each column has a name, a number stands without its unit, and what is shown as not there
/// is written as nothing.
void expectHonestCopies(const tables::LeanTable& table)
{
    const QAbstractItemModel& model = *table.model();
    const std::string name = table.accessibleName().toStdString();
    for (int column = 0; column < model.columnCount(); ++column) {
        const std::string place = name + ", column " + std::to_string(column);
        const QString title = tables::toCsv(model, {}, {column}).trimmed();
        EXPECT_FALSE(title.isEmpty()) << place;
        for (int row = 0; row < std::min(model.rowCount(), 200); ++row) {
            const QModelIndex index = model.index(row, column);
            const QString shown = index.data().toString();
            const QString csv = tables::toCsv(model, {row}, {column}).split(QLatin1Char('\n')).at(1);
            if (shown == QStringLiteral("–")) {
                EXPECT_FALSE(csv.contains(QLatin1Char('0')) || csv.contains(shown))
                    << place << ": " << csv.toStdString();
                EXPECT_EQ(tables::toTsv(model, {row}, {column}).split(QLatin1Char('\n')).at(1), QString()) << place;
            }
            const bool counts = index.data(tables::kRawRole).typeId() != QMetaType::QString &&
                                (index.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight) && !shown.isEmpty();
            for (const QString& field : fieldsOf(csv)) {
                EXPECT_TRUE(!counts || field.isEmpty() || isNumber(field))
                    << place << " (" << title.toStdString() << "): " << field.toStdString();
            }
        }
    }
}

int expectHonestCopies(const QWidget& page)
{
    int rows = 0;
    for (const auto* table : page.findChildren<tables::LeanTable*>()) {
        if (table->model()) {
            expectHonestCopies(*table);
            rows += table->model()->rowCount();
        }
    }
    return rows;
}

TEST(CopiedTables, NoPageWritesAZeroForAValueThatIsNotThere)
{
    Fixture fixture;
    auto study = std::make_shared<model::StudySnapshot>(*fixture.gateway->state.snapshot);
    for (std::size_t i = 0; i < study->trials.size(); i += 3) {
        model::Measurement& m = study->trials[i].measurement;
        m.latencyNs.confidence = m.throughput.confidence = 0;
    }
    fixture.gateway->state.snapshot = study;
    ASSERT_TRUE(fixture.load(PageId::start));
    for (const PageId page : {PageId::start, PageId::model, PageId::tradeoffs, PageId::trial, PageId::compare}) {
        fixture.window.showPage(page);
        ASSERT_TRUE(fixture.settle());
        EXPECT_GT(expectHonestCopies(*fixture.window.currentPage()), 0) << page.name();
    }
}

TEST(CopiedTables, NoPartOfATraceWritesAZeroForAValueThatIsNotThere)
{
    TraceFixture fixture;
    int rows = 0;
    for (const char* part : {"timeline", "kernels", "operators", "memory", "transfers", "roofline", "events"}) {
        ASSERT_TRUE(fixture.open(QString::fromLatin1(part)));
        rows += expectHonestCopies(*fixture.window.currentPage());
    }
    EXPECT_GT(rows, 0);
}

TEST(CopiedTables, ThePlotOfTradeOffsWritesNoIntervalThatATrialLacks)
{
    Fixture fixture;
    auto study = std::make_shared<model::StudySnapshot>(*fixture.gateway->state.snapshot);
    for (model::Trial& trial : study->trials)
        trial.measurement.latencyNs.confidence = trial.measurement.throughput.confidence = 0;
    fixture.gateway->state.snapshot = study;
    ASSERT_TRUE(fixture.load(PageId::tradeoffs));
    int points = 0;
    for (QWidget* widget : fixture.window.currentPage()->findChildren<QWidget*>()) {
        const auto* plot = dynamic_cast<plots::PlotSource*>(widget);
        const QStringList lines = plot ? plot->toCsv().trimmed().split(QLatin1Char('\n')) : QStringList();
        const QStringList titles = lines.isEmpty() ? QStringList() : fieldsOf(lines.front());
        for (qsizetype line = 1; line < lines.size(); ++line) {
            const QStringList fields = fieldsOf(lines[line]);
            ASSERT_EQ(fields.size(), titles.size());
            for (qsizetype i = 0; i < titles.size(); ++i) {
                const bool isEnd =
                    titles[i].endsWith(QStringLiteral(", low")) || titles[i].endsWith(QStringLiteral(", high"));
                EXPECT_TRUE(!isEnd || fields[i].isEmpty()) << lines[line].toStdString();
                points += isEnd ? 1 : 0;
            }
        }
    }
    EXPECT_GT(points, 0);
}

} // namespace
} // namespace apertune::gui
