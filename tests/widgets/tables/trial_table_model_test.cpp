// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/synthetic_study.h"
#include "widgets/tables/copy_text.h"
#include "widgets/tables/roles.h"
#include "widgets/tables/trial_table_model.h"

#include <QAbstractItemModelTester>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace apertune::tables {
namespace {

constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::Fatal;

std::vector<std::int64_t> ids(const TrialTableModel& model)
{
    std::vector<std::int64_t> result;
    for (int row = 0; row < model.rowCount(); ++row)
        result.push_back(model.trialAt(row)->id.value);
    return result;
}

TEST(TrialTableModel, SurvivesRandomOperationsAndAgreesWithAPlainSort)
{
    TrialTableModel model;
    QAbstractItemModelTester tester(&model, kFatal);
    const auto study = testing::makeSyntheticStudy();
    std::mt19937 random(11);
    const QStringList filters{{}, QStringLiteral("bf16"), QStringLiteral("O1 fp32"), QStringLiteral("nothing at all")};
    for (int round = 0; round < 120; ++round) {
        switch (random() % 4) {
        case 0:
            model.setSnapshot(random() % 5 == 0 ? nullptr : study, {});
            break;
        case 1:
            model.setFilter(filters.at(static_cast<qsizetype>(random() % 4)));
            break;
        case 2:
            model.setShowSkipped(random() % 2 == 0);
            break;
        default:
            model.sort(static_cast<int>(random() % trialColumns().size()),
                       random() % 2 == 0 ? Qt::AscendingOrder : Qt::DescendingOrder);
        }
    }
    model.setSnapshot(study, {});
    model.setFilter({});
    model.setShowSkipped(true);
    model.sort(columnOf("latency"), Qt::AscendingOrder);
    std::vector<const model::Trial*> oracle;
    for (const model::Trial& trial : study->trials)
        oracle.push_back(&trial);
    std::stable_sort(oracle.begin(), oracle.end(), [](const auto* a, const auto* b) {
        const auto key = [](const model::Trial* t) {
            return t->state == model::TrialState::ok ? t->measurement.latencyNs.value : 1e300;
        };
        return key(a) < key(b);
    });
    for (int row = 0; row < model.rowCount(); ++row)
        EXPECT_EQ(model.trialAt(row)->id, oracle[static_cast<std::size_t>(row)]->id) << row;
}

TEST(TrialTableModel, TellsTheEngineWhereAStudyHasSeveral)
{
    TrialTableModel model;
    const auto one = testing::makeSyntheticStudy();
    model.setSnapshot(one, {});
    EXPECT_FALSE(model.isInformative(columnOf(TrialColumn::Kind::engine))) << "the same in every row";

    auto several = std::make_shared<model::StudySnapshot>(*one);
    several->trials[2].config.backend = "openvino";
    model.setSnapshot(several, {});
    EXPECT_TRUE(model.isInformative(columnOf(TrialColumn::Kind::engine)));
    model.setFilter(QStringLiteral("openvino"));
    ASSERT_EQ(model.rowCount(), 1);
    EXPECT_EQ(model.index(0, columnOf(TrialColumn::Kind::engine)).data().toString(), QStringLiteral("openvino"));
}

TEST(TrialTableModel, TrialsWithoutAValueComeLastInBothOrders)
{
    TrialTableModel model;
    model.setSnapshot(testing::makeSyntheticStudy(), {});
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        model.sort(columnOf("throughput"), order);
        bool ended = false;
        for (int row = 0; row < model.rowCount(); ++row) {
            const bool measured = model.trialAt(row)->state == model::TrialState::ok;
            EXPECT_FALSE(measured && ended) << row;
            ended = ended || !measured;
        }
        EXPECT_TRUE(ended);
    }
}

TEST(TrialTableModel, PersistentIndexesFollowTheirTrialThroughASort)
{
    TrialTableModel model;
    model.setSnapshot(testing::makeSyntheticStudy(), {});
    const std::int64_t id = model.trialAt(7)->id.value;
    const QPersistentModelIndex index(model.index(7, columnOf(TrialColumn::Kind::batch)));
    model.sort(columnOf("throughput"), Qt::DescendingOrder);
    ASSERT_TRUE(index.isValid());
    EXPECT_EQ(model.trialAt(index.row())->id.value, id);
}

TEST(TrialTableModel, FilterNeedsEveryWordInAnyColumn)
{
    TrialTableModel model;
    model.setSnapshot(testing::makeSyntheticStudy(), {});
    model.setFilter(QStringLiteral("o2 BF16"));
    ASSERT_EQ(model.rowCount(), 6);
    for (int row = 0; row < model.rowCount(); ++row) {
        EXPECT_EQ(model.trialAt(row)->config.level, model::OptLevel::o2);
        EXPECT_EQ(model.trialAt(row)->config.precision, model::Precision::bf16);
    }
    model.setFilter(QStringLiteral("memory"));
    EXPECT_GT(model.rowCount(), 0);
    model.setShowSkipped(false);
    model.setFilter({});
    EXPECT_EQ(model.rowCount(), 72);
}

TEST(TrialTableModel, NumbersAreRightAlignedWithTheirHeader)
{
    TrialTableModel model;
    model.setSnapshot(testing::makeSyntheticStudy(), {});
    for (int column = 0; column < model.columnCount(); ++column) {
        if (column == columnOf(TrialColumn::Kind::mark))
            continue;
        EXPECT_EQ(model.index(0, column).data(Qt::TextAlignmentRole),
                  model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole))
            << column;
    }
}

TEST(TrialTableModel, DecimalPointsOfAColumnLineUp)
{
    TrialTableModel model;
    model.setSnapshot(testing::makeSyntheticStudy(), {});
    std::set<qsizetype> tails;
    for (int row = 0; row < model.rowCount(); ++row) {
        const QString text = model.index(row, columnOf("latency")).data().toString();
        if (!text.isEmpty()) {
            const qsizetype point = std::max(text.indexOf(QLatin1Char('.')), text.indexOf(QChar(0x2008)));
            ASSERT_GE(point, 0) << text.toStdString();
            tails.insert(text.size() - point);
        }
    }
    EXPECT_EQ(tails.size(), 1u);
}

TEST(TrialTableModel, MarksTheRecommendationAndTheFront)
{
    TrialTableModel model;
    const auto study = testing::makeSyntheticStudy();
    ASSERT_TRUE(study->recommended);
    TrialTableModel::Extras extras;
    extras.front = {study->recommended->trial, study->trials[0].id};
    model.setSnapshot(study, extras);
    model.sort(columnOf(TrialColumn::Kind::mark), Qt::AscendingOrder);
    EXPECT_EQ(model.trialAt(0)->id, study->recommended->trial);
    EXPECT_EQ(model.index(0, 0).data().toString(), QStringLiteral("✔"));
    EXPECT_EQ(model.index(1, 0).data().toString(), QStringLiteral("◆"));
    EXPECT_EQ(model.index(2, 0).data().toString(), QString());
}

TEST(TrialTableModel, AStateIsAWordAndAnIconNotOnlyAColour)
{
    TrialTableModel model;
    model.setSnapshot(testing::makeSyntheticStudy(), {});
    for (int row = 0; row < model.rowCount(); ++row) {
        const QModelIndex state = model.index(row, columnOf(TrialColumn::Kind::state));
        EXPECT_FALSE(state.data().toString().isEmpty());
        EXPECT_FALSE(state.data(kIconRole).toString().isEmpty());
    }
}

TEST(TrialTableModel, ColumnsThatSayNothingAreNotInformative)
{
    TrialTableModel model;
    model.setSnapshot(testing::makeSyntheticStudy(), {});
    EXPECT_FALSE(model.isInformative(columnOf(TrialColumn::Kind::device)));
    EXPECT_FALSE(model.isInformative(columnOf(TrialColumn::Kind::threads)));
    EXPECT_TRUE(model.isInformative(columnOf(TrialColumn::Kind::switches)));
    EXPECT_TRUE(model.isInformative(columnOf("cosine")));
}

TEST(CopyText, TsvHasAHeaderAndPlainDigits)
{
    TrialTableModel model;
    model.setSnapshot(testing::makeSyntheticStudy(), {});
    const QString text = toTsv(model, {0, 1}, {columnOf(TrialColumn::Kind::trial), columnOf("latency")});
    const QStringList lines = text.split(QLatin1Char('\n'));
    ASSERT_EQ(lines.size(), 4);
    EXPECT_EQ(lines[0], QStringLiteral("Trial\tLatency ms"));
    EXPECT_TRUE(lines[1].startsWith(QStringLiteral("t101\t")));
    bool ok = false;
    lines[1].section(QLatin1Char('\t'), 1).toDouble(&ok);
    EXPECT_TRUE(ok) << lines[1].toStdString();
}

TEST(CopyText, CsvHoldsRawValuesAndQuotes)
{
    TrialTableModel model;
    const auto study = testing::makeSyntheticStudy();
    model.setSnapshot(study, {});
    const QString csv = toCsv(model, {0}, {columnOf("latency"), columnOf(TrialColumn::Kind::state)});
    const QString number = csv.split(QLatin1Char('\n')).at(1).section(QLatin1Char(','), 0, 0);
    EXPECT_DOUBLE_EQ(number.toDouble(), study->trials[0].measurement.latencyNs.value * 1e-6);
    model.setFilter(QStringLiteral("fp16"));
    const QString quoted = toCsv(model, {0}, {columnOf(TrialColumn::Kind::state)});
    EXPECT_TRUE(quoted.contains(QStringLiteral("(AVX512-FP16 or AMX-FP16)")));
}

/// The synthetic study with one trial that was measured too briefly for an interval.
std::shared_ptr<const model::StudySnapshot> withoutInterval(std::int64_t& trial)
{
    auto study = std::make_shared<model::StudySnapshot>(*testing::makeSyntheticStudy());
    model::Trial& first = study->trials.front();
    first.measurement.latencyNs.confidence = 0;
    first.measurement.throughput.confidence = 0;
    first.measurement.latencyNs.lo = first.measurement.latencyNs.hi = first.measurement.latencyNs.value;
    trial = first.id.value;
    return study;
}

TEST(TrialTableModel, AMissingIntervalIsNotAnIntervalOfZeroWidth)
{
    std::int64_t unsure = 0;
    TrialTableModel model;
    model.setSnapshot(withoutInterval(unsure), {});
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        model.sort(columnOf(TrialColumn::Kind::interval), order);
        bool ended = false;
        for (int row = 0; row < model.rowCount(); ++row) {
            const bool known = model.trialAt(row)->measurement.latencyNs.confidence > 0;
            EXPECT_FALSE(known && ended) << "row " << row << " stands below one without an interval";
            ended = ended || !known;
        }
    }
    const int row = *model.rowOf(model::TrialId{unsure});
    EXPECT_EQ(model.index(row, columnOf(TrialColumn::Kind::interval)).data().toString(), QStringLiteral("–"));
    const std::vector<int> columns{columnOf(TrialColumn::Kind::batch), columnOf(TrialColumn::Kind::interval),
                                   columnOf(TrialColumn::Kind::level)};
    EXPECT_EQ(toCsv(model, {row}, columns), QStringLiteral("Batch,\"Latency ms, low\",\"Latency ms, high\",Level\n"
                                                           "1,,,O0\n"));
    EXPECT_EQ(toTsv(model, {row}, columns), QStringLiteral("Batch\tInterval\tLevel\n1\t\tO0\n"));
    const int sure = row == 0 ? 1 : 0;
    const model::Interval& ns = model.trialAt(sure)->measurement.latencyNs;
    const QStringList fields = toCsv(model, {sure}, {columnOf(TrialColumn::Kind::interval)})
                                   .split(QLatin1Char('\n'))
                                   .at(1)
                                   .split(QLatin1Char(','));
    ASSERT_EQ(fields.size(), 2);
    EXPECT_DOUBLE_EQ(fields[0].toDouble(), ns.lo * 1e-6);
    EXPECT_DOUBLE_EQ(fields[1].toDouble(), ns.hi * 1e-6);
}

TEST(TrialTableModel, CsvHasTheNamesOfTheScreenAndNotTheirNumbers)
{
    const auto study = testing::makeSyntheticStudy();
    TrialTableModel model;
    model.setSnapshot(study, {{study->trials[3].id}, {}});
    model.sort(columnOf(TrialColumn::Kind::mark), Qt::AscendingOrder);
    const std::vector<int> columns{columnOf(TrialColumn::Kind::mark), columnOf(TrialColumn::Kind::trial),
                                   columnOf(TrialColumn::Kind::level), columnOf(TrialColumn::Kind::precision),
                                   columnOf(TrialColumn::Kind::batch)};
    const QStringList lines = toCsv(model, {0, 1}, columns).split(QLatin1Char('\n'));
    EXPECT_EQ(lines[0], QStringLiteral("Mark,Trial,Level,Precision,Batch"));
    for (int row = 0; row < 2; ++row) {
        const model::Trial& trial = *model.trialAt(row);
        EXPECT_EQ(lines[row + 1], QStringLiteral("%1,t%2,%3,%4,%5")
                                      .arg(row == 0 ? QStringLiteral("recommended") : QStringLiteral("best trade-off"))
                                      .arg(trial.id.value)
                                      .arg(QString::fromStdString(std::string(model::toString(trial.config.level))),
                                           QString::fromStdString(std::string(model::toString(trial.config.precision))))
                                      .arg(trial.config.batch));
    }
    model.sort(columnOf(TrialColumn::Kind::precision), Qt::AscendingOrder);
    EXPECT_EQ(model.trialAt(0)->config.precision, model::Precision::fp32) << "sorted as precisions, not as words";
}

TEST(TrialTableModel, SortsTwentyThousandTrials)
{
    auto study = std::make_shared<model::StudySnapshot>(*testing::makeSyntheticStudy());
    const model::Trial sample = study->trials.front();
    study->trials.clear();
    std::mt19937 random(5);
    for (int i = 0; i < 20000; ++i) {
        model::Trial trial = sample;
        trial.measurement.blocks.clear();
        trial.measurement.iterations.clear();
        trial.id = model::TrialId{i + 1};
        trial.measurement.latencyNs.value = 1e6 * (1 + random() % 1000);
        study->trials.push_back(std::move(trial));
    }
    TrialTableModel model;
    model.setSnapshot(study, {});
    model.sort(columnOf("latency"), Qt::DescendingOrder);
    EXPECT_GE(model.trialAt(0)->measurement.latencyNs.value, model.trialAt(19999)->measurement.latencyNs.value);
    EXPECT_EQ(ids(model).size(), 20000u);
}

} // namespace
} // namespace apertune::tables
