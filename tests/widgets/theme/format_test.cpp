// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/format.h"

#include <gtest/gtest.h>

#include <limits>

namespace apertune::theme {
namespace {

std::string text(const QString& value)
{
    QString plain = value;
    return plain.replace(QChar(0x2009), QLatin1Char('_')).toStdString();
}

TEST(Format, NumbersKeepFourDigitsAndGroupFromFiveOn)
{
    EXPECT_EQ(text(number(21.934)), "21.93");
    EXPECT_EQ(text(number(2914)), "2914");
    EXPECT_EQ(text(number(12914)), "12_914");
    EXPECT_EQ(text(number(0)), "0");
    EXPECT_EQ(text(count(1234567)), "1_234_567");
    EXPECT_EQ(text(count(-12345)), "−12_345");
}

TEST(Format, WhatIsNotANumberIsADash)
{
    EXPECT_EQ(text(number(std::numeric_limits<double>::quiet_NaN())), "–");
    EXPECT_EQ(text(number(std::numeric_limits<double>::infinity())), "–");
}

TEST(Format, TicksAreShortAndZeroHasNoSign)
{
    EXPECT_EQ(text(tickText(50.0)), "50");
    EXPECT_EQ(text(tickText(-1e-16)), "0");
    EXPECT_EQ(text(tickText(0.1 + 0.2)), "0.3");
    EXPECT_EQ(text(tickText(20000)), "20_000");
}

TEST(Format, HalfWidthsAreSharesAndSayWhenThereIsNoInterval)
{
    EXPECT_EQ(text(certainty({100, 99.4, 100.6, 0.95}, 1)), "± 0.6_%");
    EXPECT_EQ(text(certainty({100, 99.98, 100.02, 0.95}, 1)), "± 0.02_%");
    EXPECT_EQ(text(certainty({100, 80, 120, 0.95}, 1)), "± 20_%");
    EXPECT_EQ(text(certainty({100, 80, 120, 0}, 1)), "no interval");
    EXPECT_EQ(text(certainty({60e6, 39.2e6, 120e6, 0.95}, 1e-6, QStringLiteral("ms"))), "[39.2, 120] ms")
        << "± 67 % of a number that cannot be negative says little";
    EXPECT_EQ(text(certainty({60e6, 5e6, 1100e6, 0.95}, 1e-6, QStringLiteral("ms"))), "too noisy");
    EXPECT_EQ(text(bounds({60e6, 5e6, 1100e6, 0.95})), "(too noisy)");
    EXPECT_EQ(text(certainty({100, 99, 130, 0.95}, 1)), "[99.0, 130]") << "it reaches far to one side alone";
    EXPECT_EQ(text(certainty({0, -1, 1, 0.95}, 1)), "[−1.00, 1.00]");
    EXPECT_EQ(text(bounds({100, 99, 130, 0.95})), "[99.00, 130.0]");
    EXPECT_EQ(text(bounds({100, 99, 130, 0})), "(no interval)");
    EXPECT_EQ(text(mebibytes({(std::int64_t{1420} << 20) + 850'000})), "1421");
}

TEST(Format, MagnitudesTakeALetter)
{
    EXPECT_EQ(text(magnitude(25557032)), "25.6_M");
    EXPECT_EQ(text(magnitude(4.09e9)), "4.09_G");
    EXPECT_EQ(text(magnitude(12)), "12");
}

TEST(Format, TimesAreRelativeUntilYesterday)
{
    const QDateTime now(QDate(2026, 3, 14), QTime(12, 0), Qt::UTC);
    EXPECT_EQ(text(relativeTime(now.addSecs(-20), now)), "just now");
    EXPECT_EQ(text(relativeTime(now.addSecs(-20 * 60), now)), "20 min ago");
    EXPECT_EQ(text(relativeTime(now.addSecs(-5 * 3600), now)), "5 h ago");
    EXPECT_EQ(text(relativeTime(now.addSecs(-30 * 3600), now)), "yesterday");
    EXPECT_EQ(text(relativeTime({}, now)), "");
}

TEST(Format, CountsChooseTheWord)
{
    EXPECT_EQ(text(counted(1, QStringLiteral("study"), QStringLiteral("studies"))), "1 study");
    EXPECT_EQ(text(counted(0, QStringLiteral("study"), QStringLiteral("studies"))), "0 studies");
}

TEST(Format, ShapesAndUnits)
{
    EXPECT_EQ(text(shape({1, 3, 224, 224})), "1×3×224×224");
    EXPECT_EQ(text(shape({})), "scalar");
    model::ModelRef model;
    model.taskType = model::TaskType::other;
    EXPECT_EQ(text(throughputUnit(model)), "samples/s");
    model.taskType = model::TaskType::segmentation;
    EXPECT_EQ(text(throughputUnit(model)), "img/s");
}

} // namespace
} // namespace apertune::theme
