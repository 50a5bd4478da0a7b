// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/csv.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace apertune::base {
namespace {

TEST(CsvLine, FieldsStandBetweenCommasAndEmptyOnesCount)
{
    EXPECT_EQ(CsvLine().text("a").empty().count(-3).number(0.5).take(), "a,,-3,0.5\n");
    EXPECT_EQ(CsvLine().empty().text("b").take(), ",b\n") << "a first field that is empty is a field";
}

TEST(CsvLine, TextIsQuotedWhereRfc4180WantsIt)
{
    EXPECT_EQ(CsvLine().text("a,b").text("say \"x\"").take(), "\"a,b\",\"say \"\"x\"\"\"\n");
}

TEST(CsvLine, NumbersAreAsShortAsTheyCanBeReadBack)
{
    EXPECT_EQ(CsvLine().number(0.1).number(1e-9).number(21.934).take(), "0.1,1e-09,21.934\n");
}

TEST(CsvLine, WhatIsNoNumberIsAnEmptyField)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(CsvLine().number({}).number(kInfinity).number(std::nan("")).take(), ",,\n");
}

} // namespace
} // namespace apertune::base
