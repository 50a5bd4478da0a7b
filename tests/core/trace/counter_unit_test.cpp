// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/counter_unit.h"

#include <gtest/gtest.h>

#include <limits>

namespace apertune::trace {
namespace {

std::string text(const Sample& sample)
{
    std::string out;
    appendSample(out, sample);
    return out;
}

EventColumns samples(const std::vector<Sample>& list)
{
    EventColumns columns;
    for (const Sample& s : list)
        columns.append({.detail = static_cast<std::uint32_t>(s.decimals), .value = s.value});
    return columns;
}

TEST(CounterUnit, APowerOfTenStandsBeforeTheUnit)
{
    EXPECT_EQ(unitWithDecimals("%", 0), "%");
    EXPECT_EQ(unitWithDecimals("%", 3), "1e-3 %");
    EXPECT_EQ(unitWithDecimals("", 9), "1e-9");
    for (const char* unit : {"", "%", "mW", "1e-", "1e-x", "1e-12", "1e-0 %", "1e-3 "})
        EXPECT_EQ(readCounterUnit(unit).unit, unit) << "a unit of its own";
    EXPECT_EQ(readCounterUnit("1e-3 %").unit, "%");
    EXPECT_EQ(readCounterUnit("1e-3 %").decimals, 3);
    EXPECT_EQ(readCounterUnit("1e-9").unit, "");
    EXPECT_DOUBLE_EQ(readCounterUnit("1e-2 s").factor(), 0.01);
}

TEST(CounterUnit, NumbersBecomeTheShortestDecimal)
{
    EXPECT_EQ(sampleOf(40), (Sample{40, 0}));
    EXPECT_EQ(sampleOf(-95.25), (Sample{-9525, 2}));
    EXPECT_EQ(sampleOf(0.1), (Sample{1, 1}));
    EXPECT_EQ(sampleOf(1.0 / 3), (Sample{333'333'333, 9}));
    EXPECT_EQ(sampleOf(5e18)->value, 5'000'000'000'000'000'000);
    EXPECT_FALSE(sampleOf(1e19));
    EXPECT_FALSE(sampleOf(std::numeric_limits<double>::infinity()));
    EXPECT_FALSE(sampleOf(std::numeric_limits<double>::quiet_NaN()));
    EXPECT_EQ(text({54'123, 3}), "54.123");
    EXPECT_EQ(text({-7, 3}), "-0.007");
    EXPECT_EQ(text({-7, 0}), "-7");
    EXPECT_EQ(text({std::numeric_limits<std::int64_t>::min(), 2}), "-92233720368547758.08");
}

TEST(CounterUnit, SamplesOfATrackGetTheSameDecimals)
{
    std::string unit = "%";
    EventColumns columns = samples({{4, 0}, {9525, 2}, {-5, 1}});
    EXPECT_EQ(alignSamples(columns, unit), 0);
    EXPECT_EQ(unit, "1e-2 %");
    EXPECT_EQ(columns.value, (std::vector<std::int64_t>{400, 9525, -50}));
    EXPECT_TRUE(columns.detail.empty());

    unit = "B";
    columns = samples({{1, 0}, {2, 0}});
    EXPECT_EQ(alignSamples(columns, unit), 0);
    EXPECT_EQ(unit, "B");
}

TEST(CounterUnit, ALargeSampleLeavesFewerDecimalsAndWhatIsRoundedIsCounted)
{
    std::string unit;
    EventColumns columns = samples({{9'000'000'000'000'000, 0}, {123'456, 5}, {-15, 1}, {-155, 2}});
    EXPECT_EQ(alignSamples(columns, unit), 1);
    EXPECT_EQ(unit, "1e-3");
    EXPECT_EQ(columns.value, (std::vector<std::int64_t>{9'000'000'000'000'000'000, 1235, -1500, -1550}));
}

TEST(CounterUnit, AUnitThatIsGivenStays)
{
    std::string unit = "W";
    EventColumns columns = samples({{26, 1}, {std::numeric_limits<std::int64_t>::max(), 0}});
    EXPECT_EQ(alignSamples(columns, unit, true), 1);
    EXPECT_EQ(unit, "W");
    EXPECT_EQ(columns.value, (std::vector<std::int64_t>{3, std::numeric_limits<std::int64_t>::max()}));
    unit = "1e-1 W";
    columns = samples({{-3, 0}, {std::numeric_limits<std::int64_t>::min(), 0}});
    EXPECT_EQ(alignSamples(columns, unit), 1);
    EXPECT_EQ(unit, "1e-1 W");
    EXPECT_EQ(columns.value, (std::vector<std::int64_t>{-30, std::numeric_limits<std::int64_t>::min()}));
}

} // namespace
} // namespace apertune::trace
